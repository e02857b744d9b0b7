// Novelty of arrangements of one or two objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/core/memory_account.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// A state is novel if it contains an arrangement that no earlier state contained: the position of
// an object, the offset between two movables, or the positions of two objects. The novelty is the
// first of these kinds that is new. As in width-based search (Lipovetzky and Geffner, 2012), with
// offsets added.
class PairNovelty {
 public:
  // A table of offsets or of pairs that would exceed `max_bytes` is left out. Its arrangements are
  // never new.
  PairNovelty(const World& world, const ObjectClasses& classes, LimitGuard& guard,
              size_t max_bytes);

  // Offsets rank before pairs: there are few enough to try them all, and hooking, wedging and
  // assembling objects depend on them.
  enum Novelty { kNewPosition = 1, kNewOffset = 2, kNewPair = 3, kNotNovel = 4 };

  // Records the state and returns its novelty. Considers only arrangements with an object in
  // `moved`: the objects that differ from a recorded state.
  template <int Words>
  Novelty record(const PositionId* state, const ObjectSet<Words>& moved);

 private:
  using Bits = SparseArray<uint64_t>;

  static bool test_and_set(Bits& bits, uint64_t index) {
    const uint64_t bit = uint64_t{1} << (index & 63);
    const bool seen = bits[index >> 6] & bit;
    if (!seen) bits.at(index >> 6) |= bit;
    return seen;
  }
  uint64_t offset_index(const PositionId* state, int low, int high) const;
  uint64_t pair_index(const PositionId* state, int low, int high) const {
    return first_pair_[high] + state[high] * first_position_[high] + first_position_[low] +
           state[low];
  }

  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int width_;
  const int height_;
  std::vector<uint64_t> first_position_;  // of each object, its first index in `positions_`
  std::vector<uint64_t> first_pair_;      // of each object, its first index in `pairs_`
  Bits positions_;
  Bits offsets_;  // of movables
  Bits pairs_;
};

}  // namespace pushworld
