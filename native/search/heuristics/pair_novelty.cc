#include "search/heuristics/pair_novelty.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr size_t kWorkPerPair = 16;  // mostly cache misses

}  // namespace

PairNovelty::PairNovelty(const World& world, const ObjectClasses& classes, LimitGuard& guard,
                         size_t max_bytes)
    : classes_(classes),
      guard_(guard),
      n_(world.num_objects()),
      width_(world.width()),
      height_(world.height()),
      last_(n_, kNoPosition),
      terms_(n_) {
  uint64_t num_positions = 0;
  uint64_t num_pairs = 0;
  for (int object = 0; object < n_; ++object) {
    first_position_.push_back(num_positions);
    first_pair_.push_back(num_pairs);
    const size_t size = classes.index_of(object).size();
    num_pairs += num_positions * size;
    num_positions += size;
  }
  const uint64_t pairs_of_movables = static_cast<uint64_t>(n_ - 1) * (n_ - 2) / 2;
  const auto make_bits = [&](uint64_t count, size_t most_bytes) {
    const uint64_t words = count / 64 + 1;
    return words <= most_bytes / sizeof(uint64_t) ? Bits(words, guard.memory()) : Bits();
  };
  positions_ = make_bits(num_positions, SIZE_MAX);
  offsets_ = make_bits(pairs_of_movables * 4 * width_ * height_, max_bytes);
  pairs_ = make_bits(num_pairs, max_bytes);
}

template <int Words>
PairNovelty::Novelty PairNovelty::record(const PositionId* state, const ObjectSet<Words>& moved) {
  for (int object = 0; object < n_; ++object) {
    if (state[object] == last_[object]) continue;
    last_[object] = state[object];
    const Point at = classes_.index_of(object).point(state[object]);
    terms_[object] = {first_position_[object] + state[object],
                      first_pair_[object] + state[object] * first_position_[object],
                      static_cast<uint64_t>(at.y) * 2 * width_ + at.x};
  }
  const uint64_t no_offset = static_cast<uint64_t>(height_) * 2 * width_ + width_;
  const uint64_t offsets_of_pair = uint64_t{4} * width_ * height_;
  Novelty novelty = kNotNovel;
  moved.for_each([&](int i) {
    guard_.count_work(static_cast<size_t>(n_) * kWorkPerPair);
    if (!test_and_set(positions_, terms_[i].as_low)) novelty = kNewPosition;
    for (int j = 0; j < n_; ++j) {
      const bool moved_too = moved[j];
      if (j == i || (moved_too && j < i)) continue;
      const int low = std::min(i, j);
      const int high = std::max(i, j);
      // The offset between two objects that move together does not change.
      if (offsets_ && low > 0 && !moved_too) {
        const uint64_t pair = static_cast<uint64_t>(high - 1) * (high - 2) / 2 + (low - 1);
        const uint64_t offset =
            pair * offsets_of_pair + no_offset + terms_[high].place - terms_[low].place;
        if (!test_and_set(offsets_, offset)) novelty = std::min(novelty, kNewOffset);
      }
      if (pairs_ && !test_and_set(pairs_, terms_[high].as_high + terms_[low].as_low)) {
        novelty = std::min(novelty, kNewPair);
      }
    }
  });
  return novelty;
}

template PairNovelty::Novelty PairNovelty::record(const PositionId*, const ObjectSet<1>&);
template PairNovelty::Novelty PairNovelty::record(const PositionId*, const ObjectSet<kManyWords>&);

}  // namespace pushworld
