// Which pushes can wait: objects on their way are not left before something has come of it.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "engine/world.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/object_set.h"
#include "util/hash.h"
#include "util/id_table.h"

namespace pushworld {

// How much of what is pushed is taken to be in transit. A state in transit is reached by pushing
// its carried, and offers nothing that was not on offer since the carried was taken up: no door has
// opened, no tool has come to bear, no way has been cleared, nothing has come to its place. Pushes
// that do not move the carried are postponed there, so that objects stop where it matters and not
// wherever they may. Of the hundreds of places that an object has in the open, few are left.
enum class Commitment { kNone, kSingleObjects, kAll };

// What a state offers.
template <int SetWords>
struct Affordances {
  using Set = ObjectSet<SetWords>;

  std::array<Set, kNumActions> movable{};  // by each action, whatever is pushed first
  uint64_t goal_facts = 0;                 // of which more are better
  int blockers = INT_MAX;                  // in the way of goal objects

  bool operator==(const Affordances&) const = default;

  void add(const Affordances& other) {
    for (int action = 0; action < kNumActions; ++action) {
      movable[action] |= other.movable[action];
    }
    goal_facts |= other.goal_facts;
    blockers = std::min(blockers, other.blockers);
  }
  size_t count_moves() const {
    size_t count = 0;
    for (const Set& objects : movable) count += objects.count();
    return count;
  }
  // Apart from moves of the carried itself.
  bool are_better_than(const Affordances& other, const Set& carried) const {
    Set more;
    for (int action = 0; action < kNumActions; ++action) {
      more |= movable[action] & ~other.movable[action];
    }
    return (more & ~carried).any() || (goal_facts & ~other.goal_facts) != 0 ||
           blockers < other.blockers;
  }
};

template <int SetWords>
struct AffordancesHash {
  size_t operator()(const Affordances<SetWords>& affordances) const {
    uint64_t hash = mix(affordances.goal_facts) + static_cast<uint64_t>(affordances.blockers);
    for (const auto& objects : affordances.movable) {
      for (const uint64_t word : objects.word) hash = mix(hash ^ word) + 1;
    }
    return hash;
  }
};

// Numbers for the carried sets of states and for what was on offer when they were taken up.
template <int SetWords>
class CommitmentTable {
 public:
  using Set = ObjectSet<SetWords>;

  // `all_objects` is what the state at the start counts as moved by: nothing is in transit there.
  CommitmentTable(Commitment commitment, const Set& all_objects, std::pmr::memory_resource& memory)
      : commitment_(commitment),
        all_objects_(all_objects),
        carried_sets_(memory),
        affordances_(memory) {}

  bool is_used() const { return commitment_ != Commitment::kNone; }
  // How many numbers of carried sets there are; 0 is the empty one.
  size_t max_carried_sets() const { return is_used() ? kMaxCarriedSets : 1; }

  // The number of the carried of a state that was reached by moving these objects, as the
  // interchangeable are called after they were sorted.
  uint32_t carried_id(const Set& moved, const InterchangeableObjects& interchangeable) {
    if (!is_used() || moved == all_objects_) return 0;
    if (commitment_ == Commitment::kSingleObjects && moved.count() > 1) return 0;
    if (carried_sets_.size() == kMaxCarriedSets) return 0;
    return carried_sets_.number(interchangeable.renamed(moved));
  }
  uint32_t affordances_id(Affordances<SetWords> affordances,
                          const InterchangeableObjects& interchangeable) {
    for (Set& objects : affordances.movable) objects = interchangeable.renamed(objects);
    return affordances_.number(affordances);
  }
  const Set& carried(uint32_t number) const { return carried_sets_[number]; }
  const Affordances<SetWords>& affordances(uint32_t number) const { return affordances_[number]; }

 private:
  static constexpr size_t kMaxCarriedSets = size_t{1} << 16;

  const Commitment commitment_;
  const Set all_objects_;
  IdTable<Set, SetHash<SetWords>> carried_sets_;
  IdTable<Affordances<SetWords>, AffordancesHash<SetWords>> affordances_;
};

}  // namespace pushworld
