#include "search/rgd.h"

#include <algorithm>

namespace pushworld {

RecursiveGraphDistance::RecursiveGraphDistance(const Dynamics& dynamics,
                                               const ObjectClasses& classes, int max_tools)
    : dynamics_(dynamics),
      classes_(classes),
      n_(dynamics.world().num_objects()),
      max_tools_(std::min(max_tools, n_)),
      contact_distances_(static_cast<size_t>(classes.count()) * classes.count()) {
  const World& world = dynamics.world();
  for (int goal = 0; goal < world.num_goals(); ++goal) {
    const PositionIndex& index = classes.index_of(goal + 1);
    const PositionId target = index.id(world.goals()[goal]);
    std::vector<PositionId> targets;
    if (target != kNoPosition) targets.push_back(target);
    goal_distances_.push_back(index.distances(targets));
  }
}

const uint16_t* RecursiveGraphDistance::contact_distances(int pusher_class, int pushed_class,
                                                          PositionId pushed, int action) {
  auto& table = contact_distances_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
  const PositionIndex& pushed_index = classes_.index(pushed_class);
  if (table.empty()) {
    table.resize(pushed_index.size() * kNumActions);
    bytes_ += table.size() * sizeof(Distances);
  }
  Distances& distances = table[static_cast<size_t>(pushed) * kNumActions + action];
  if (!distances) {
    const World& world = dynamics_.world();
    const PositionIndex& pusher_index = classes_.index(pusher_class);
    const int pusher_shape = classes_.shape_id(pusher_class);
    const int pushed_shape = classes_.shape_id(pushed_class);
    const Shape& a = world.shape(pusher_shape);
    const Shape& b = world.shape(pushed_shape);
    const Point at = pushed_index.point(pushed);
    std::vector<PositionId> contacts;
    for (int dy = -b.height; dy <= a.height; ++dy) {
      for (int dx = -b.width; dx <= a.width; ++dx) {
        if (!dynamics_.push_table().pushes(action, pusher_shape, pushed_shape, {dx, dy})) continue;
        // Where the pusher overlaps the pushed object already, it cannot stand.
        if (overlap(a, b, {dx, dy})) continue;
        const PositionId start = pusher_index.id(at - Point{dx, dy});
        if (start == kNoPosition || pusher_index.neighbour(start, action) == kNoPosition) continue;
        contacts.push_back(start);
      }
    }
    const std::vector<uint16_t> computed = pusher_index.distances(contacts);
    distances = std::make_unique_for_overwrite<uint16_t[]>(computed.size());
    std::copy(computed.begin(), computed.end(), distances.get());
    bytes_ += computed.size() * sizeof(uint16_t);
  }
  return distances.get();
}

int RecursiveGraphDistance::operator()(const PositionId* state) {
  int total = 0;
  for (int goal = 0; goal < static_cast<int>(goal_distances_.size()); ++goal) {
    const int cost = goal_cost(state, goal);
    if (cost >= kInfinity) return kInfinity;
    total += cost;
  }
  return total;
}

int RecursiveGraphDistance::goal_cost(const PositionId* state, int goal) {
  const int object = goal + 1;
  const std::vector<uint16_t>& to_goal = goal_distances_[goal];
  const PositionId at = state[object];
  if (to_goal[at] == 0) return 0;
  if (to_goal[at] == kUnreachable) return kInfinity;
  const PositionIndex& index = classes_.index_of(object);
  for (int depth = 0; depth <= max_tools_; ++depth) {
    int best = kInfinity;
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId next = index.neighbour(at, action);
      if (next == kNoPosition) continue;
      const int distance = to_goal[next];
      if (distance >= best) continue;
      best = std::min(best, distance + pushing_cost(state, object, action, uint64_t{1} << object,
                                                    depth, best - distance));
    }
    if (best < kInfinity) return best;
  }
  return kInfinity;
}

int RecursiveGraphDistance::pushing_cost(const PositionId* state, int object, int action,
                                         uint64_t used, int depth, int bound) {
  const int pushed_class = classes_.of(object);
  const int from_agent = contact_distances(0, pushed_class, state[object], action)[state[0]];
  int best = bound;
  if (from_agent != kUnreachable) best = std::min(best, from_agent + 1);
  if (depth == 0) return best;
  for (int pusher = 1; pusher < n_; ++pusher) {
    if (used >> pusher & 1) continue;
    const uint16_t* distances =
        contact_distances(classes_.of(pusher), pushed_class, state[object], action);
    if (distances[state[pusher]] == kUnreachable) continue;
    const PositionIndex& index = classes_.index_of(pusher);
    for (int first = 0; first < kNumActions; ++first) {
      const PositionId next = index.neighbour(state[pusher], first);
      if (next == kNoPosition) continue;
      const bool simultaneous = distances[state[pusher]] == 0 && first == action;
      const int distance = simultaneous ? 0 : distances[next] + 1;
      if (distance >= best) continue;
      best = std::min(best, distance + pushing_cost(state, pusher, first,
                                                    used | uint64_t{1} << pusher, depth - 1,
                                                    best - distance));
    }
  }
  return best;
}

}  // namespace pushworld
