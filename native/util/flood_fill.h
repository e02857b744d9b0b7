// Flood fill on rows of bits.
#pragma once

#include <algorithm>

#include "util/bit_row.h"

namespace pushworld {

// Adds to `reach` the cells of `free` that are connected to its rows `top` to `bottom`. Both have
// `height` rows; `reach` is a subset of `free`. Calls count(rows) before each pair of sweeps.
template <int Words, typename Count>
void flood_fill(const BitRow<Words>* free, BitRow<Words>* reach, int height, int top, int bottom,
                Count&& count) {
  const auto enter = [&](int y, const BitRow<Words>& neighbours) {
    const BitRow<Words> entered = neighbours & free[y];
    if (!(entered & ~reach[y]).any()) return false;
    reach[y] = (reach[y] | entered).filled(free[y]);
    return true;
  };
  // Sweep down and up until an upward sweep changes nothing.
  for (bool changed = true; changed;) {
    changed = false;
    count(2 * (bottom - top + 1));
    for (int y = top + 1; y < height; ++y) {
      if (enter(y, reach[y - 1])) {
        bottom = std::max(bottom, y);
      } else if (y > bottom) {
        break;
      }
    }
    for (int y = bottom - 1; y >= 0; --y) {
      if (enter(y, reach[y + 1])) {
        top = std::min(top, y);
        changed = true;
      } else if (y < top) {
        break;
      }
    }
  }
}

}  // namespace pushworld
