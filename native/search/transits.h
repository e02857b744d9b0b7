// Which pushes can wait: objects on their way are not left before something has come of it.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "engine/world.h"
#include "search/hash.h"
#include "search/interned.h"
#include "search/object_set.h"
#include "search/twins.h"

namespace pushworld {

// How much of what is pushed is taken to be in transit. A state in transit is reached by pushing
// its cargo, and offers nothing that was not on offer since the cargo was taken up: no door has
// opened, no tool has come to bear, no way has been cleared, nothing has come to its place. Pushes
// that do not move the cargo are postponed there, so that objects stop where it matters and not
// wherever they may. Of the hundreds of places that an object has in the open, few are left.
enum class Transits { kNone, kSingleObjects, kAll };

// What a state offers.
template <int SetWords>
struct Prospects {
  using Set = ObjectSet<SetWords>;

  std::array<Set, kNumActions> movable{};  // by each action, whatever is pushed first
  uint64_t goal_facts = 0;                 // of which more are better
  int blockers = INT_MAX;                  // in the way of goal objects

  bool operator==(const Prospects&) const = default;

  void add(const Prospects& other) {
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
  // Apart from moves of the cargo itself.
  bool are_better_than(const Prospects& other, const Set& cargo) const {
    Set more;
    for (int action = 0; action < kNumActions; ++action) {
      more |= movable[action] & ~other.movable[action];
    }
    return (more & ~cargo).any() || (goal_facts & ~other.goal_facts) != 0 ||
           blockers < other.blockers;
  }
};

template <int SetWords>
struct ProspectsHash {
  size_t operator()(const Prospects<SetWords>& prospects) const {
    uint64_t hash = mix(prospects.goal_facts) + static_cast<uint64_t>(prospects.blockers);
    for (const auto& objects : prospects.movable) {
      for (const uint64_t word : objects.word) hash = mix(hash ^ word) + 1;
    }
    return hash;
  }
};

// Numbers for the cargos of states and for what was on offer when they were taken up.
template <int SetWords>
class TransitTable {
 public:
  using Set = ObjectSet<SetWords>;

  // `all_objects` is what the state at the start counts as moved by: nothing is in transit there.
  TransitTable(Transits transits, const Set& all_objects)
      : transits_(transits), all_objects_(all_objects) {}

  bool is_used() const { return transits_ != Transits::kNone; }
  // How many numbers of cargos there are; 0 is the empty one.
  size_t max_cargos() const { return is_used() ? kMaxCargos : 1; }

  // The number of the cargo of a state that was reached by moving these objects, as the twins are
  // called after they were sorted.
  uint32_t cargo_number(const Set& moved, const Twins& twins) {
    if (!is_used() || moved == all_objects_) return 0;
    if (transits_ == Transits::kSingleObjects && moved.count() > 1) return 0;
    if (cargos_.size() == kMaxCargos) return 0;
    return cargos_.number(twins.renamed(moved));
  }
  uint32_t prospects_number(Prospects<SetWords> prospects, const Twins& twins) {
    for (Set& objects : prospects.movable) objects = twins.renamed(objects);
    return prospects_.number(prospects);
  }
  const Set& cargo(uint32_t number) const { return cargos_[number]; }
  const Prospects<SetWords>& prospects(uint32_t number) const { return prospects_[number]; }

  size_t bytes() const { return cargos_.bytes() + prospects_.bytes(); }

 private:
  static constexpr size_t kMaxCargos = size_t{1} << 16;

  const Transits transits_;
  const Set all_objects_;
  Interned<Set, SetHash<SetWords>> cargos_;
  Interned<Prospects<SetWords>, ProspectsHash<SetWords>> prospects_;
};

}  // namespace pushworld
