#include "search/rankings.h"

namespace pushworld {

RgdRanking::RgdRanking(const ActionSpace& space, bool fewest_tools_first)
    : distance_(space.dynamics(), space.classes(), static_cast<int>(space.num_objects()),
                fewest_tools_first) {}

OpenList::Rank RgdRanking::rank(const PositionId* state, std::span<const uint16_t>) {
  const int distance = distance_(state);
  return distance < kInfinity ? static_cast<OpenList::Rank>(distance) : kDeadEnd;
}

NoveltyRgdRanking::NoveltyRgdRanking(const ActionSpace& space, bool fewest_tools_first)
    : rgd_(space, fewest_tools_first), novelty_(space.sizes()) {}

OpenList::Rank NoveltyRgdRanking::rank(const PositionId* state, std::span<const uint16_t> moved) {
  const OpenList::Rank distance = rgd_.rank(state, moved);
  const int novelty = novelty_.record(state, moved);
  if (distance == kDeadEnd) return kDeadEnd;
  return static_cast<OpenList::Rank>(novelty) << 32 | distance;
}

}  // namespace pushworld
