// Objects at positions, and where they can get to.
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

inline Placed moved(const Placed& placed, int action, int steps = 1) {
  const Point delta = kDeltas[action];
  return {placed.object, placed.at + Point{delta.x * steps, delta.y * steps}};
}
inline bool overlap(const World& world, const Placed& a, const Placed& b) {
  return overlap(world.shape_of(a.object), world.shape_of(b.object), b.at - a.at);
}
inline bool overlaps_any(const World& world, const Placed& a, const Places& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Placed& other) { return overlap(world, a, other); });
}

inline Places goals_of(const World& world) {
  Places places;
  for (const Point goal : world.goals()) {
    places.push_back({static_cast<int>(places.size()) + 1, goal});
  }
  return places;
}

// The positions that an object reaches by steps among walls for which can_step(from, action), no
// matter what pushes it.
template <typename CanStep>
BitGrid reachable(const World& world, int object, CanStep&& can_step) {
  BitGrid seen(world.width(), world.height());
  std::vector<Point> stack = {world.start()[static_cast<size_t>(object)]};
  seen.set(stack[0]);
  while (!stack.empty()) {
    const Point at = stack.back();
    stack.pop_back();
    for (int action = 0; action < kNumActions; ++action) {
      const Point next = at + kDeltas[action];
      if (!world.is_legal(object, next) || seen[next] || !can_step(at, action)) continue;
      seen.set(next);
      stack.push_back(next);
    }
  }
  return seen;
}
// The same among obstacles. Ignores those that it overlaps at first.
inline BitGrid reachable_among(const World& world, int object, const Places& obstacles) {
  const Shape& shape = world.shape_of(object);
  BitGrid closed(world.width(), world.height());
  for (const Placed& obstacle : obstacles) {
    if (overlap(world, {object, world.start()[static_cast<size_t>(object)]}, obstacle)) continue;
    closed.add_moved(overlaps(world.shape_of(obstacle.object), shape, ignore_checkpoint),
                     obstacle.at - Point{shape.width, shape.height});
  }
  return reachable(world, object,
                   [&](Point at, int action) { return !closed[at + kDeltas[action]]; });
}

}  // namespace pushworld
