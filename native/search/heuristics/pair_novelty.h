// Novelty: whether a state shows an arrangement of one or two objects that no state had before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/core/memory_account.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// Knows all positions of single objects, all offsets between two objects, and all positions of two
// objects that occurred so far.
class PairNovelty {
 public:
  // Offsets, and pairs, that would take more than `max_bytes` are not kept and count as known.
  PairNovelty(const World& world, const ObjectClasses& classes, MemoryAccount& memory,
              size_t max_bytes);

  // Offsets stand between single positions and pairs of positions: there are few enough of them to
  // try them all, and they are what hooking, wedging and assembling are about.
  enum Novelty { kNewPosition = 1, kNewOffset = 2, kNewPair = 3, kNotNovel = 4 };

  // Records the state and returns its novelty. Only arrangements with an object in `moved` are
  // looked at: pass those that differ from a state already recorded.
  template <int Words>
  Novelty record(const PositionId* state, const ObjectSet<Words>& moved);

 private:
  using Bits = ZeroedArray<uint64_t>;

  static bool test_and_set(Bits& bits, size_t index) {
    const uint64_t bit = uint64_t{1} << (index & 63);
    const bool seen = bits[index >> 6] & bit;
    bits[index >> 6] |= bit;
    return seen;
  }
  size_t offset_index(const PositionId* state, int low, int high) const;
  size_t pair_index(const PositionId* state, int low, int high) const {
    return first_pair_[high] + state[high] * first_position_[high] + first_position_[low] +
           state[low];
  }

  const ObjectClasses& classes_;
  const int n_;
  const int width_;
  const int height_;
  std::vector<size_t> first_position_;  // of each object, where the positions of all are numbered
  std::vector<size_t> first_pair_;      // of each object, with a position of an object before it
  Bits positions_;
  Bits offsets_;  // of movables
  Bits pairs_;
};

}  // namespace pushworld
