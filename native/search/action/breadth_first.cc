#include "search/action/breadth_first.h"

#include <vector>

#include "search/core/node_store.h"

namespace pushworld {

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
