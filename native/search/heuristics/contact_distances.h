// The distances that heuristics share: from objects to their goals and from pushers to contacts.
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

// Greater than any cost or distance.
inline constexpr int kInfinity = 1 << 28;

// Distances that respect walls and ignore other objects. They are computed on demand and cached. A
// contact is a position from which a pusher pushes another object in a given direction.
class ContactDistances {
 public:
  ContactDistances(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  // The distance from each position of the goal's object to the goal; kUnreachable if there is no
  // path.
  const std::pmr::vector<uint16_t>& to_goal(int goal) {
    if (to_goal_[goal].empty()) find_distances_to_goal(goal);
    return to_goal_[goal];
  }

  // The distance from `from` to the pusher's nearest contact; kUnreachable if there is none. Runs a
  // breadth-first search backward from the contacts, stops it at `from`, and resumes it in later
  // calls.
  int to_contact(int pusher_class, int pushed_class, PositionId pushed, int action,
                 PositionId from) {
    uint16_t* const known = known_distances(pusher_class, pushed_class, pushed, action);
    if (known[from] == kUnknown) resume_search(pusher_class, known, from);
    return known[from] == kNever ? kUnreachable : known[from] - 1;
  }

  Contacts& contacts() { return contacts_; }

 private:
  // The stored value is the distance + 1, so an array of unknown distances is all zeros and costs
  // nothing to create.
  static constexpr uint16_t kUnknown = 0;
  static constexpr uint16_t kNever = UINT16_MAX;

  uint16_t* known_distances(int pusher_class, int pushed_class, PositionId pushed, int action) {
    const auto& table =
        to_contact_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
    const size_t entry = static_cast<size_t>(pushed) * kNumActions + action;
    if (table && table[entry]) return table[entry];
    return begin_search(pusher_class, pushed_class, pushed, action);
  }
  void find_distances_to_goal(int goal);
  uint16_t* begin_search(int pusher_class, int pushed_class, PositionId pushed, int action);
  // Resumes the search until it reaches `from` or has visited all reachable positions.
  void resume_search(int pusher_class, uint16_t* distances, PositionId from);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  Contacts contacts_;
  std::pmr::vector<std::pmr::vector<uint16_t>> to_goal_;  // empty until first used
  // [pusher class * classes + pushed class][pushed position * 4 + action]
  std::pmr::vector<SparseArray<uint16_t*>> to_contact_;
  std::pmr::deque<ZeroedArray<uint16_t>> arrays_;  // the targets of `to_contact_`
  // The frontiers of the unfinished searches.
  std::pmr::unordered_map<const uint16_t*, std::pmr::vector<PositionId>> frontiers_;
};

}  // namespace pushworld
