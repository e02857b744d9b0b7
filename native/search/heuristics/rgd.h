// The recursive graph distance (RGD) of the PushWorld paper.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contact_distances.h"

namespace pushworld {

// Estimates the number of actions to the goal. Each goal object is pushed by a chain: the agent
// pushes a first tool, which pushes the next, and so on; the last one pushes the goal object. A
// tool is a movable that pushes another. Distances respect walls and ignore other objects.
class RecursiveGraphDistance {
 public:
  // `max_tools` is the maximal number of tools in a chain. The value is the cost of the cheapest
  // chain among those with the fewest tools, as in the paper's experiments.
  RecursiveGraphDistance(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard,
                         int max_tools);

  // kInfinity if no chain of at most `max_tools` tools can move some goal object that is not at its
  // goal. If `max_tools` is the number of objects, this proves a dead end. Proof: consider the
  // first time that a plan moves an object. Its pusher reached the contact by moves that walls
  // allow. The pusher is the agent, or it first moved earlier, or it first moved in the same action
  // and is closer to the agent. By induction, a chain leads from the agent to each object that a
  // plan moves.
  int operator()(const PositionId* state);

  // The cost of a single goal.
  int goal_cost(const PositionId* state, int goal);

  ContactDistances& distances() { return distances_; }

 private:
  // The cost to push the object once by the action, by the agent or also by a tool that the agent
  // pushes; `bound` if no pusher is cheaper.
  int pushing_cost(const PositionId* state, int object, int action, bool with_tool, int bound);

  // Costs of pushing each object in each direction, at [object * 4 + action].
  using PushCosts = std::vector<int>;

  PushCosts costs_without_tools(const PositionId* state);
  // The costs with one more tool per chain. A chain may contain an object twice.
  PushCosts costs_with_one_more_tool(const PositionId* state, const PushCosts& shorter);
  int cost_with_pushes(const PositionId* state, int goal, const PushCosts& costs);
  int cost_with_fewest_tools(const PositionId* state, int goal);
  // The cost of a goal by the agent's own pushes.
  int agent_cost(const PositionId* state, int goal);
  // The cost of a goal by the agent's own pushes and, with a tool, those of one tool.
  int chain_cost(const PositionId* state, int goal, bool with_tool);

  const ObjectClasses& classes_;
  const int n_;
  const int num_goals_;
  const int max_tools_;
  LimitGuard& guard_;
  uint32_t work_ = 0;
  ContactDistances distances_;
  // Of each goal, the results of `agent_cost` by the positions of the object and of the agent, plus
  // one; 0 where unknown. Without a table for a goal that would have too many entries.
  std::vector<SparseArray<uint16_t>> agent_costs_;
};

}  // namespace pushworld
