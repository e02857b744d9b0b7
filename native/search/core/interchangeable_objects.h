// Objects that can trade places without changing what is possible.
#pragma once

#include <vector>

#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// Movables of one shape without goals are interchangeable. States that differ only in which of them
// stands where are one state. Its canonical form has their positions in ascending order.
class InterchangeableObjects {
 public:
  InterchangeableObjects(const World& world, const ObjectClasses& classes);

  // Sorts the positions of interchangeable objects.
  void canonicalize(PositionId* state);

  // Returns the objects that stand, in the last canonical form, where these stood before.
  template <int Words>
  ObjectSet<Words> canonical_names(const ObjectSet<Words>& objects) const {
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
