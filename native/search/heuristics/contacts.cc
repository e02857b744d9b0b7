#include "search/heuristics/contacts.h"

namespace pushworld {

Contacts::Contacts(const Dynamics& dynamics, const ObjectClasses& classes, MemoryAccount& memory)
    : dynamics_(dynamics),
      classes_(classes),
      offsets_(static_cast<size_t>(classes.count()) * classes.count() * kNumActions, &memory) {}

const Contacts::Offsets& Contacts::offsets(int pusher_class, int pushed_class, int action) {
  const size_t pair = static_cast<size_t>(pusher_class) * classes_.count() + pushed_class;
  std::optional<Offsets>& known = offsets_[pair * kNumActions + action];
  if (!known) known.emplace(find_offsets(pusher_class, pushed_class, action));
  return *known;
}

Contacts::Offsets Contacts::find_offsets(int pusher_class, int pushed_class, int action) const {
  const int pusher = classes_.shape_id(pusher_class);
  const int pushed = classes_.shape_id(pushed_class);
  const Shape& a = dynamics_.world().shape(pusher);
  const Shape& b = dynamics_.world().shape(pushed);
  Offsets found(offsets_.get_allocator());
  for (int dy = -b.height; dy <= a.height; ++dy) {
    for (int dx = -b.width; dx <= a.width; ++dx) {
      if (!dynamics_.push_table().pushes(action, pusher, pushed, {dx, dy})) continue;
      if (!overlap(a, b, {dx, dy})) found.push_back({dx, dy});
    }
  }
  return found;
}

}  // namespace pushworld
