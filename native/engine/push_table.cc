#include "engine/push_table.h"

namespace pushworld {
namespace {

constexpr size_t kMaxTableWords = size_t{1} << 24;  // 128 MiB

// The size of the table of a pair of shapes for one action.
size_t words_of_pair(const Shape& a, const Shape& b) {
  return (static_cast<size_t>(a.width) + b.width + 64) / 64 *
         (static_cast<size_t>(a.height) + b.height + 1);
}

// The size of all tables within the limit.
size_t table_words(const World& world) {
  size_t words = 0;
  for (int i = 0; i < world.num_shapes(); ++i) {
    for (int j = 0; j < world.num_shapes(); ++j) {
      const size_t more = kNumActions * words_of_pair(world.shape(i), world.shape(j));
      if (words + more <= kMaxTableWords) words += more;
    }
  }
  return words;
}

}  // namespace

PushTable::PushTable(const World& world, const Checkpoint& checkpoint)
    : world_(world), num_shapes_(world.num_shapes()) {
  pairs_.reserve(static_cast<size_t>(num_shapes_) * num_shapes_);
  bits_.reserve(table_words(world));
  checkpoint(pairs_.capacity() * sizeof(Pair) + bits_.capacity() * sizeof(uint64_t));
  for (int i = 0; i < num_shapes_; ++i) {
    for (int j = 0; j < num_shapes_; ++j) {
      const Shape& pusher = world.shape(i);
      const Shape& pushed = world.shape(j);
      Pair pair{};
      pair.bias_x = static_cast<int16_t>(pushed.width);
      pair.bias_y = static_cast<int16_t>(pushed.height);
      pair.columns = static_cast<uint16_t>(pusher.width + pushed.width + 1);
      pair.rows = static_cast<uint16_t>(pusher.height + pushed.height + 1);
      const size_t size = words_of_pair(pusher, pushed);
      if (bits_.size() + kNumActions * size <= kMaxTableWords) {
        pair.words = static_cast<uint32_t>(size / pair.rows);
        const BitGrid overlapping = overlaps(pusher, pushed, checkpoint);
        pair.begin = static_cast<uint32_t>(bits_.size());
        bits_.resize(bits_.size() + kNumActions * size);
        for (int action = 0; action < kNumActions; ++action) {
          BitGrid pushes(pair.columns, pair.rows);
          pushes.add_moved(overlapping, kDeltas[action]);
          for (size_t word = 0; word < size; ++word) {
            bits_[pair.begin + kNumActions * word + action] = pushes.row(0)[word];
          }
        }
      }
      is_narrow_ &= pair.words == 1;
      pairs_.push_back(pair);
    }
  }
}

bool PushTable::pushes_wide(int action, int pusher, int pushed, Point offset, unsigned row,
                            unsigned column) const {
  const Pair& pair = pairs_[pusher * num_shapes_ + pushed];
  if (pair.words == 0) {
    return overlap(world_.shape(pusher), world_.shape(pushed), offset - kDeltas[action]);
  }
  const size_t word = size_t{row} * pair.words + (column >> 6);
  return bits_[pair.begin + kNumActions * word + action] >> (column & 63) & 1;
}

}  // namespace pushworld
