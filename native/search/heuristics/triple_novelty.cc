#include "search/heuristics/triple_novelty.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/hash.h"

namespace pushworld {
namespace {

// The indices of the pairs i < j and of the triples i < j < k.
uint64_t pair_index(uint64_t i, uint64_t j) { return j * (j - 1) / 2 + i; }
uint64_t triple_index(uint64_t i, uint64_t j, uint64_t k) {
  return k * (k - 1) * (k - 2) / 6 + pair_index(i, j);
}

}  // namespace

NumberSet::NumberSet(LimitGuard& guard)
    : guard_(guard), entries_(size_t{1} << 10, Entry{0, 0}, &guard.memory()) {}

size_t NumberSet::find(uint64_t block) const {
  const size_t mask = entries_.size() - 1;
  size_t slot = mix(block) & mask;
  while (entries_[slot].bits != 0 && entries_[slot].block != block) slot = (slot + 1) & mask;
  return slot;
}

bool NumberSet::add(uint64_t block, int bit) {
  Entry& entry = entries_[find(block)];
  const uint64_t flag = uint64_t{1} << bit;
  if (entry.bits & flag) return false;
  const bool is_free = entry.bits == 0;
  entry.block = block;
  entry.bits |= flag;
  if (is_free && ++used_ * 4 > entries_.size() * 3) grow();
  return true;
}

void NumberSet::grow() {
  std::pmr::vector<Entry> old(entries_.size() * 2, Entry{0, 0}, entries_.get_allocator());
  old.swap(entries_);
  for (const Entry& entry : old) {
    guard_.count_work(8);
    if (entry.bits != 0) entries_[find(entry.block)] = entry;
  }
}

TripleNovelty::TripleNovelty(const std::vector<size_t>& sizes, LimitGuard& guard)
    : guard_(guard),
      n_(static_cast<int>(sizes.size())),
      singles_(guard),
      pairs_(guard),
      triples_(guard),
      is_changed_(sizes.size(), 0) {
  for (const size_t size : sizes) size_ = std::max<uint64_t>(size_, size);
  blocks_ = (size_ + 63) / 64;
  const double n = n_;
  const double triples = std::max(1.0, n * (n - 1) * (n - 2) / 6);
  if (triples * static_cast<double>(size_) * static_cast<double>(size_) *
          static_cast<double>(blocks_) >
      0x1p63) {
    throw std::invalid_argument(
        "the puzzle has too many objects in too large a world for the novelty of triples of "
        "positions: use a planner without it, such as default or rgd");
  }
}

// The position of the first object of a combination is the lowest digit of its number. The agent
// comes first and moves most often, so states that differ only in its position share most entries.
int TripleNovelty::record(const PositionId* state, std::span<const uint16_t> changed) {
  bool new_single = false;
  bool new_pair = false;
  bool new_triple = false;
  const auto add_single = [&](uint64_t i) {
    new_single |= singles_.add(i * blocks_ + state[i] / 64, state[i] % 64);
  };
  const auto add_pair = [&](uint64_t i, uint64_t j) {
    if (i > j) std::swap(i, j);
    const uint64_t number = pair_index(i, j) * size_ + state[j];
    new_pair |= pairs_.add(number * blocks_ + state[i] / 64, state[i] % 64);
  };
  const auto add_triple = [&](uint64_t i, uint64_t j, uint64_t k) {
    if (i > j) std::swap(i, j);
    if (j > k) std::swap(j, k);
    if (i > j) std::swap(i, j);
    const uint64_t number = (triple_index(i, j, k) * size_ + state[k]) * size_ + state[j];
    new_triple |= triples_.add(number * blocks_ + state[i] / 64, state[i] % 64);
  };
  others_.clear();
  std::fill(is_changed_.begin(), is_changed_.end(), uint8_t{0});
  for (const uint16_t object : changed) is_changed_[object] = 1;
  for (int object = 0; object < n_; ++object) {
    if (!is_changed_[object]) others_.push_back(static_cast<uint16_t>(object));
  }
  for (size_t a = 0; a < changed.size(); ++a) {
    add_single(changed[a]);
    // The unchanged objects and the changed ones after this one: so each combination is added once.
    others_.insert(others_.end(), changed.begin() + a + 1, changed.end());
    for (size_t b = 0; b < others_.size(); ++b) {
      work_ += others_.size() - b;
      if (work_ >= kWorkBetweenChecks) {
        work_ = 0;
        guard_.check();
      }
      add_pair(changed[a], others_[b]);
      for (size_t c = b + 1; c < others_.size(); ++c) {
        add_triple(changed[a], others_[b], others_[c]);
      }
    }
    others_.resize(others_.size() - (changed.size() - a - 1));
  }
  return new_single ? 1 : new_pair ? 2 : new_triple ? 3 : kNotNovel;
}

}  // namespace pushworld
