#include "search/novelty.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 28;  // for offsets and for pairs

}  // namespace

NoveltyTable::NoveltyTable(const World& world, const ObjectClasses& classes)
    : classes_(classes),
      n_(world.num_objects()),
      width_(world.width()),
      height_(world.height()),
      positions_(n_),
      offsets_(static_cast<size_t>(n_) * n_),
      pairs_(static_cast<size_t>(n_) * n_) {
  const auto count = [this](int object) { return classes_.index_of(object).size(); };
  const size_t num_offsets = size_t{4} * width_ * height_;
  size_t all_offsets = 0;
  size_t all_pairs = 0;
  for (int i = 0; i < n_; ++i) {
    for (int j = i + 1; j < n_; ++j) {
      all_offsets += i > 0 ? num_offsets : 0;
      all_pairs += count(i) * count(j);
    }
  }
  has_offsets_ = all_offsets / 8 <= kMaxBytes;
  has_pairs_ = all_pairs / 8 <= kMaxBytes;
  const auto reserve = [this](Bits& bits, size_t size) {
    bits.assign((size + 63) / 64, 0);
    bytes_ += bits.size() * sizeof(uint64_t);
  };
  for (int i = 0; i < n_; ++i) {
    reserve(positions_[i], count(i));
    for (int j = i + 1; j < n_; ++j) {
      if (has_offsets_ && i > 0) reserve(offsets_[i * n_ + j], num_offsets);
      if (has_pairs_) reserve(pairs_[i * n_ + j], count(i) * count(j));
    }
  }
}

size_t NoveltyTable::offset_index(const PositionId* state, int low, int high) const {
  const Point offset =
      classes_.index_of(high).point(state[high]) - classes_.index_of(low).point(state[low]);
  return static_cast<size_t>(offset.y + height_) * 2 * width_ + offset.x + width_;
}

template <int Words>
NoveltyTable::Novelty NoveltyTable::record(const PositionId* state, const ObjectSet<Words>& moved) {
  Novelty novelty = kNotNovel;
  for (ObjectSet<Words> rest = moved; rest.any(); rest.clear_first()) {
    const int i = rest.first();
    if (!test_and_set(positions_[i], state[i])) novelty = kNewPosition;
    for (int j = 0; j < n_; ++j) {
      const bool moved_too = moved[j];
      if (j == i || (moved_too && j < i)) continue;
      const int low = std::min(i, j);
      const int high = std::max(i, j);
      // The offset between two objects that move together does not change.
      if (has_offsets_ && low > 0 && !moved_too &&
          !test_and_set(offsets_[low * n_ + high], offset_index(state, low, high))) {
        novelty = std::min(novelty, kNewOffset);
      }
      if (!has_pairs_) continue;
      const size_t pair = state[low] * classes_.index_of(high).size() + state[high];
      if (!test_and_set(pairs_[low * n_ + high], pair)) novelty = std::min(novelty, kNewPair);
    }
  }
  return novelty;
}

template NoveltyTable::Novelty NoveltyTable::record(const PositionId*, const ObjectSet<1>&);
template NoveltyTable::Novelty NoveltyTable::record(const PositionId*,
                                                    const ObjectSet<kManyWords>&);

}  // namespace pushworld
