// Objects at positions: what they push, and where they can get to.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/world.h"

namespace pushworld {

struct Placed {
  int object;
  Point at;
  friend bool operator==(const Placed&, const Placed&) = default;
};
using Places = std::vector<Placed>;

inline bool overlap_at(const World& world, const Placed& a, const Placed& b) {
  return overlap(world.shape_of(a.object), world.shape_of(b.object), b.at - a.at);
}
inline bool overlaps_any(const World& world, const Placed& a, const Places& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Placed& other) { return overlap_at(world, a, other); });
}
inline Placed moved(const Placed& placed, Point by) { return {placed.object, placed.at + by}; }

// Calls visit(position) for each position of `pusher` at which its next step by `action` pushes an
// object.
template <typename Visit>
void for_each_contact(const World& world, int pusher, const Placed& pushed, int action,
                      Visit&& visit) {
  const Shape& shape = world.shape_of(pusher);
  const Shape& other = world.shape_of(pushed.object);
  for (int y = pushed.at.y - shape.height; y <= pushed.at.y + other.height; ++y) {
    for (int x = pushed.at.x - shape.width; x <= pushed.at.x + other.width; ++x) {
      const Placed before = {pusher, {x, y}};
      const Placed after = moved(before, kDeltas[action]);
      if (!world.is_legal(pusher, before.at) || !world.is_legal(pusher, after.at)) continue;
      if (overlap_at(world, before, pushed) || !overlap_at(world, after, pushed)) continue;
      visit(before.at);
    }
  }
}

// The positions that an object reaches from its initial one by steps among walls and `obstacles`,
// whoever pushes it. Ignores obstacles that it overlaps at first.
BitGrid reachable(const World& world, int object, const Places& obstacles);

// The goals of all goal objects but one.
Places goals_without(const World& world, int object);

// Whether the object is at this place, or the agent, which can walk to `walks`, can push it there.
bool is_in_reach(const World& world, const BitGrid& walks, const Placed& placed);

// Whether the agent cannot make the last push of any plan alone: there is no goal object that it
// pushes home when the others are there.
bool needs_layout(const World& world);

}  // namespace pushworld
