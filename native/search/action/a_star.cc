#include "search/action/a_star.h"

#include <vector>

#include "search/core/open_list.h"
#include "search/heuristics/lower_bound.h"

namespace pushworld {
namespace {

// The label of a node: its depth and its last action.
uint32_t make_label(uint32_t depth, int action) {
  return depth << 2 | static_cast<uint32_t>(action);
}
uint32_t depth_of(uint32_t label) { return label >> 2; }

// Orders by f = depth + heuristic, then by the heuristic.
OpenList::Rank make_rank(uint32_t depth, int heuristic) {
  return uint64_t{depth + static_cast<uint32_t>(heuristic)} << 32 |
         static_cast<uint32_t>(heuristic);
}
uint32_t depth_of_rank(OpenList::Rank rank) {
  return static_cast<uint32_t>(rank >> 32) - static_cast<uint32_t>(rank);
}

}  // namespace

Status a_star_search(ActionSpace& space, uint64_t seed, LimitGuard& guard) {
  SearchResult& result = guard.result();
  NodeStore nodes(space.sizes(), guard);
  OpenList open(guard.memory());
  LowerBound lower_bound(space.dynamics(), space.classes(), guard);
  const std::array<int, kNumActions> actions = action_order(seed);
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> child(state.size());

  const auto reach = [&](const PositionId* reached, NodeId parent, uint32_t depth, int action) {
    const uint32_t label = make_label(depth, action);
    const auto [node, is_new] = nodes.insert(reached, parent, label);
    if (!is_new) {
      if (depth >= depth_of(nodes.label(node))) return;
      nodes.set_parent(node, parent, label);
    }
    result.states += is_new;
    ++result.evaluated;
    const int heuristic = lower_bound(reached);
    if (heuristic < kInfinity) open.push(make_rank(depth, heuristic), node);
  };

  guard.check();
  reach(state.data(), kNoNode, 0, 0);
  while (!open.empty()) {
    const auto [rank, node] = open.pop();
    const uint32_t depth = depth_of_rank(rank);
    if (depth != depth_of(nodes.label(node))) continue;  // reopened with a shorter path
    guard.update_best(static_cast<int>(rank & UINT32_MAX));
    nodes.read(node, state.data());
    if (space.is_solved(state.data())) {
      result.plan = nodes.actions_to(node);
      return Status::kSolved;
    }
    guard.count_expansion();
    space.enter(state.data());
    for (const int action : actions) {
      if (space.successor(action, child.data()).empty()) continue;
      ++result.generated;
      reach(child.data(), node, depth + 1, action);
    }
  }
  return Status::kUnsolvable;
}

}  // namespace pushworld
