// The recursive graph distance of the paper.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contact_distances.h"

namespace pushworld {

// Estimates the number of actions to the goal. Obstacles are ignored.
class RecursiveGraphDistance {
 public:
  // `max_tools` bounds the objects in a chain between the agent and a goal object. With
  // `fewest_tools_first`, a chain counts only if none with fewer tools exists, as in the paper's
  // experiments; otherwise the cheapest chain of any length counts, as in its pseudocode.
  RecursiveGraphDistance(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard,
                         int max_tools, bool fewest_tools_first = true);

  // kInfinity if no chain of pushers (of at most max_tools tools) can move a goal object that is
  // not at its goal. Without a bound on the tools, that proves a dead end: when a plan moves an
  // object for the first time, its pusher has come to a contact by moves that walls allow, and that
  // pusher is the agent, or was moved for the first time earlier or closer to the agent in the same
  // action. So a chain leads from the agent to every object that any plan moves.
  int operator()(const PositionId* state);

  // The cost for a single object, by index among those with goals.
  int goal_cost(const PositionId* state, int goal);

  ContactDistances& distances() { return distances_; }

 private:
  // The objects of a chain so far: one that is pushed, what it pushes in turn, and so on.
  struct Chain {
    int object;
    const Chain* rest;

    bool contains(int other) const {
      return other == object || (rest != nullptr && rest->contains(other));
    }
  };
  // Actions to get a pusher that is not in the chain, with at most `depth` tools, to push the
  // chain's first object once in the direction of the action; `bound` if no way is cheaper.
  int pushing_cost(const PositionId* state, const Chain& chain, int action, int depth, int bound);

  // Costs of pushing each object in each direction, at [object * 4 + action].
  using PushCosts = std::vector<int>;

  PushCosts costs_without_tools(const PositionId* state);
  // The costs with chains one tool longer; an object may come up twice in a chain.
  PushCosts costs_with_one_more_tool(const PositionId* state, const PushCosts& shorter);
  int cost_with_pushes(const PositionId* state, int goal, const PushCosts& costs);
  int cost_with_fewest_tools(const PositionId* state, int goal);
  int cost_with_any_tools(const PositionId* state, int goal);

  const ObjectClasses& classes_;
  const int n_;
  const int num_goals_;
  const int max_tools_;
  const bool fewest_tools_first_;
  LimitGuard& guard_;
  uint32_t work_ = 0;
  ContactDistances distances_;
  PushCosts lower_bounds_;  // of pushing costs in the state at hand; may be empty
};

}  // namespace pushworld
