// Commitment: a search keeps pushing the same objects until this makes something new possible.
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

// The carried set of a state is the set of objects that the last push moved. The affordances of a
// state are the moves that it permits, the goal facts that hold, and the number of blockers. A
// state is in transit if it affords nothing new since the first push of its carried set: no door
// has opened, no tool can push another object, no path has become free, no goal fact is new. A
// state in transit is expanded partially: only by pushes that move carried objects. The rest of its
// expansion is postponed. This keeps the branching factor low: an object in an open room can stop
// at hundreds of positions, but only few of them afford something new.

template <int SetWords>
struct Affordances {
  using Set = ObjectSet<SetWords>;

  std::array<Set, kNumActions> movable{};  // the objects that some push by each action moves
  Set goal_facts{};                        // see push_problem.h; more are better
  int blockers = INT_MAX;                  // see manipulation_heuristic.h; fewer are better

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
  // Ignores moves of carried objects.
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
    uint64_t hash = hash_of(affordances.goal_facts) + static_cast<uint64_t>(affordances.blockers);
    for (const auto& objects : affordances.movable) {
      for (const uint64_t word : objects.word) hash = mix(hash ^ word) + 1;
    }
    return hash;
  }
};

// Identifies them in an open list.
template <int SetWords>
SetKey key_of(const Affordances<SetWords>& affordances) {
  return {affordances.count_moves(), AffordancesHash<SetWords>{}(affordances)};
}

// Ids for carried sets, and for the affordances of earlier states.
template <int SetWords>
class CommitmentTable {
 public:
  using Set = ObjectSet<SetWords>;

  // A push of `all_objects` stands for the initial state, which carries nothing.
  CommitmentTable(Commitment commitment, const Set& all_objects, std::pmr::memory_resource& memory)
      : commitment_(commitment),
        all_objects_(all_objects),
        carried_sets_(memory),
        affordances_(memory) {
    carried_sets_.id_of({});  // the id 0
    affordances_.id_of({});
  }

  bool is_used() const { return commitment_ != Commitment::kNone; }
  // The number of ids. The empty set has the id 0.
  size_t max_carried_sets() const {
    const size_t movables = all_objects_.count() - 1;
    if (!is_used()) return 1;
    if (commitment_ == Commitment::kSingleObjects) return movables + 1;
    return movables < 16 ? size_t{1} << movables : kMaxCarriedSets;
  }

  // Returns the id of the carried set after a push that moved these objects; 0 if the search does
  // not commit to them. Renames interchangeable objects as in the state's canonical form.
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
  uint32_t affordances_id(const Affordances<SetWords>& affordances) {
    return affordances_.id_of(affordances);
  }
  const Set& carried(uint32_t id) const { return carried_sets_[id]; }
  const Affordances<SetWords>& affordances(uint32_t id) const { return affordances_[id]; }

 private:
  static constexpr size_t kMaxCarriedSets = size_t{1} << 16;

  const Commitment commitment_;
  const Set all_objects_;
  IdTable<Set, SetHash<SetWords>> carried_sets_;
  IdTable<Affordances<SetWords>, AffordancesHash<SetWords>> affordances_;
};

}  // namespace pushworld
