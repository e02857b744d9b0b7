#include "generate/canonical.h"

#include <algorithm>
#include <utility>

namespace pushworld {
namespace {

enum Role : uint64_t { kWall = 1, kAgent, kMovable, kGoal };

// Adds up the hashes of the parts, so the result does not depend on the order of objects.
uint64_t hash_after(int symmetry, const Draft& draft) {
  int width = draft.width, height = draft.height;
  if (symmetry & 4) std::swap(width, height);
  const auto hash_cell = [&](Role role, Point p) {
    if (symmetry & 1) p.x = draft.width - 1 - p.x;
    if (symmetry & 2) p.y = draft.height - 1 - p.y;
    if (symmetry & 4) std::swap(p.x, p.y);
    return mix(role << 48 | static_cast<uint64_t>(p.y) << 24 | static_cast<uint64_t>(p.x));
  };
  const auto hash_shape = [&](Role role, const Cells& shape, Point position) {
    uint64_t sum = 0;
    for (const Point cell : shape) sum += hash_cell(role, position + cell);
    return sum;
  };
  uint64_t sum = mix(static_cast<uint64_t>(height) << 24 | static_cast<uint64_t>(width));
  for (const Point wall : draft.walls) sum += hash_cell(kWall, wall);
  sum += mix(hash_shape(kAgent, *draft.objects[0].shape, draft.objects[0].start));
  for (int i = 1; i < static_cast<int>(draft.objects.size()); ++i) {
    const DraftObject& object = draft.objects[i];
    uint64_t hash = hash_shape(kMovable, *object.shape, object.start);
    if (i <= draft.num_goals) hash += hash_shape(kGoal, *object.shape, object.goal);
    sum += mix(hash);
  }
  return mix(sum);
}

}  // namespace

uint64_t canonical_hash(const Draft& draft) {
  uint64_t smallest = UINT64_MAX;
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    smallest = std::min(smallest, hash_after(symmetry, draft));
  }
  return smallest;
}

}  // namespace pushworld
