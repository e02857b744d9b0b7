#include "engine/push_table.h"

namespace pushworld {
namespace {

constexpr size_t kMaxTableWords = size_t{1} << 24;  // 128 MiB

}  // namespace

PushTable::PushTable(const World& world) : world_(world), num_shapes_(world.num_shapes()) {
  for (int i = 0; i < num_shapes_; ++i) {
    for (int j = 0; j < num_shapes_; ++j) {
      const Shape& pusher = world.shape(i);
      const Shape& pushed = world.shape(j);
      Pair pair{};
      pair.bias_x = static_cast<int16_t>(pushed.width);
      pair.bias_y = static_cast<int16_t>(pushed.height);
      pair.columns = static_cast<uint16_t>(pusher.width + pushed.width + 1);
      pair.rows = static_cast<uint16_t>(pusher.height + pushed.height + 1);
      const unsigned words = (pair.columns + 63u) / 64;
      const size_t size = size_t{words} * pair.rows;
      if (bits_.size() + kNumActions * size <= kMaxTableWords) {
        pair.words = words;
        BitGrid overlaps(pair.columns, pair.rows);
        const Point bias{pair.bias_x, pair.bias_y};
        for (const Point cell : pushed.cells) overlaps.add_moved(pusher.bits, bias - cell);
        for (int action = 0; action < kNumActions; ++action) {
          BitGrid pushes(pair.columns, pair.rows);
          pushes.add_moved(overlaps, kDeltas[action]);
          pair.begin[action] = static_cast<uint32_t>(bits_.size());
          bits_.insert(bits_.end(), pushes.row(0), pushes.row(0) + size);
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
  const size_t word = pair.begin[action] + size_t{row} * pair.words + (column >> 6);
  return bits_[word] >> (column & 63) & 1;
}

}  // namespace pushworld
