#include "search/push/places.h"

#include <array>
#include <optional>
#include <utility>

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

// The positions that an object reaches from its initial one by steps among walls for which
// can_step(position before, action).
template <typename CanStep>
BitGrid flood(const World& world, int object, CanStep&& can_step) {
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

}  // namespace

BitGrid reachable(const World& world, int object, const Places& obstacles) {
  const Shape& shape = world.shape_of(object);
  const Placed start = {object, world.start()[static_cast<size_t>(object)]};
  BitGrid blocked(world.width(), world.height());
  for (const Placed& obstacle : obstacles) {
    if (overlap_at(world, start, obstacle)) continue;
    blocked.add_moved(overlaps(world.shape_of(obstacle.object), shape, ignore_checkpoint),
                      obstacle.at - Point{shape.width, shape.height});
  }
  return flood(world, object, [&](Point at, int action) { return !blocked[at + kDeltas[action]]; });
}

Places goals_without(const World& world, int object) {
  Places places;
  for (int goal = 1; goal <= world.num_goals(); ++goal) {
    if (goal != object) places.push_back({goal, world.goals()[static_cast<size_t>(goal) - 1]});
  }
  return places;
}

AgentReach::AgentReach(const World& world)
    : world_(world), reach_(static_cast<size_t>(world.num_objects())) {
  reach_[0] = reachable(world, 0, {});
}

bool AgentReach::operator[](const Placed& placed) {
  BitGrid& reach = reach_[static_cast<size_t>(placed.object)];
  if (reach.height() == 0) reach = find(placed.object);
  return reach.contains(placed.at) && reach[placed.at];
}

BitGrid AgentReach::find(int object) const {
  // The agent's positions, relative to those of the object, from which it pushes.
  std::array<std::vector<Point>, kNumActions> contacts;
  const Shape& agent = world_.shape_of(0);
  const Shape& shape = world_.shape_of(object);
  for (int action = 0; action < kNumActions; ++action) {
    for (int y = -agent.height; y <= shape.height; ++y) {
      for (int x = -agent.width; x <= shape.width; ++x) {
        const Point from = {x, y};
        const bool pushes =
            !overlap(shape, agent, from) && overlap(shape, agent, from + kDeltas[action]);
        if (pushes) contacts[static_cast<size_t>(action)].push_back(from);
      }
    }
  }
  return flood(world_, object, [&](Point at, int action) {
    const auto& from = contacts[static_cast<size_t>(action)];
    return std::any_of(from.begin(), from.end(), [&](Point contact) {
      const Point before = at + contact;
      return world_.is_legal(0, before) && reach_[0][before] &&
             world_.is_legal(0, before + kDeltas[action]);
    });
  });
}

std::vector<int> pushes_in_reach(const World& world, AgentReach& reach, int action,
                                 const Places& body, const Places& at_home) {
  const int back = opposite(action);
  std::vector<int> pushes(body.size(), 1);
  const auto start_of = [&](size_t i) { return moved(body[i], back, pushes[i] - 1); };
  const auto is_free = [&](const Placed& placed) {
    return world.is_legal(placed.object, placed.at) && !overlaps_any(world, placed, at_home);
  };
  // Whether object i must have been pushed more often, because object j would meet it earlier.
  const auto is_late = [&](size_t i, size_t j) {
    for (int steps = 1; steps <= pushes[j] - pushes[i]; ++steps) {
      if (overlap_at(world, body[i], moved(body[j], back, steps))) return true;
    }
    return false;
  };
  for (bool is_final = false; !is_final;) {
    is_final = true;
    for (size_t i = 0; i < body.size(); ++i) {
      bool goes_back = !reach[start_of(i)];
      for (size_t j = 0; j < body.size() && !goes_back; ++j) goes_back = is_late(i, j);
      if (!goes_back) continue;
      ++pushes[i];
      if (!is_free(start_of(i))) return {};
      is_final = false;
    }
  }
  return pushes;
}

bool needs_layout(const World& world) {
  for (int goal = 1; goal <= world.num_goals(); ++goal) {
    const Point home = world.goals()[static_cast<size_t>(goal) - 1];
    if (can_push_to(world, {goal, home}, goals_without(world, goal))) return false;
  }
  return world.num_goals() > 0;
}

}  // namespace pushworld
