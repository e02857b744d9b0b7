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
      offsets_of_pair_(uint64_t{4} * width_ * height_),
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
  offsets_ = make_bits(pairs_of_movables * offsets_of_pair_, max_bytes);
  pairs_ = make_bits(num_pairs, max_bytes);
}

template <int Words>
PairNovelty::Novelty PairNovelty::record(const PositionId* state, const ObjectSet<Words>& moved) {
  const uint64_t no_offset = static_cast<uint64_t>(height_) * 2 * width_ + width_;
  for (int object = 0; object < n_; ++object) {
    if (state[object] == last_[object]) continue;
    last_[object] = state[object];
    const Point at = classes_.index_of(object).point(state[object]);
    const uint64_t place = static_cast<uint64_t>(at.y) * 2 * width_ + at.x;
    const uint64_t k = static_cast<uint64_t>(object) - 1;  // among the movables
    terms_[object] = {first_position_[object] + state[object],
                      first_pair_[object] + state[object] * first_position_[object],
                      k * offsets_of_pair_ - place,
                      k * (k - 1) / 2 * offsets_of_pair_ + no_offset + place};
  }
  const Terms* const terms = terms_.data();
  Novelty novelty = kNotNovel;
  const uint64_t* const known_offsets = offsets_.get();
  const uint64_t* const known_pairs = pairs_.get();
  const auto look_at = [&](const uint64_t* known, Bits& bits, uint64_t index, Novelty if_new) {
    if (!known || known[index >> 6] >> (index & 63) & 1) return;
    bits.at(index >> 6) |= uint64_t{1} << (index & 63);
    novelty = std::min(novelty, if_new);
  };
  moved.for_each([&](int i) {
    guard_.count_work(static_cast<size_t>(n_) * kWorkPerPair);
    const Terms term = terms[i];
    look_at(positions_.get(), positions_, term.as_low, kNewPosition);
    if (i > 0) look_at(known_pairs, pairs_, term.as_high + terms[0].as_low, kNewPair);
    // The offset between two objects that move together does not change.
    for (int low = 1; low < i; ++low) {
      if (moved[low]) continue;
      look_at(known_offsets, offsets_, term.offset_as_high + terms[low].offset_as_low, kNewOffset);
      look_at(known_pairs, pairs_, term.as_high + terms[low].as_low, kNewPair);
    }
    for (int high = i + 1; high < n_; ++high) {
      if (i > 0 && !moved[high]) {
        look_at(known_offsets, offsets_, terms[high].offset_as_high + term.offset_as_low,
                kNewOffset);
      }
      look_at(known_pairs, pairs_, terms[high].as_high + term.as_low, kNewPair);
    }
  });
  return novelty;
}

template PairNovelty::Novelty PairNovelty::record(const PositionId*, const ObjectSet<1>&);
template PairNovelty::Novelty PairNovelty::record(const PositionId*, const ObjectSet<kManyWords>&);

}  // namespace pushworld
