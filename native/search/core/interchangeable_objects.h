// Symmetry reduction: a canonical form for states with interchangeable objects.
#pragma once

#include <vector>

#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// Objects without goals are interchangeable if they have the same shape. States that differ only by
// a permutation of interchangeable objects are equivalent. In the canonical form, the positions of
// each group of interchangeable objects ascend.
class InterchangeableObjects {
 public:
  InterchangeableObjects(const World& world, const ObjectClasses& classes);

  // Replaces the state by its canonical form. Returns whether that renames objects.
  bool canonicalize(PositionId* state);

  // Renames objects as the last call of `canonicalize` did.
  template <int Words>
  ObjectSet<Words> canonical_names(const ObjectSet<Words>& objects) const {
    if (!any_renamed_) return objects;
    ObjectSet<Words> result;
    objects.for_each([&](int object) { result.set(new_name_[object]); });
    return result;
  }

 private:
  std::vector<std::vector<int>> groups_;
  std::vector<int> new_name_;  // of each object, in the last canonical form
  std::vector<int> scratch_;
  bool any_renamed_ = false;
};

}  // namespace pushworld
