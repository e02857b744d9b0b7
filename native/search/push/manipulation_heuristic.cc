#include "search/push/manipulation_heuristic.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace pushworld {

template <int Words>
ManipulationHeuristic<Words>::ManipulationHeuristic(const Dynamics& dynamics,
                                                    const ObjectClasses& classes,
                                                    Contacts& contacts, const PushOptions& options,
                                                    LimitGuard& guard)
    : world_(dynamics.world()),
      classes_(classes),
      contacts_(contacts),
      tool_cost_(static_cast<int>(options.tool_cost)),
      tool_for_tool_cost_(static_cast<int>(options.tool_for_tool_cost)),
      n_(dynamics.world().num_objects()),
      guard_(guard),
      graphs_(classes.count()),
      tool_distances_(static_cast<size_t>(classes.count()) * classes.count(), &guard.memory()) {
  for (int c = 0; c < classes.count(); ++c) {
    const Shape& shape = world_.shape(classes.shape_id(c));
    Rows rows(shape.height, &guard.memory());
    for (const Point cell : shape.cells) rows[cell.y].set(cell.x);
    shape_rows_.push_back(std::move(rows));
  }
  for (int object = 1; object <= world_.num_goals(); ++object) {
    Goal& goal = goals_.emplace_back(classes.index_of(object).size(), graph_of(object).size(),
                                     guard.memory());
    find_tool_actions(object, goal);
    find_costs(object, goal);
  }
}

template <int Words>
const ManipulationGraph& ManipulationHeuristic<Words>::graph(int object_class) {
  std::unique_ptr<ManipulationGraph>& graph = graphs_[object_class];
  if (!graph) {
    graph = std::make_unique<ManipulationGraph>(world_, classes_, object_class, contacts_, guard_);
  }
  return *graph;
}

template <int Words>
bool ManipulationHeuristic<Words>::is_affordable(const ObjectClasses& classes, size_t max_bytes) {
  constexpr uint64_t kMaxEntries = uint64_t{1} << 25;
  // An entry of the table of regions takes a byte; the rest of a graph takes more.
  constexpr size_t kEntryBytes = 4;
  uint64_t entries = 0;
  for (int c = 1; c < classes.count(); ++c) entries += ManipulationGraph::table_size(classes, c);
  return entries <= std::min<uint64_t>(kMaxEntries, max_bytes / kEntryBytes);
}

template <int Words>
typename ManipulationHeuristic<Words>::Estimate ManipulationHeuristic<Words>::operator()(
    const PositionId* state) {
  return estimate(
      state, [&](Goal&, int object, Node node) { return count_blockers(state, object, node); });
}

template <int Words>
void ManipulationHeuristic<Words>::enter(const PositionId* state) {
  before_.assign(state, state + n_);
  for (Goal& goal : goals_) goal.counted_before = ManipulationGraph::kNone;
}

template <int Words>
bool ManipulationHeuristic<Words>::can_tool_push(int tool_class, int object_class,
                                                 PositionId position, int action) {
  return contacts_.any(tool_class, object_class, position, action, [&](PositionId) {
    guard_.count_work(4);
    return true;
  });
}

template <int Words>
void ManipulationHeuristic<Words>::find_tool_actions(int object, Goal& goal) {
  const int object_class = classes_.of(object);
  const PositionIndex& index = classes_.index(object_class);
  std::vector<bool> is_tool(classes_.count(), false);
  for (int other = 1; other < n_; ++other) {
    if (other != object) is_tool[classes_.of(other)] = true;
  }
  for (PositionId p = 0; p < index.size(); ++p) {
    for (int action = 0; action < kNumActions; ++action) {
      if (index.neighbour(p, action) == kNoPosition) continue;
      for (int c = 1; c < classes_.count(); ++c) {
        guard_.count_work(1);
        if (!is_tool[c] || !can_tool_push(c, object_class, p, action)) continue;
        goal.tool_actions[p] |= static_cast<uint8_t>(1 << action);
        break;
      }
    }
  }
}

template <int Words>
void ManipulationHeuristic<Words>::find_costs(int object, Goal& goal) {
  const ManipulationGraph& graph = graph_of(object);
  const PositionIndex& index = classes_.index_of(object);
  using Entry = std::pair<int, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto improve = [&](Node node, int cost, Node next, bool by_tool) {
    cost = std::min(cost, kUnreachable - 1);  // a large cost must not look like a dead end
    if (goal.cost[node] <= cost) return;
    goal.cost[node] = static_cast<uint16_t>(cost);
    goal.next[node] = next;
    goal.by_tool[node] = by_tool;
    open.emplace(cost, node);
  };
  const PositionId target = index.id(world_.goals()[object - 1]);
  if (target == kNoPosition) return;
  for (Node node = graph.first(target); node < graph.first(target + 1); ++node) {
    improve(node, 0, ManipulationGraph::kNone, false);
  }
  while (!open.empty()) {
    guard_.count_work(32);
    const auto [cost, node] = open.top();
    open.pop();
    if (cost > goal.cost[node]) continue;
    for (const Node before : graph.predecessors(node)) improve(before, cost + 1, node, false);
    const PositionId position = graph.position(node);
    if (goal.position_cost[position] != kUnreachable) continue;
    goal.position_cost[position] = static_cast<uint16_t>(cost);
    // While a tool pushes, the agent may be anywhere. So the push leads to the cheapest region.
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId before = index.neighbour(position, opposite(action));
      if (before == kNoPosition || !(goal.tool_actions[before] >> action & 1)) continue;
      for (Node from = graph.first(before); from < graph.first(before + 1); ++from) {
        improve(from, cost + tool_cost_, node, true);
      }
    }
  }
}

template <int Words>
const typename ManipulationHeuristic<Words>::Distances&
ManipulationHeuristic<Words>::tool_distances(int tool_class, int object_class, PositionId position,
                                             int action) {
  auto& table = tool_distances_[static_cast<size_t>(tool_class) * classes_.count() + object_class];
  if (table.empty()) table.resize(classes_.index(object_class).size() * kNumActions);
  Distances& distances = table[static_cast<size_t>(position) * kNumActions + action];
  if (distances.empty()) {
    distances = find_tool_distances(tool_class, object_class, position, action);
  }
  return distances;
}

template <int Words>
typename ManipulationHeuristic<Words>::Distances ManipulationHeuristic<Words>::find_tool_distances(
    int tool_class, int object_class, PositionId position, int action) {
  const ManipulationGraph& graph = this->graph(tool_class);
  std::vector<Node> targets;
  contacts_.for_each(tool_class, object_class, position, action, [&](PositionId from) {
    for (Node node = graph.first(from); node < graph.first(from + 1); ++node) {
      if (graph.can_push(node, action)) targets.push_back(node);
    }
  });
  return graph.distances(targets, guard_);
}

template <int Words>
int ManipulationHeuristic<Words>::cost_with_tools(const PositionId* state, int object, Node node) {
  const Goal& goal = goals_[object - 1];
  const int object_class = classes_.of(object);
  const PositionId at = state[object];
  struct Push {
    int action;
    int cost;  // with the rest of the way
  };
  std::array<Push, kNumActions> pushes;
  size_t num_pushes = 0;
  for (int action = 0; action < kNumActions; ++action) {
    if (!(goal.tool_actions[at] >> action & 1)) continue;
    const int rest = goal.position_cost[classes_.index(object_class).neighbour(at, action)];
    if (rest != kUnreachable) pushes[num_pushes++] = {action, rest + 1};
  }
  int best = kInfinity;
  for (int tool = 1; tool < n_ && num_pushes > 0; ++tool) {
    if (tool == object) continue;
    guard_.count_work(8 * num_pushes);
    const int tool_class = classes_.of(tool);
    const Node where = graph(tool_class).node(state[tool], state[0]);
    for (size_t k = 0; k < num_pushes; ++k) {
      const auto [action, cost] = pushes[k];
      if (cost >= best) continue;
      const int approach = tool_distances(tool_class, object_class, at, action)[where];
      if (approach != kUnreachable) best = std::min(best, approach + cost);
    }
  }
  return best < kInfinity ? best : goal.cost[node] + tool_for_tool_cost_;
}

template <int Words>
const typename ManipulationHeuristic<Words>::Rows& ManipulationHeuristic<Words>::swept_cells(
    int object, Node node) {
  Goal& goal = goals_[object - 1];
  Rows& rows = goal.swept[node];
  if (!rows.empty()) return rows;
  rows.resize(world_.height());
  const ManipulationGraph& graph = graph_of(object);
  const int object_class = classes_.of(object);
  const auto sweep = [&](int object_class, Point at) {
    const Rows& shape = shape_rows_[object_class];
    guard_.count_work(shape.size() * Words);
    for (size_t k = 0; k < shape.size(); ++k) rows[at.y + k] |= shape[k].shifted(at.x);
  };
  for (Node at = node; goal.next[at] != ManipulationGraph::kNone; at = goal.next[at]) {
    const Node next = goal.next[at];
    sweep(object_class, classes_.index(object_class).point(graph.position(next)));
    if (goal.by_tool[at]) continue;
    for (const ManipulationGraph::Edge& edge : graph.edges_from(at)) {
      if (edge.to != next) continue;
      sweep(0, classes_.index(0).point(edge.agent));
      break;
    }
  }
  return rows;
}

template <int Words>
int ManipulationHeuristic<Words>::count_blockers(const PositionId* state, int object, Node node) {
  Goal& goal = goals_[object - 1];
  Blockers& known = goal.blockers[node % goal.blockers.size()];
  if (known.node != node) {
    known.node = node;
    known.count = 0;
    known.at.assign(n_, kNoPosition);
    known.at[object] = state[object];
    known.blocks.assign(n_, 0);
  }
  const Rows& swept = swept_cells(object, node);
  for (int other = 1; other < n_; ++other) {
    if (known.at[other] == state[other]) continue;
    known.at[other] = state[other];
    guard_.count_work(shape_rows_[classes_.of(other)].size() * Words);
    const bool is_blocker = blocks(swept, other, state[other]);
    known.count += int{is_blocker} - int{known.blocks[other]};
    known.blocks[other] = is_blocker;
  }
  return known.count;
}

template class ManipulationHeuristic<1>;
template class ManipulationHeuristic<4>;
template class ManipulationHeuristic<16>;

}  // namespace pushworld
