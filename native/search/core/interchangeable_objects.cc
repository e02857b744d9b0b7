#include "search/core/interchangeable_objects.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pushworld {

InterchangeableObjects::InterchangeableObjects(const World& world, const ObjectClasses& classes)
    : new_name_(world.num_objects()) {
  for (int object = world.num_goals() + 1; object < world.num_objects(); ++object) {
    const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
      return classes.of(group[0]) == classes.of(object);
    });
    if (same == groups_.end()) {
      groups_.push_back({object});
    } else {
      same->push_back(object);
    }
  }
  std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
  std::iota(new_name_.begin(), new_name_.end(), 0);
}

bool InterchangeableObjects::canonicalize(PositionId* state) {
  if (any_renamed_) std::iota(new_name_.begin(), new_name_.end(), 0);
  any_renamed_ = false;
  for (const std::vector<int>& group : groups_) {
    const auto comes_later = [&](int a, int b) { return state[a] > state[b]; };
    if (std::adjacent_find(group.begin(), group.end(), comes_later) == group.end()) continue;
    std::vector<int>& old_name = scratch_;
    old_name.assign(group.begin(), group.end());
    for (size_t i = 1; i < group.size(); ++i) {
      for (size_t j = i; j > 0 && state[group[j - 1]] > state[group[j]]; --j) {
        std::swap(state[group[j - 1]], state[group[j]]);
        std::swap(old_name[j - 1], old_name[j]);
      }
    }
    any_renamed_ = true;
    for (size_t i = 0; i < group.size(); ++i) new_name_[old_name[i]] = group[i];
  }
  return any_renamed_;
}

}  // namespace pushworld
