// Distances among walls that heuristics share: of objects to their goals, of pushers to contacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"
#include "util/zeroed_array.h"

namespace pushworld {

// More than any cost or distance.
inline constexpr int kInfinity = 1 << 28;

// Only walls matter: other objects are not in the way. Each distance is computed when it is first
// asked for, and kept.
class ContactDistances {
 public:
  ContactDistances(const Dynamics& dynamics, const ObjectClasses& classes);

  // Calls `function` while tables grow; it may throw.
  void set_on_work(std::function<void()> function) { on_work_ = std::move(function); }

  // The distance of each position of a goal's object to the goal; kUnreachable if there is no path.
  const std::vector<uint16_t>& to_goal(int goal) {
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

  size_t bytes() const { return bytes_ + contacts_.bytes(); }
  // What `bytes` comes to if `on_work`, at the moment, does not throw.
  size_t bytes_ahead() const { return bytes() + asked_bytes_; }

 private:
  // Distances are kept plus one, so that large arrays of unknown ones are not even touched.
  static constexpr uint16_t kUnknown = 0;
  static constexpr uint16_t kNever = UINT16_MAX;
  using Distances = ZeroedArray<uint16_t>;

  uint16_t* known_distances(int pusher_class, int pushed_class, PositionId pushed, int action) {
    const auto& table =
        to_contact_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
    const size_t entry = static_cast<size_t>(pushed) * kNumActions + action;
    if (!table.empty() && table[entry]) return table[entry].get();
    return begin_search(pusher_class, pushed_class, pushed, action);
  }
  // To be called before so much memory is taken: it may be refused.
  void ask_for(size_t bytes);
  void find_distances_to_goal(int goal);
  uint16_t* begin_search(int pusher_class, int pushed_class, PositionId pushed, int action);
  // Resumes the search until it has reached `from` or everything.
  void resume_search(int pusher_class, uint16_t* distances, PositionId from);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  std::function<void()> on_work_ = [] {};
  Contacts contacts_;
  std::vector<std::vector<uint16_t>> to_goal_;  // empty until they are asked for
  // [pusher class * classes + pushed class][pushed position * 4 + action]
  std::vector<std::vector<Distances>> to_contact_;
  // The frontiers of the searches that have not reached all positions.
  std::unordered_map<const uint16_t*, std::vector<PositionId>> frontiers_;
  size_t bytes_ = 0;
  size_t asked_bytes_ = 0;
};

}  // namespace pushworld
