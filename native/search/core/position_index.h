// Ids for the positions that objects can reach.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"

namespace pushworld {

using PositionId = uint32_t;
inline constexpr PositionId kNoPosition = UINT32_MAX;

// The positions that the objects of one class can reach if only walls stop them. Their ids are 0,
// 1, ... in row-major order. Objects of a class have the same shape, and the same walls stop them.
class PositionIndex {
 public:
  PositionIndex(const World& world, const std::vector<int>& objects, LimitGuard& guard);

  size_t size() const { return points_.size(); }
  Point point(PositionId id) const { return points_[id]; }
  // kNoPosition if the class cannot reach `p`.
  PositionId id(Point p) const {
    if (p.x < 0 || p.y < 0 || p.x >= width_ || p.y >= height_) return kNoPosition;
    return ids_[static_cast<size_t>(p.y) * width_ + p.x];
  }
  PositionId id_unchecked(int x, int y) const { return ids_[static_cast<size_t>(y) * width_ + x]; }
  PositionId neighbour(PositionId id, int action) const { return neighbours_[id][action]; }

  // The length of a shortest path from each position to the target, at most kUnreachable - 1.
  // kUnreachable if there is no path, or if the target is kNoPosition.
  std::pmr::vector<uint16_t> distances_to(PositionId target, LimitGuard& guard) const;

 private:
  int width_;
  int height_;
  std::pmr::vector<Point> points_;
  std::pmr::vector<PositionId> ids_;
  std::pmr::vector<std::array<PositionId, kNumActions>> neighbours_;
};

inline constexpr uint16_t kUnreachable = UINT16_MAX;

// Finds shortest walks between positions of a class.
class WalkFinder {
 public:
  explicit WalkFinder(const PositionIndex& index) : index_(index) {}

  // Looks for a walk through positions for which is_free(id). Returns whether there is one.
  template <typename IsFree>
  bool find(PositionId from, PositionId to, LimitGuard& guard, IsFree&& is_free) {
    actions_.assign(index_.size(), kNumActions);
    queue_.assign(1, to);  // search backward, to follow the walk forward
    for (size_t next = 0; next < queue_.size() && queue_[next] != from; ++next) {
      guard.count_work(4);
      for (int action = 0; action < kNumActions; ++action) {
        const PositionId before = index_.neighbour(queue_[next], opposite(action));
        if (before == kNoPosition || before == to || actions_[before] != kNumActions) continue;
        if (!is_free(before)) continue;
        actions_[before] = static_cast<uint8_t>(action);
        queue_.push_back(before);
      }
    }
    return from == to || actions_[from] != kNumActions;
  }

  // The next action from a position on the walk that was found.
  uint8_t action(PositionId at) const { return actions_[at]; }
  size_t num_visited() const { return queue_.size(); }

 private:
  const PositionIndex& index_;
  std::vector<uint8_t> actions_;
  std::vector<PositionId> queue_;
};

// Groups objects into classes. The agent alone is class 0; movables of equal shape form a class.
class ObjectClasses {
 public:
  ObjectClasses(const World& world, LimitGuard& guard);

  int count() const { return static_cast<int>(indices_.size()); }
  int of(int object) const { return class_of_[object]; }
  const PositionIndex& index(int class_id) const { return indices_[class_id]; }
  const PositionIndex& index_of(int object) const { return indices_[class_of_[object]]; }
  int shape_id(int class_id) const { return shape_of_[class_id]; }

  // The number of positions of each object.
  std::vector<size_t> sizes() const;
  // The ids of the positions of the object `first` and the next ones; kNoPosition where walls make
  // one unreachable.
  std::vector<PositionId> ids(const std::vector<Point>& points, int first = 0) const;

 private:
  std::vector<int> class_of_;
  std::vector<int> shape_of_;
  std::vector<PositionIndex> indices_;
};

// How far the goal objects are from their goals among walls.
class GoalDistances {
 public:
  GoalDistances(const World& world, const ObjectClasses& classes, LimitGuard& guard);

  // The largest distance in a state: no plan has fewer actions. kUnreachable if one has no way.
  uint32_t largest(const PositionId* state) const;

 private:
  std::vector<std::pmr::vector<uint16_t>> distances_;  // by goal and position
};

}  // namespace pushworld
