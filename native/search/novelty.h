// Novelty: the size of the smallest combination of object positions that no state had before.
#pragma once

#include <cstdint>
#include <vector>

#include "search/position_index.h"

namespace pushworld {

// Knows all positions of single objects and pairs of objects that occurred so far.
class NoveltyTable {
 public:
  explicit NoveltyTable(const std::vector<size_t>& sizes);

  static constexpr int kNotNovel = 3;

  // Records the state and returns its novelty: 1, 2, or kNotNovel. Only combinations with an entry
  // in `changed` (a set of the first 64 entries) are looked at: pass those that differ from a state
  // already recorded.
  int record(const PositionId* state, uint64_t changed);

  size_t bytes() const;

 private:
  bool test_and_set(std::vector<uint64_t>& bits, size_t index) {
    const uint64_t bit = uint64_t{1} << (index & 63);
    const bool seen = bits[index >> 6] & bit;
    bits[index >> 6] |= bit;
    return seen;
  }

  int n_;
  std::vector<size_t> sizes_;
  std::vector<std::vector<uint64_t>> singles_;
  std::vector<std::vector<uint64_t>> pairs_;  // of i < j, at i * n + j
};

}  // namespace pushworld
