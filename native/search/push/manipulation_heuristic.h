// The heuristic of the push search: the remaining pushes and the blockers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contact_distances.h"
#include "search/push/manipulation_graph.h"
#include "search/push/options.h"
#include "util/bit_row.h"

namespace pushworld {

// Computes a cheapest path of each goal object to its goal, without the other objects. A step is a
// push by the agent, or a push by a tool (another movable) where the agent cannot push. Without
// tools the number of pushes is exact for the object alone. A blocker is another object on a cell
// that the object or the agent sweeps on that path.
template <int Words>
class ManipulationHeuristic {
 public:
  struct Estimate {
    int pushes;    // kInfinity only for a dead end
    int blockers;  // pairs of a goal object and one of its blockers
  };

  ManipulationHeuristic(const Dynamics& dynamics, const ObjectClasses& classes, Contacts& contacts,
                        const PushOptions& options, LimitGuard& guard);

  // Whether the graphs fit into `max_bytes`.
  static bool is_affordable(const ObjectClasses& classes, size_t max_bytes);

  Estimate operator()(const PositionId* state);

  // Sets the state before the pushes that `after_push` estimates.
  void enter(const PositionId* state);
  // The same as operator() of a state that differs from that of `enter` in the moved objects and in
  // the agent.
  template <typename Set>
  Estimate after_push(const PositionId* state, const Set& moved) {
    return estimate(state, [&](Goal& goal, int object, Node node) {
      if (moved[object]) return count_blockers(state, object, node);
      int count = count_before(goal, object, node);
      const Rows& swept = goal.swept[node];
      moved.for_each([&](int other) {
        count +=
            int{blocks(swept, other, state[other])} - int{blocks(swept, other, before_[other])};
      });
      return count;
    });
  }

 private:
  using Row = BitRow<Words>;
  using Rows = std::pmr::vector<Row>;
  using Distances = std::pmr::vector<uint16_t>;
  using Node = ManipulationGraph::Node;

  // The blockers of a node in the last state in which they were counted. Most states differ from
  // the one before by the positions of few objects.
  struct Blockers {
    explicit Blockers(MemoryAccount& memory) : at(&memory), blocks(&memory) {}

    Node node = ManipulationGraph::kNone;
    int count = 0;
    std::pmr::vector<PositionId> at;   // of each object
    std::pmr::vector<uint8_t> blocks;  // whether each object is a blocker
  };

  struct Goal {
    Goal(size_t positions, size_t nodes, MemoryAccount& memory)
        : tool_actions(positions, &memory),
          cost(nodes, kUnreachable, &memory),
          position_cost(positions, kUnreachable, &memory),
          next(nodes, ManipulationGraph::kNone, &memory),
          by_tool(nodes, false, &memory),
          swept(nodes, &memory),
          blockers{Blockers(memory), Blockers(memory), Blockers(memory), Blockers(memory)} {}

    std::pmr::vector<uint8_t> tool_actions;  // of each position: the actions of pushes by a tool
    Distances cost;                          // of each node, to the goal
    Distances position_cost;                 // of each position: the minimum over its nodes
    std::pmr::vector<Node> next;             // of each node: the next one on a cheapest path
    std::pmr::vector<bool> by_tool;          // whether the step to `next` needs a tool
    std::pmr::vector<Rows> swept;            // of each node; computed on demand
    std::array<Blockers, 4> blockers;        // of a node, at the remainder of its number
    // The number of blockers of a node in the state of `enter`.
    Node counted_before = ManipulationGraph::kNone;
    int before = 0;
  };

  // Made when it is first needed: most tools of most puzzles are never asked for.
  const ManipulationGraph& graph(int object_class);
  const ManipulationGraph& graph_of(int object) { return graph(classes_.of(object)); }
  void find_tool_actions(int object, Goal& goal);
  void find_costs(int object, Goal& goal);
  bool can_tool_push(int tool_class, int object_class, PositionId position, int action);
  // The number of pushes from each node of the tool until the agent can push the object with it.
  const Distances& tool_distances(int tool_class, int object_class, PositionId position,
                                  int action);
  Distances find_tool_distances(int tool_class, int object_class, PositionId position, int action);
  int cost_with_tools(const PositionId* state, int object, Node node);
  const Rows& swept_cells(int object, Node node);
  int count_blockers(const PositionId* state, int object, Node node);
  int count_before(Goal& goal, int object, Node node) {
    if (goal.counted_before != node) {
      goal.before = count_blockers(before_.data(), object, node);
      goal.counted_before = node;
    }
    return goal.before;
  }
  bool blocks(const Rows& swept, int other, PositionId position) const {
    const Rows& shape = shape_rows_[classes_.of(other)];
    const Point at = classes_.index_of(other).point(position);
    Row covered;
    for (size_t k = 0; k < shape.size(); ++k) covered |= swept[at.y + k] & shape[k].shifted(at.x);
    return covered.any();
  }
  // With count(goal, object, node) for the number of blockers.
  template <typename Count>
  Estimate estimate(const PositionId* state, Count&& count) {
    Estimate estimate{0, 0};
    for (int object = 1; object <= world_.num_goals(); ++object) {
      const Node node = graph_of(object).node(state[object], state[0]);
      Goal& goal = goals_[object - 1];
      // The agent's pushes are exact for the object alone, and tools are assumed to do every push
      // that walls permit. So an infinite cost proves a dead end.
      if (goal.cost[node] == kUnreachable) return {kInfinity, 0};
      if (goal.cost[node] == 0) continue;
      estimate.pushes +=
          goal.by_tool[node] ? cost_with_tools(state, object, node) : int{goal.cost[node]};
      estimate.blockers += count(goal, object, node);
    }
    return estimate;
  }

  const World& world_;
  const ObjectClasses& classes_;
  Contacts& contacts_;
  const int tool_cost_, tool_for_tool_cost_;
  const int n_;
  LimitGuard& guard_;
  std::vector<std::unique_ptr<ManipulationGraph>> graphs_;  // of each class
  std::vector<Rows> shape_rows_;                            // of each class
  std::vector<Goal> goals_;
  std::vector<PositionId> before_;  // the state of `enter`
  std::pmr::vector<std::pmr::vector<Distances>> tool_distances_;
};

}  // namespace pushworld
