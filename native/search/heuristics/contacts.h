// Contacts: the relative positions at which one object pushes another.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"

namespace pushworld {

// The offsets at which an object of one class pushes an object of another without overlap. Computed
// on demand for each pair of classes and each action.
class Contacts {
 public:
  Contacts(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  // Calls visit(position) for each position of the pusher from which the action pushes the object
  // at `pushed` and no wall stops the pusher.
  template <typename Visit>
  void for_each(int pusher_class, int pushed_class, PositionId pushed, int action, Visit&& visit) {
    any(pusher_class, pushed_class, pushed, action, [&](PositionId from) {
      visit(from);
      return false;
    });
  }
  // Whether test(position) holds for one of them.
  template <typename Test>
  bool any(int pusher_class, int pushed_class, PositionId pushed, int action, Test&& test) {
    const PositionIndex& pusher = classes_.index(pusher_class);
    const Point at = classes_.index(pushed_class).point(pushed);
    for (const Point offset : offsets(pusher_class, pushed_class, action)) {
      const PositionId from = pusher.id(at - offset);
      if (from == kNoPosition || pusher.neighbour(from, action) == kNoPosition) continue;
      if (test(from)) return true;
    }
    return false;
  }

 private:
  using Offsets = std::pmr::vector<Point>;  // pushed - pusher

  const Offsets& offsets(int pusher_class, int pushed_class, int action);
  Offsets find_offsets(int pusher_class, int pushed_class, int action);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  std::pmr::vector<std::optional<Offsets>> offsets_;  // [(pusher, pushed) pair of classes][action]
};

}  // namespace pushworld
