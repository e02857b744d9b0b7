#include "search/action/evaluators.h"

namespace pushworld {
namespace {

// With two tools, a single state can take a tenth of a second, and the planner solves fewer puzzles
// in a given time.
constexpr int kMaxTools = 1;

}  // namespace

RgdEvaluator::RgdEvaluator(const ActionSpace& space, LimitGuard& guard, bool fewest_tools_first)
    : distance_(space.dynamics(), space.classes(), guard, static_cast<int>(space.num_objects()),
                fewest_tools_first) {}

OpenList::Rank RgdEvaluator::rank(const PositionId* state, std::span<const uint16_t>) {
  const int distance = distance_(state);
  return distance < kInfinity ? static_cast<OpenList::Rank>(distance) : kDeadEnd;
}

NoveltyRgdEvaluator::NoveltyRgdEvaluator(const ActionSpace& space, LimitGuard& guard,
                                         bool fewest_tools_first)
    : rgd_(space, guard, fewest_tools_first), novelty_(space.sizes(), guard) {}

OpenList::Rank NoveltyRgdEvaluator::rank(const PositionId* state, std::span<const uint16_t> moved) {
  const OpenList::Rank distance = rgd_.rank(state, moved);
  const int novelty = novelty_.record(state, moved);
  if (distance == kDeadEnd) return kDeadEnd;
  return static_cast<OpenList::Rank>(novelty) << 32 | distance;
}

CeaEvaluator::CeaEvaluator(const ActionSpace& space, LimitGuard& guard)
    : heuristic_(space.dynamics(), space.classes(), guard, kMaxTools) {}

OpenList::Rank CeaEvaluator::rank(const PositionId* state, std::span<const uint16_t>) {
  // A state with an infinite value need not be a dead end: the objects of a chain may have to push
  // each other, which the heuristic does not model. Such states have the highest rank.
  const int value = heuristic_(state);
  return heuristic_.is_dead_end() ? kDeadEnd : static_cast<OpenList::Rank>(value);
}

}  // namespace pushworld
