// The heuristic of the push search: pushes still needed, and objects in the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/rgd.h"
#include "search/push/manipulation_graph.h"
#include "util/bit_row.h"

namespace pushworld {

// For each goal object alone, the cheapest way to its goal: pushes by the agent, which are exact
// as long as nothing else is in the way, and pushes with a tool where the agent cannot. The cells
// that the object and the agent sweep on that way tell which other objects block it.
template <int Words>
class ManipulationHeuristic {
 public:
  struct Estimate {
    int pushes;    // kInfinity only for a dead end
    int blockers;  // pairs of a goal object and another object in its way
  };

  // The distance is asked where a tool itself needs a tool.
  ManipulationHeuristic(const Dynamics& dynamics, const ObjectClasses& classes,
                        RecursiveGraphDistance& distance, LimitGuard& guard);

  // Whether the graphs of a world are small enough for this memory.
  static bool is_affordable(const ObjectClasses& classes, size_t max_bytes);

  Estimate operator()(const PositionId* state);

 private:
  using Row = BitRow<Words>;
  using Rows = std::pmr::vector<Row>;
  using Distances = std::pmr::vector<uint16_t>;
  using Node = ManipulationGraph::Node;

  // What a push with a tool is taken to cost before it is known which tool.
  static constexpr int kToolCost = 8;
  // What is added where a tool can only be moved by another tool.
  static constexpr int kToolForToolCost = 40;

  struct Goal {
    Goal(size_t positions, size_t nodes, MemoryAccount& memory)
        : tool_actions(positions, &memory),
          cost(nodes, kUnreachable, &memory),
          position_cost(positions, kUnreachable, &memory),
          next(nodes, ManipulationGraph::kNone, &memory),
          by_tool(nodes, false, &memory),
          swept(nodes, &memory) {}

    std::pmr::vector<uint8_t> tool_actions;  // of each position: where a tool can push it
    Distances cost;                          // of each node, to the goal
    Distances position_cost;                 // of each position: the least of its nodes
    std::pmr::vector<Node> next;             // on the cheapest way
    std::pmr::vector<bool> by_tool;          // whether the step to `next` needs a tool
    std::pmr::vector<Rows> swept;            // computed when asked for
  };

  const ManipulationGraph& graph_of(int object) const { return *graphs_[classes_.of(object)]; }
  void find_tool_actions(int object, Goal& goal, LimitGuard& guard);
  void find_costs(int object, Goal& goal);
  bool can_tool_push(int tool_class, int object_class, PositionId position, int action);
  // The pushes that bring a tool to where the agent can push the object with it.
  const Distances& tool_distances(int tool_class, int object_class, PositionId position,
                                  int action);
  int cost_with_tools(const PositionId* state, int object, Node node);
  const Rows& swept_cells(int object, Node node);
  int count_blockers(const PositionId* state, int object, Node node);

  const World& world_;
  const ObjectClasses& classes_;
  RecursiveGraphDistance& distance_;
  const int n_;
  std::vector<std::unique_ptr<ManipulationGraph>> graphs_;  // of each class but the agent's
  std::vector<Rows> shape_rows_;                            // of each class
  std::vector<Goal> goals_;
  std::pmr::vector<std::pmr::vector<Distances>> tool_distances_;
};

extern template class ManipulationHeuristic<1>;
extern template class ManipulationHeuristic<4>;
extern template class ManipulationHeuristic<16>;

}  // namespace pushworld
