#include "search/action/breadth_first.h"

#include <vector>

#include "search/core/limit_guard.h"
#include "search/core/node_store.h"

namespace pushworld {

// Nodes are numbered as they are reached, so the numbers themselves are the queue.
SearchResult breadth_first_search(ActionSpace& space, uint64_t seed, Control& control) {
  SearchResult result;
  NodeStore nodes(space.sizes());
  LimitGuard guard(
      control, result, [&] { return space.bytes() + nodes.bytes(); },
      [&] { return space.bytes() + nodes.bytes_while_adding(LimitGuard::kMaxNewStates); });
  const std::array<int, kNumActions> actions = action_order(seed);
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> child(state.size());

  const auto reach = [&](const PositionId* reached, NodeId parent, int action) {
    const auto [node, is_new] = nodes.insert(reached, parent, static_cast<uint32_t>(action));
    if (!is_new) return false;
    ++result.states;
    if (!space.is_solved(reached)) return false;
    result.status = Status::kSolved;
    result.plan = nodes.actions_to(node);
    return true;
  };

  try {
    guard.check();
    bool solved = reach(state.data(), kNoNode, 0);
    for (NodeId node = 0; !solved && node < nodes.size(); ++node) {
      guard.count_expansion();
      nodes.read(node, state.data());
      space.enter(state.data());
      for (const int action : actions) {
        if (space.successor(action, child.data()).empty()) continue;
        ++result.generated;
        solved = reach(child.data(), node, action);
        if (solved) break;
      }
    }
    if (!solved) result.status = Status::kUnsolvable;
    guard.finish();
  } catch (const SearchStopped&) {
    // The status is set.
  }
  return result;
}

}  // namespace pushworld
