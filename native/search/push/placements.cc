#include "search/push/placements.h"

namespace pushworld {
namespace {

// Whether the agent can make a last push that brings the object there, among walls and `at_home`.
bool can_push_to(const World& world, const Placed& placed, const Places& at_home) {
  for (int action = 0; action < kNumActions; ++action) {
    const Placed before = moved(placed, kDeltas[opposite(action)]);
    if (!world.is_legal(before.object, before.at)) continue;
    if (overlaps_any(world, before, at_home)) continue;
    Places obstacles = at_home;
    obstacles.push_back(before);
    const BitGrid walks = reachable(world, 0, obstacles);
    bool can_push = false;
    for_each_contact(world, 0, before, action, [&](Point at) {
      can_push |= walks[at] && !overlaps_any(world, {0, at + kDeltas[action]}, at_home);
    });
    if (can_push) return true;
  }
  return false;
}

}  // namespace

BitGrid reachable(const World& world, int object, const Places& obstacles) {
  const Placed start = {object, world.start()[static_cast<size_t>(object)]};
  const Shape& shape = world.shape_of(object);
  BitGrid blocked(world.width(), world.height());
  for (const Placed& obstacle : obstacles) {
    if (overlap_at(world, start, obstacle)) continue;
    blocked.add_moved(overlaps(world.shape_of(obstacle.object), shape, ignore_checkpoint),
                      obstacle.at - Point{shape.width, shape.height});
  }
  BitGrid seen(world.width(), world.height());
  std::vector<Point> stack;
  const auto visit = [&](Point p) {
    if (!world.is_legal(object, p) || seen[p] || blocked[p]) return;
    seen.set(p);
    stack.push_back(p);
  };
  visit(start.at);
  while (!stack.empty()) {
    const Point p = stack.back();
    stack.pop_back();
    for (const Point delta : kDeltas) visit(p + delta);
  }
  return seen;
}

Places goals_without(const World& world, int object) {
  Places places;
  for (int goal = 1; goal <= world.num_goals(); ++goal) {
    if (goal != object) places.push_back({goal, world.goals()[static_cast<size_t>(goal) - 1]});
  }
  return places;
}

bool is_in_reach(const World& world, const BitGrid& walks, const Placed& placed) {
  if (world.start()[static_cast<size_t>(placed.object)] == placed.at) return true;
  bool can_push = false;
  for (int action = 0; action < kNumActions && !can_push; ++action) {
    const Placed before = moved(placed, kDeltas[opposite(action)]);
    if (!world.is_legal(before.object, before.at)) continue;
    for_each_contact(world, 0, before, action, [&](Point at) { can_push |= walks[at]; });
  }
  return can_push;
}

bool needs_layout(const World& world) {
  for (int goal = 1; goal <= world.num_goals(); ++goal) {
    const Point home = world.goals()[static_cast<size_t>(goal) - 1];
    if (can_push_to(world, {goal, home}, goals_without(world, goal))) return false;
  }
  return world.num_goals() > 0;
}

}  // namespace pushworld
