#include "search/heuristics/contacts.h"

namespace pushworld {

Contacts::Contacts(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard)
    : dynamics_(dynamics),
      classes_(classes),
      guard_(guard),
      offsets_(static_cast<size_t>(classes.count()) * classes.count() * kNumActions,
               &guard.memory()) {}

const Contacts::Offsets& Contacts::offsets(int pusher_class, int pushed_class, int action) {
  const size_t pair = static_cast<size_t>(pusher_class) * classes_.count() + pushed_class;
  std::optional<Offsets>& known = offsets_[pair * kNumActions + action];
  if (!known) known.emplace(find_offsets(pusher_class, pushed_class, action));
  return *known;
}

Contacts::Offsets Contacts::find_offsets(int pusher_class, int pushed_class, int action) {
  const int pusher = classes_.shape_id(pusher_class);
  const int pushed = classes_.shape_id(pushed_class);
  const Shape& a = dynamics_.world().shape(pusher);
  const Shape& b = dynamics_.world().shape(pushed);
  // The offsets at which they overlap after a step of the pusher, and not before.
  const BitGrid before = overlaps(a, b, guard_.checkpoint());
  BitGrid after(before.width(), before.height());
  after.add_moved(before, kDeltas[action]);
  Offsets found(offsets_.get_allocator());
  after.for_each([&](Point cell) {
    guard_.count_work(1);
    if (!before[cell]) found.push_back(cell - Point{b.width, b.height});
  });
  return found;
}

}  // namespace pushworld
