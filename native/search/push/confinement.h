// Where objects can get to that enclose each other, and what can push them there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "search/push/placements.h"

namespace pushworld {

// Positions in a world of at most 64 columns, a word for each row.
using Rows = std::vector<uint64_t>;
inline bool has(const Rows& rows, Point p) {
  return p.y >= 0 && p.y < static_cast<int>(rows.size()) && p.x >= 0 && p.x < 64 &&
         (rows[static_cast<size_t>(p.y)] >> p.x & 1);
}

// Frames are movables that leave each other few positions. All their arrangements are known, and
// for each of them the positions of every other object, whoever pushes it, if only walls and frames
// are in its way. So an object in a closed frame cannot get out. For worlds of at most 64 columns.
class Confinement {
 public:
  explicit Confinement(const World& world);

  bool is_frame(int object) const;
  // Whether the objects can be there, all in the same arrangement.
  bool admits(const Places& places);
  // The positions of an object in all arrangements.
  Rows positions(int object);

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

  // Moves a frame and those that it pushes. Returns whether that is possible.
  bool push_frames(const std::vector<int>& frames, size_t first, int action,
                   Arrangement& arrangement) const;

  // Returns whether there are few.
  bool find_arrangements(const std::vector<int>& frames, Arrangements& arrangements) const;
  const std::vector<Rows>& reach(int object);

  const World& world_;
  std::vector<int> frames_;
  Arrangements arrangements_;
  std::vector<std::vector<Rows>> reach_;  // of each object in each arrangement; when needed
};

// What can be pushed, if nothing is in the way but walls and frames: an object moves if it touches
// the agent, or an object that moves, at places to which they can have come in the same way.
class PushReach {
 public:
  PushReach(const World& world, Confinement& confinement);

  bool can_be(const Placed& placed) const {
    return has(positions_[static_cast<size_t>(placed.object)], placed.at);
  }
  bool can_move(const Placed& placed, int action) const {
    return has(moves_[static_cast<size_t>(placed.object)][static_cast<size_t>(action)], placed.at);
  }

 private:
  std::vector<Rows> positions_;
  std::vector<std::array<Rows, kNumActions>> moves_;
};

}  // namespace pushworld
