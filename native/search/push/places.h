// Objects at positions: what they push, and where they can get to.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"

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
inline Placed moved(const Placed& placed, int action, int steps) {
  return moved(placed, {kDeltas[action].x * steps, kDeltas[action].y * steps});
}

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
// no matter what pushes it. Ignores obstacles that it overlaps at first.
BitGrid reachable(const World& world, int object, const Places& obstacles);

// The goals of all goal objects but one.
Places goals_without(const World& world, int object);

// Where the agent can push each object by itself, among walls: neither other objects nor the object
// itself are in the agent's way.
class AgentReach {
 public:
  explicit AgentReach(const World& world);

  // Whether the object, or the agent, can be there.
  bool operator[](const Placed& placed);

 private:
  BitGrid find(int object) const;

  const World& world_;
  std::vector<BitGrid> reach_;  // of each object; that of the agent first, others when needed
};

// The agent and objects that move together with it by `action`, before their last push. Some may
// have waited on the way until the others reached them. Returns how many times each must have been
// pushed, if it waited as near as possible, but in the agent's reach; nothing if that is
// impossible. `at_home` are obstacles.
std::vector<int> pushes_in_reach(const World& world, AgentReach& reach, int action,
                                 const Places& body, const Places& at_home);

// Whether the agent cannot make the last push of any plan alone: there is no goal object that it
// pushes home when the others are there.
bool needs_layout(const World& world);

}  // namespace pushworld
