// Exact novelty up to three: the smallest new combination of object positions, as in the paper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/core/position_index.h"

namespace pushworld {

// A growing set of numbers. Neighbours in the same block of 64 share an entry.
class NumberSet {
 public:
  explicit NumberSet(MemoryAccount& memory);

  // Adds the number 64 * block + bit (bit < 64). Returns whether it is new.
  bool add(uint64_t block, int bit);

 private:
  struct Entry {
    uint64_t block;
    uint64_t bits;  // 0 in a free entry
  };
  size_t find(uint64_t block) const;
  void grow();

  std::pmr::vector<Entry> entries_;
  size_t used_ = 0;
};

class TripleNovelty {
 public:
  // `sizes[i]` is the number of positions of object i. Throws std::invalid_argument if there are
  // too many triples to number.
  TripleNovelty(const std::vector<size_t>& sizes, LimitGuard& guard);

  static constexpr int kNotNovel = 4;

  // Records the state and returns its novelty: 1, 2, 3 or kNotNovel. Only combinations with an
  // object in `changed` are looked at: pass those that differ from a state already recorded.
  int record(const PositionId* state, std::span<const uint16_t> changed);

 private:
  static constexpr size_t kWorkBetweenChecks = size_t{1} << 16;

  LimitGuard& guard_;
  int n_;
  uint64_t size_ = 1;    // the most positions that an object has
  uint64_t blocks_ = 1;  // of 64 positions
  NumberSet singles_;
  NumberSet pairs_;
  NumberSet triples_;
  std::vector<uint16_t> others_;
  std::vector<uint8_t> is_changed_;
  size_t work_ = 0;
};

}  // namespace pushworld
