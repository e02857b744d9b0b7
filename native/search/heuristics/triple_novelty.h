// Exact novelty up to three, as in the PushWorld paper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/core/position_index.h"

namespace pushworld {

// A hash set of numbers. The numbers of a block of 64 share an entry.
class NumberSet {
 public:
  explicit NumberSet(LimitGuard& guard);

  // Adds the number 64 * block + bit (bit < 64). Returns whether it is new.
  bool add(uint64_t block, int bit);

 private:
  struct Entry {
    uint64_t block;
    uint64_t bits;  // 0 in a free entry
  };
  size_t find(uint64_t block) const;
  void grow();

  LimitGuard& guard_;
  std::pmr::vector<Entry> entries_;
  size_t used_ = 0;
};

// The novelty of a state is the smallest number of objects whose positions have not occurred
// together in an earlier state.
class TripleNovelty {
 public:
  // `sizes[i]` is the number of positions of object i. Throws std::invalid_argument if the number
  // of triples exceeds 64 bits.
  TripleNovelty(const std::vector<size_t>& sizes, LimitGuard& guard);

  static constexpr int kNotNovel = 4;

  // Records the state and returns its novelty: 1, 2, 3 or kNotNovel. Considers only combinations
  // with an object in `changed`: the objects that differ from a recorded state.
  int record(const PositionId* state, std::span<const uint16_t> changed);

 private:
  static constexpr size_t kWorkBetweenChecks = size_t{1} << 16;

  LimitGuard& guard_;
  int n_;
  uint64_t size_ = 1;    // the maximal number of positions of an object
  uint64_t blocks_ = 1;  // of 64 positions, per object
  NumberSet singles_;
  NumberSet pairs_;
  NumberSet triples_;
  std::vector<uint16_t> others_;
  std::vector<uint8_t> is_changed_;
  size_t work_ = 0;
};

}  // namespace pushworld
