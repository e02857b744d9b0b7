#include "search/rankings.h"

#include <stdexcept>
#include <string>

namespace pushworld {
namespace {

constexpr int kMaxMovables = 63;  // sets of objects are single words

RecursiveGraphDistance make_distance(const ActionSpace& space, bool fewest_tools_first) {
  const int objects = static_cast<int>(space.num_objects());
  if (objects - 1 > kMaxMovables) {
    throw std::invalid_argument("the recursive graph distance takes at most " +
                                std::to_string(kMaxMovables) + " movable objects, the puzzle has " +
                                std::to_string(objects - 1));
  }
  return RecursiveGraphDistance(space.dynamics(), space.classes(), objects, fewest_tools_first);
}

}  // namespace

RgdRanking::RgdRanking(const ActionSpace& space, bool fewest_tools_first)
    : distance_(make_distance(space, fewest_tools_first)) {}

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
