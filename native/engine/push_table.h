// The push relation of shapes: at which offsets does one shape push another?
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world.h"

namespace pushworld {

// Holds a bit table over the offset (pushed - pusher) for each ordered pair of shapes and each
// action. Many large shapes can exceed the size limit of the tables. Pairs beyond the limit have no
// table; their shapes are compared instead.
class PushTable {
 public:
  PushTable(const World& world, const Checkpoint& checkpoint);

  // Whether an object of shape `pusher` that moves by the action enters a cell of an object of
  // shape `pushed` at `offset` from it.
  bool pushes(int action, int pusher, int pushed, Point offset) const {
    const Pair& pair = pairs_[pusher * num_shapes_ + pushed];
    const unsigned column = static_cast<unsigned>(offset.x + pair.bias_x);
    const unsigned row = static_cast<unsigned>(offset.y + pair.bias_y);
    if (column >= pair.columns || row >= pair.rows) return false;
    if (pair.words == 1) return bits_[pair.begin + kNumActions * row + action] >> column & 1;
    return pushes_wide(action, pusher, pushed, offset, row, column);
  }

  struct Pair {
    int16_t bias_x, bias_y;
    uint16_t columns, rows;
    uint32_t words;  // per row; 0 if the pair has no table
    uint32_t begin;  // of its bits: for each word of each row, one word for each action
  };

  const Pair& pair(int pusher, int pushed) const { return pairs_[pusher * num_shapes_ + pushed]; }
  // Whether every row of every table is a single word. `narrow_pushes` requires it.
  bool is_narrow() const { return is_narrow_; }
  // The same as `pushes`, without branches.
  bool narrow_pushes(int action, const Pair& pair, int dx, int dy) const {
    const unsigned column = static_cast<unsigned>(dx + pair.bias_x);
    const unsigned row = static_cast<unsigned>(dy + pair.bias_y);
    const bool near = (column < pair.columns) & (row < pair.rows);
    return (bits_[pair.begin + kNumActions * (near ? row : 0) + action] >> (column & 63)) & near;
  }

  // The same for all actions: bit k for action k.
  unsigned narrow_pushing_actions(const Pair& pair, int dx, int dy) const {
    const unsigned column = static_cast<unsigned>(dx + pair.bias_x);
    const unsigned row = static_cast<unsigned>(dy + pair.bias_y);
    if (column >= pair.columns || row >= pair.rows) return 0;
    const uint64_t* words = &bits_[pair.begin + kNumActions * row];
    unsigned actions = 0;
    for (int action = 0; action < kNumActions; ++action) {
      actions |= static_cast<unsigned>(words[action] >> column & 1) << action;
    }
    return actions;
  }

 private:
  bool pushes_wide(int action, int pusher, int pushed, Point offset, unsigned row,
                   unsigned column) const;

  const World& world_;
  int num_shapes_;
  bool is_narrow_ = true;
  std::vector<Pair> pairs_;
  std::vector<uint64_t> bits_;
};

}  // namespace pushworld
