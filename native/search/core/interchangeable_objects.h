// Objects that may trade places without a difference.
#pragma once

#include <vector>

#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// The movables of one shape without goals are interchangeable: states that differ only in which of
// them stands where are the same state, written with their positions in order.
class InterchangeableObjects {
 public:
  InterchangeableObjects(const World& world, const ObjectClasses& classes);

  // Puts the positions of interchangeable in order.
  void sort(PositionId* state);

  // Returns a set of objects as it is called after the last `sort`.
  template <int Words>
  ObjectSet<Words> renamed(const ObjectSet<Words>& objects) const {
    if (!any_renamed_) return objects;
    ObjectSet<Words> result;
    objects.for_each([&](int object) { result.set(new_name_[object]); });
    return result;
  }

 private:
  std::vector<std::vector<int>> groups_;
  std::vector<int> new_name_;  // of each object
  std::vector<int> scratch_;
  bool any_renamed_ = false;
};

}  // namespace pushworld
