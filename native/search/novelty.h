// Novelty: whether a state shows an arrangement of one or two objects that no state had before.
#pragma once

#include <cstdint>
#include <vector>

#include "search/object_set.h"
#include "search/position_index.h"

namespace pushworld {

// Knows all positions of single objects, all offsets between two objects, and all positions of two
// objects that occurred so far.
class NoveltyTable {
 public:
  NoveltyTable(const World& world, const ObjectClasses& classes);

  // Offsets stand between single positions and pairs of positions: there are few enough of them to
  // try them all, and they are what hooking, wedging and assembling are about.
  enum Novelty { kNewPosition = 1, kNewOffset = 2, kNewPair = 3, kNotNovel = 4 };

  // Records the state and returns its novelty. Only arrangements with an object in `moved` are
  // looked at: pass those that differ from a state already recorded.
  template <int Words>
  Novelty record(const PositionId* state, const ObjectSet<Words>& moved);

  size_t bytes() const { return bytes_; }

 private:
  using Bits = std::vector<uint64_t>;

  static bool test_and_set(Bits& bits, size_t index) {
    const uint64_t bit = uint64_t{1} << (index & 63);
    const bool seen = bits[index >> 6] & bit;
    bits[index >> 6] |= bit;
    return seen;
  }
  size_t offset_index(const PositionId* state, int low, int high) const;

  const ObjectClasses& classes_;
  const int n_;
  const int width_;
  const int height_;
  // In very large worlds, offsets or pairs are not kept and count as known.
  bool has_offsets_;
  bool has_pairs_;
  std::vector<Bits> positions_;
  std::vector<Bits> offsets_;  // of movables i < j, at i * n + j
  std::vector<Bits> pairs_;    // of objects i < j, at i * n + j
  size_t bytes_ = 0;
};

}  // namespace pushworld
