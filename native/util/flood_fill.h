// Flood fill on rows of bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "util/bit_row.h"

namespace pushworld {

// Adds to `reach` the cells of `free` that are connected to its rows `top` to `bottom`. Both have
// `height` rows; `reach` is a subset of `free`. Calls count(rows) before each pair of sweeps.
template <int Words, typename Count>
void flood_fill(const BitRow<Words>* free, BitRow<Words>* reach, int height, int top, int bottom,
                Count&& count) {
  // Enters a row from a neighbour, whose cells `from` are; these become the cells of the row.
  const auto enter = [&](int y, BitRow<Words>& from) {
    const BitRow<Words> before = reach[y];
    const BitRow<Words> entered = from & free[y] & ~before;
    from = before;
    if (!entered.any()) return false;
    reach[y] = from = (before | entered).filled(free[y]);
    return true;
  };
  // Sweep down and up until a sweep changes nothing. Only rows next to changed ones can change.
  int first = top;  // the rows that the last sweep changed
  int last = bottom;
  for (bool is_begin = true; first <= last; is_begin = false) {
    count(2 * (last - first + 1));
    int up_first = is_begin ? top : height;
    int up_last = is_begin ? bottom : -1;
    BitRow<Words> from = reach[first];
    for (int y = first + 1; y < height; ++y) {
      if (enter(y, from)) {
        up_first = std::min(up_first, y);
        up_last = std::max(up_last, y);
      } else if (y > last) {
        break;
      }
    }
    first = height;
    last = -1;
    if (up_last < 0) break;
    from = reach[up_last];
    for (int y = up_last - 1; y >= 0; --y) {
      if (enter(y, from)) {
        last = std::max(last, y);
        first = y;
      } else if (y < up_first) {
        break;
      }
    }
  }
}

// Whether the cells of a connected set that are in `free` are connected, if `free` lacks cells of
// the rows `from` to `end` - 1 only. May be false for cells that are.
template <int Words>
bool is_still_connected(const BitRow<Words>* cells, const BitRow<Words>* free, int height, int from,
                        int end) {
  if constexpr (Words > 1) return false;
  // A path through lost cells leaves their bounding box, one cell wider, where it entered it or
  // elsewhere. So it is enough that the rest of the set is connected inside that box.
  BitRow<Words> lost;
  int top = height;
  int bottom = -1;
  for (int y = from; y < end; ++y) {
    const BitRow<Words> row = cells[y] & ~free[y];
    if (!row.any()) continue;
    lost |= row;
    top = std::min(top, y);
    bottom = y;
  }
  if (bottom < 0) return true;
  top = std::max(top - 1, 0);
  bottom = std::min(bottom + 1, height - 1);
  const uint64_t from_first = ~uint64_t{0} << lost.first();
  const uint64_t to_last = ~uint64_t{0} >> std::countl_zero(lost.word[0]);
  const uint64_t box = from_first & to_last;
  const BitRow<Words> columns{{box | box << 1 | box >> 1}};
  constexpr int kMaxRows = 16;
  if (bottom - top >= kMaxRows) return false;
  std::array<BitRow<Words>, kMaxRows> rest, seen;
  const int rows = bottom - top + 1;
  BitRow<Words> entered, any, unseen;
  for (int k = 0; k < rows; ++k) {
    rest[k] = cells[top + k] & free[top + k] & columns;
    entered &= rest[k];
    if (!any.any() && rest[k].any()) entered.set(rest[k].first());
    any |= rest[k];
    entered = seen[k] = entered.filled(rest[k]);
    unseen |= rest[k] & ~seen[k];
  }
  if (!any.any()) return false;
  if (!unseen.any()) return true;
  flood_fill(rest.data(), seen.data(), rows, 0, rows - 1, [](int) {});
  return std::equal(rest.begin(), rest.begin() + rows, seen.begin());
}

}  // namespace pushworld
