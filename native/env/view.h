// The view of a puzzle in an episode: a symmetry and an offset in a frame of walls.
#pragma once

#include <array>
#include <cstdint>

#include "engine/world.h"

namespace pushworld {

struct Matrix {
  int xx, xy, yx, yy;
};

inline constexpr int kNumSymmetries = 8;
// Maps a cell (x, y) to (xx x + xy y, yx x + yy y). The order is that of the Python class Symmetry.
inline constexpr std::array<Matrix, kNumSymmetries> kSymmetries = {{{1, 0, 0, 1},
                                                                    {0, -1, 1, 0},
                                                                    {-1, 0, 0, -1},
                                                                    {0, 1, -1, 0},
                                                                    {-1, 0, 0, 1},
                                                                    {1, 0, 0, -1},
                                                                    {0, 1, 1, 0},
                                                                    {0, -1, -1, 0}}};

// Those that keep rows horizontal, which fit wherever the puzzle does.
inline constexpr std::array<int, 4> kUprightSymmetries = {0, 2, 4, 5};

// The size (width, height) of a world after a symmetry.
inline Point turned_size(int symmetry, Point size) {
  return kSymmetries[symmetry].xx == 0 ? Point{size.y, size.x} : size;
}

// Maps the cells of a puzzle to the frame, and actions in the frame to actions of the puzzle.
class View {
 public:
  View() = default;
  // Applies the symmetry to a world of the given size, then places it at `offset` in the frame.
  View(int symmetry, Point size, Point offset, int frame_width)
      : symmetry_(symmetry), offset_(offset) {
    const auto [xx, xy, yx, yy] = kSymmetries[symmetry];
    const Point last{xx * (size.x - 1) + xy * (size.y - 1), yx * (size.x - 1) + yy * (size.y - 1)};
    shift_ = offset + Point{last.x < 0 ? -last.x : 0, last.y < 0 ? -last.y : 0};
    origin_ = shift_.y * frame_width + shift_.x;
    step_x_ = yx * frame_width + xx;
    step_y_ = yy * frame_width + xy;
    for (int action = 0; action < kNumActions; ++action) {
      // The inverse of these matrices is their transpose.
      const Point delta = kDeltas[action];
      const Point inverse{xx * delta.x + yx * delta.y, xy * delta.x + yy * delta.y};
      for (int other = 0; other < kNumActions; ++other) {
        if (kDeltas[other] == inverse) puzzle_action_[action] = static_cast<uint8_t>(other);
      }
    }
  }

  int symmetry() const { return symmetry_; }
  Point offset() const { return offset_; }
  // The action of the puzzle for an action in the frame.
  int puzzle_action(int action) const { return puzzle_action_[action]; }
  // The index of a cell of the puzzle in a plane of the frame.
  int cell_index(int x, int y) const { return origin_ + index_step(x, y); }
  // The difference of the indices of two cells that differ by (x, y).
  int index_step(int x, int y) const { return x * step_x_ + y * step_y_; }
  // The top-left corner in the frame of an object at a position of the puzzle.
  Point corner(Point position, const Shape& shape) const {
    const Point one = apply(position);
    const Point other = apply(position + Point{shape.width - 1, shape.height - 1});
    return {one.x < other.x ? one.x : other.x, one.y < other.y ? one.y : other.y};
  }

 private:
  Point apply(Point p) const {
    const auto [xx, xy, yx, yy] = kSymmetries[symmetry_];
    return shift_ + Point{xx * p.x + xy * p.y, yx * p.x + yy * p.y};
  }

  int origin_ = 0;
  int step_x_ = 1;
  int step_y_ = 0;
  std::array<uint8_t, kNumActions> puzzle_action_ = {0, 1, 2, 3};
  int symmetry_ = 0;
  Point offset_;
  Point shift_;
};

}  // namespace pushworld
