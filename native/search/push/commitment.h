// Commitment: a search goes on pushing what it pushes until the push has opened a new possibility.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "engine/world.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/object_set.h"
#include "search/push/strategy.h"
#include "util/hash.h"
#include "util/id_table.h"

namespace pushworld {

// The carried set of a state is the set of objects that the last push moved. The state is in
// transit if it affords nothing that was not afforded before, since the search began to push this
// set: no door has opened, no tool can push something new, no way has become free, no goal fact is
// new. In transit the search tries pushes of carried objects first and postpones all others
// (partial expansion). So objects stop where it matters: an object in an open room can stop in
// hundreds of places, and only few of them offer something new.

// What a state offers.
template <int SetWords>
struct Affordances {
  using Set = ObjectSet<SetWords>;

  std::array<Set, kNumActions> movable{};  // by each action, whatever is pushed first
  Set goal_facts{};                        // of which more are better
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
  // Apart from moves of the carried set itself.
  bool are_better_than(const Affordances& other, const Set& carried) const {
    Set more;
    for (int action = 0; action < kNumActions; ++action) {
      more |= movable[action] & ~other.movable[action];
    }
    return (more & ~carried).any() || (goal_facts & ~other.goal_facts).any() ||
           blockers < other.blockers;
  }
};

template <int SetWords>
struct AffordancesHash {
  size_t operator()(const Affordances<SetWords>& affordances) const {
    uint64_t hash =
        SetHash<SetWords>{}(affordances.goal_facts) + static_cast<uint64_t>(affordances.blockers);
    for (const auto& objects : affordances.movable) {
      for (const uint64_t word : objects.word) hash = mix(hash ^ word) + 1;
    }
    return hash;
  }
};

// Numbers for the carried sets of states, and for what the states before them offered.
template <int SetWords>
class CommitmentTable {
 public:
  using Set = ObjectSet<SetWords>;

  // The push before the initial state counts as one of `all_objects`: nothing is carried there.
  CommitmentTable(Commitment commitment, const Set& all_objects, std::pmr::memory_resource& memory)
      : commitment_(commitment),
        all_objects_(all_objects),
        carried_sets_(memory),
        affordances_(memory) {}

  bool is_used() const { return commitment_ != Commitment::kNone; }
  // The number of carried sets that can be numbered; the empty set has the number 0.
  size_t max_carried_sets() const { return is_used() ? kMaxCarriedSets : 1; }

  // Returns the number of the carried set of a state that was reached by moving these objects.
  // Interchangeable objects have the names that they got when they were sorted.
  uint32_t carried_id(const Set& moved, const InterchangeableObjects& interchangeable) {
    if (!is_used() || moved == all_objects_) return 0;
    if (commitment_ == Commitment::kSingleObjects && moved.count() > 1) return 0;
    if (carried_sets_.size() == kMaxCarriedSets) return 0;
    return carried_sets_.id_of(interchangeable.canonical_names(moved));
  }
  uint32_t affordances_id(Affordances<SetWords> affordances,
                          const InterchangeableObjects& interchangeable) {
    for (Set& objects : affordances.movable) objects = interchangeable.canonical_names(objects);
    return affordances_.id_of(affordances);
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
