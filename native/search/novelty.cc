#include "search/novelty.h"

#include <bit>

namespace pushworld {

NoveltyTable::NoveltyTable(const std::vector<size_t>& sizes)
    : n_(static_cast<int>(sizes.size())), sizes_(sizes), pairs_(sizes.size() * sizes.size()) {
  for (int i = 0; i < n_; ++i) {
    singles_.emplace_back((sizes[i] + 63) / 64, 0);
    for (int j = i + 1; j < n_; ++j) pairs_[i * n_ + j].assign((sizes[i] * sizes[j] + 63) / 64, 0);
  }
}

int NoveltyTable::record(const PositionId* state, uint64_t changed) {
  int novelty = kNotNovel;
  for (uint64_t rest = changed; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (!test_and_set(singles_[i], state[i])) novelty = 1;
    for (int j = 0; j < n_; ++j) {
      if (j == i || (j < i && (changed >> j & 1))) continue;
      const int low = i < j ? i : j;
      const int high = i < j ? j : i;
      const size_t index = state[low] * sizes_[high] + state[high];
      if (!test_and_set(pairs_[low * n_ + high], index) && novelty > 2) novelty = 2;
    }
  }
  return novelty;
}

size_t NoveltyTable::bytes() const {
  size_t words = 0;
  for (const auto& bits : singles_) words += bits.size();
  for (const auto& bits : pairs_) words += bits.size();
  return words * 8;
}

}  // namespace pushworld
