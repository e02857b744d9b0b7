// Where movables are in the way of something.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/world.h"

namespace pushworld {

// A set of positions for each shape. A stage has to bring movables away from them.
class ObstaclePositions {
 public:
  // The shape must outlive this object.
  void add(const Shape& shape, BitGrid positions) {
    entries_.emplace_back(&shape, std::move(positions));
  }
  bool has(const Shape& shape) const { return find(shape) != entries_.end(); }
  // Whether an object of this shape is in the way there.
  bool contains(const Shape& shape, Point at) const {
    const auto found = find(shape);
    return found != entries_.end() && found->second[at];
  }
  // The number of movables of a state that are in the way.
  int count(const World& world, const std::vector<Point>& state) const {
    int count = 0;
    for (int object = 1; object < world.num_objects(); ++object) {
      count += contains(world.shape_of(object), state[static_cast<size_t>(object)]);
    }
    return count;
  }

 private:
  using Entries = std::vector<std::pair<const Shape*, BitGrid>>;
  Entries::const_iterator find(const Shape& shape) const {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const auto& entry) { return entry.first->cells == shape.cells; });
  }

  Entries entries_;
};

}  // namespace pushworld
