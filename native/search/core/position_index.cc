#include "search/core/position_index.h"

#include <algorithm>

namespace pushworld {

PositionIndex::PositionIndex(const World& world, const std::vector<int>& objects, LimitGuard& guard)
    : width_(world.width()),
      height_(world.height()),
      points_(&guard.memory()),
      ids_(static_cast<size_t>(width_) * height_, kNoPosition, &guard.memory()),
      neighbours_(&guard.memory()) {
  BitGrid reached(width_, height_);
  std::pmr::vector<Point> queue(&guard.memory());
  const auto visit = [&](Point p) {
    if (world.is_legal(objects[0], p) && !reached[p]) {
      reached.set(p);
      queue.push_back(p);
    }
  };
  for (const int object : objects) visit(world.start()[object]);
  for (size_t next = 0; next < queue.size(); ++next) {
    guard.count_work(4);
    const Point from = queue[next];
    for (const Point delta : kDeltas) visit(from + delta);
  }
  points_.reserve(queue.size());
  reached.for_each([&](Point p) {
    ids_[static_cast<size_t>(p.y) * width_ + p.x] = static_cast<PositionId>(points_.size());
    points_.push_back(p);
    guard.count_work(1);
  });
  neighbours_.reserve(points_.size());
  for (const Point p : points_) {
    guard.count_work(4);
    auto& around = neighbours_.emplace_back();
    for (int action = 0; action < kNumActions; ++action) around[action] = id(p + kDeltas[action]);
  }
}

std::pmr::vector<uint16_t> PositionIndex::distances_to(PositionId target, LimitGuard& guard) const {
  std::pmr::vector<uint16_t> distance(size(), kUnreachable, points_.get_allocator());
  if (target == kNoPosition) return distance;
  distance[target] = 0;
  std::pmr::vector<PositionId> queue({target}, points_.get_allocator());
  queue.reserve(size());
  for (size_t next = 0; next < queue.size(); ++next) {
    guard.count_work(4);
    const PositionId from = queue[next];
    for (const PositionId to : neighbours_[from]) {
      if (to == kNoPosition || distance[to] != kUnreachable) continue;
      distance[to] = static_cast<uint16_t>(std::min<int>(distance[from] + 1, kUnreachable - 1));
      queue.push_back(to);
    }
  }
  return distance;
}

ObjectClasses::ObjectClasses(const World& world, LimitGuard& guard) {
  std::vector<std::vector<int>> members;
  for (int object = 0; object < world.num_objects(); ++object) {
    int found = -1;
    for (int c = 1; object > 0 && c < static_cast<int>(members.size()); ++c) {
      if (shape_of_[c] == world.shape_id(object)) found = c;
    }
    if (found < 0) {
      found = static_cast<int>(members.size());
      members.emplace_back();
      shape_of_.push_back(world.shape_id(object));
    }
    class_of_.push_back(found);
    members[found].push_back(object);
  }
  for (const std::vector<int>& objects : members) {
    guard.check();
    indices_.emplace_back(world, objects, guard);
  }
}

std::vector<size_t> ObjectClasses::sizes() const {
  std::vector<size_t> sizes;
  for (const int class_id : class_of_) sizes.push_back(indices_[class_id].size());
  return sizes;
}

std::vector<PositionId> ObjectClasses::ids(const std::vector<Point>& points, int first) const {
  std::vector<PositionId> ids;
  for (const Point point : points) ids.push_back(index_of(first++).id(point));
  return ids;
}

GoalDistances::GoalDistances(const World& world, const ObjectClasses& classes, LimitGuard& guard) {
  const std::vector<PositionId> goals = classes.ids(world.goals(), 1);
  for (int goal = 0; goal < world.num_goals(); ++goal) {
    distances_.push_back(classes.index_of(goal + 1).distances_to(goals[goal], guard));
  }
}

uint32_t GoalDistances::largest(const PositionId* state) const {
  uint32_t largest = 0;
  for (size_t goal = 0; goal < distances_.size(); ++goal) {
    largest = std::max<uint32_t>(largest, distances_[goal][state[goal + 1]]);
  }
  return largest;
}

}  // namespace pushworld
