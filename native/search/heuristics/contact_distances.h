// Distances among walls that heuristics share: of objects to their goals, of pushers to contacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"

namespace pushworld {

// More than any cost or distance.
inline constexpr int kInfinity = 1 << 28;

// Only walls matter: other objects are not in the way. Each distance is computed when it is first
// asked for, and kept.
class ContactDistances {
 public:
  ContactDistances(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  // The distance of each position of a goal's object to the goal; kUnreachable if there is no path.
  const std::pmr::vector<uint16_t>& to_goal(int goal) {
    if (to_goal_[goal].empty()) find_distances_to_goal(goal);
    return to_goal_[goal];
  }

  // The distance of a pusher at `from` to the nearest position from which it pushes the pushed
  // object; kUnreachable if there is none. The breadth-first search from those positions is kept
  // and resumed only until it reaches `from`.
  int to_contact(int pusher_class, int pushed_class, PositionId pushed, int action,
                 PositionId from) {
    uint16_t* const known = known_distances(pusher_class, pushed_class, pushed, action);
    if (known[from] == kUnknown) resume_search(pusher_class, known, from);
    return known[from] == kNever ? kUnreachable : known[from] - 1;
  }

  Contacts& contacts() { return contacts_; }

 private:
  // Distances are kept plus one, so that large arrays of unknown ones are not even touched.
  static constexpr uint16_t kUnknown = 0;
  static constexpr uint16_t kNever = UINT16_MAX;

  uint16_t* known_distances(int pusher_class, int pushed_class, PositionId pushed, int action) {
    const auto& table =
        to_contact_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
    const size_t entry = static_cast<size_t>(pushed) * kNumActions + action;
    if (!table.empty() && table[entry]) return table[entry];
    return begin_search(pusher_class, pushed_class, pushed, action);
  }
  void find_distances_to_goal(int goal);
  uint16_t* begin_search(int pusher_class, int pushed_class, PositionId pushed, int action);
  // Resumes the search until it has reached `from` or everything.
  void resume_search(int pusher_class, uint16_t* distances, PositionId from);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  Contacts contacts_;
  std::pmr::vector<std::pmr::vector<uint16_t>> to_goal_;  // empty until they are asked for
  // [pusher class * classes + pushed class][pushed position * 4 + action]
  std::pmr::vector<std::pmr::vector<uint16_t*>> to_contact_;
  std::pmr::deque<ZeroedArray<uint16_t>> arrays_;  // that `to_contact_` points to
  // The frontiers of the searches that have not reached all positions.
  std::pmr::unordered_map<const uint16_t*, std::pmr::vector<PositionId>> frontiers_;
};

}  // namespace pushworld
