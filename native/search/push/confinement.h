// Where objects can get to that enclose each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"
#include "search/push/placements.h"
#include "util/bit_row.h"

namespace pushworld {

// Positions in a world of at most 64 columns.
using PositionRows = std::vector<BitRow<1>>;
using RowsView = std::span<const BitRow<1>>;
inline bool contains(RowsView rows, Point p) {
  return p.y >= 0 && p.y < static_cast<int>(rows.size()) && p.x >= 0 && p.x < 64 &&
         rows[static_cast<size_t>(p.y)][p.x];
}

// Frames are movables that leave each other few positions. All their arrangements are known, and
// for each of them the positions of every other object, whoever pushes it, if only walls and frames
// are in its way. So an object in a closed frame cannot get out. For worlds of at most 64 columns.
class Confinement {
 public:
  Confinement(const World& world, LimitGuard& guard, bool has_frames = true);

  bool is_frame(int object) const;
  // Whether the objects can be there, all in the same arrangement.
  bool admits(const Places& places);
  // The positions of an object in all arrangements.
  PositionRows positions(int object);

 private:
  using Arrangement = std::vector<Point>;  // of the frames
  struct Step {
    size_t to;
    int action;
  };
  struct Arrangements {
    std::vector<Arrangement> all;
    std::vector<std::vector<Step>> next;
  };

  // A set of frames, by their indices.
  using FrameSet = uint64_t;

  // The frames that move if one of them does. None if a wall stops them.
  FrameSet pushed_frames(const std::vector<int>& frames, size_t first, int action,
                         const Arrangement& arrangement) const;

  // Returns whether there are few.
  bool find_arrangements(const std::vector<int>& frames, Arrangements& arrangements) const;
  // Of each arrangement in turn.
  const std::pmr::vector<BitRow<1>>& reach(int object);
  RowsView reach(int object, size_t arrangement) {
    const auto height = static_cast<size_t>(world_.height());
    return RowsView(reach(object)).subspan(arrangement * height, height);
  }

  const World& world_;
  const Checkpoint checkpoint_;
  std::vector<int> frames_;
  Arrangements arrangements_;
  std::pmr::vector<std::pmr::vector<BitRow<1>>> reach_;  // of each object; when needed
};

}  // namespace pushworld
