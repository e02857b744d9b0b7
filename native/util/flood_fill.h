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
  // Sweep down and up until a sweep changes nothing. Only rows next to changed ones can change.
  int first = top;  // the rows that the last sweep changed
  int last = bottom;
  for (bool is_begin = true; first <= last; is_begin = false) {
    count(2 * (last - first + 1));
    int up_first = is_begin ? top : height;
    int up_last = is_begin ? bottom : -1;
    for (int y = first + 1; y < height; ++y) {
      if (enter(y, reach[y - 1])) {
        up_first = std::min(up_first, y);
        up_last = std::max(up_last, y);
      } else if (y > last) {
        break;
      }
    }
    first = height;
    last = -1;
    for (int y = up_last - 1; y >= 0; --y) {
      if (enter(y, reach[y + 1])) {
        last = std::max(last, y);
        first = y;
      } else if (y < up_first) {
        break;
      }
    }
  }
}

}  // namespace pushworld
