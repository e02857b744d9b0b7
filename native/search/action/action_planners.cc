#include "search/action/action_planners.h"

#include <numeric>
#include <vector>

#include "search/action/evaluators.h"
#include "search/core/node_store.h"

namespace pushworld {
namespace {

// Greedy best-first search: evaluates states when they are generated and never reopens them. Ties
// are first in, first out. Without an evaluator, breadth-first search: node ids ascend in the order
// of generation, so they serve as the queue. Complete: returns kUnsolvable only after it has
// expanded all reachable states except dead ends.
Status search(ActionSpace& space, Evaluator* evaluator, uint64_t seed, LimitGuard& guard) {
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
    if (!evaluator) return false;
    ++result.evaluated;
    const OpenList::Rank rank = evaluator->rank(reached, moved);
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
  for (NodeId oldest = 0; evaluator ? !open.empty() : oldest < nodes.size(); ++oldest) {
    const NodeId node = evaluator ? open.pop().second : oldest;
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

template <typename Chosen>
SearchResult solve_greedily(const Dynamics& dynamics, uint64_t seed, Control& control) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    ActionSpace space(dynamics, guard);
    Chosen evaluator(space, guard);
    return search(space, &evaluator, seed, guard);
  });
  return guard.result();
}

}  // namespace

SearchResult solve_breadth_first(const Dynamics& dynamics, uint64_t seed, Control& control) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    ActionSpace space(dynamics, guard);
    return search(space, nullptr, seed, guard);
  });
  return guard.result();
}

SearchResult solve_rgd(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return solve_greedily<RgdEvaluator>(dynamics, seed, control);
}

SearchResult solve_novelty_rgd(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return solve_greedily<NoveltyRgdEvaluator>(dynamics, seed, control);
}

SearchResult solve_cea(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return solve_greedily<CeaEvaluator>(dynamics, seed, control);
}

}  // namespace pushworld
