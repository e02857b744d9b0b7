#include "search/action/action_searches.h"

#include <numeric>
#include <vector>

#include "search/core/node_store.h"

namespace pushworld {

Status best_first_search(ActionSpace& space, Evaluator& evaluator, uint64_t seed,
                         LimitGuard& guard) {
  SearchResult& result = guard.result();
  NodeStore nodes(space.sizes(), guard);
  OpenList open(guard.memory());
  const std::array<int, kNumActions> actions = action_order(seed);
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> child(state.size());

  // Returns whether the state is new and solves the puzzle.
  const auto reach = [&](const PositionId* reached, NodeId parent, int action,
                         std::span<const uint16_t> moved) {
    const auto [node, is_new] = nodes.insert(reached, parent, static_cast<uint32_t>(action));
    if (!is_new) return false;
    ++result.states;
    if (space.is_solved(reached)) {
      result.plan = nodes.actions_to(node);
      return true;
    }
    ++result.evaluated;
    const OpenList::Rank rank = evaluator.rank(reached, moved);
    if (rank != Evaluator::kDeadEnd) {
      guard.update_best(static_cast<int>(rank & UINT32_MAX));
      open.push(rank, node);
    }
    return false;
  };

  guard.check();
  std::vector<uint16_t> all(state.size());
  std::iota(all.begin(), all.end(), uint16_t{0});
  if (reach(state.data(), kNoNode, 0, all)) return Status::kSolved;
  while (!open.empty()) {
    const NodeId node = open.pop().second;
    guard.count_expansion();
    nodes.read(node, state.data());
    space.enter(state.data());
    for (const int action : actions) {
      const auto moved = space.successor(action, child.data());
      if (moved.empty()) continue;
      ++result.generated;
      if (reach(child.data(), node, action, moved)) return Status::kSolved;
    }
  }
  return Status::kUnsolvable;
}

// Node ids ascend in the order of generation, so they serve as the queue.
Status breadth_first_search(ActionSpace& space, uint64_t seed, LimitGuard& guard) {
  SearchResult& result = guard.result();
  NodeStore nodes(space.sizes(), guard);
  const std::array<int, kNumActions> actions = action_order(seed);
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> child(state.size());

  const auto reach = [&](const PositionId* reached, NodeId parent, int action) {
    const auto [node, is_new] = nodes.insert(reached, parent, static_cast<uint32_t>(action));
    if (!is_new) return false;
    ++result.states;
    if (!space.is_solved(reached)) return false;
    result.plan = nodes.actions_to(node);
    return true;
  };

  guard.check();
  if (reach(state.data(), kNoNode, 0)) return Status::kSolved;
  for (NodeId node = 0; node < nodes.size(); ++node) {
    guard.count_expansion();
    nodes.read(node, state.data());
    space.enter(state.data());
    for (const int action : actions) {
      if (space.successor(action, child.data()).empty()) continue;
      ++result.generated;
      if (reach(child.data(), node, action)) return Status::kSolved;
    }
  }
  return Status::kUnsolvable;
}

}  // namespace pushworld
