// The puzzles of a batch of environments, and their common frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"

namespace pushworld {

// The first planes. Two planes for each goal follow, then one for the movables without goals.
inline constexpr int kAgentPlane = 0;
inline constexpr int kAgentWallPlane = 1;
inline constexpr int kWallPlane = 2;
inline constexpr int kFirstGoalObjectPlane = 3;

// The common size of all observations: at least that of the largest puzzle.
struct ObservationSize {
  int width = 0;
  int height = 0;
  int goals = 0;
  int objects = 0;

  int cells() const { return width * height; }
  int object_plane(int goal) const { return kFirstGoalObjectPlane + 2 * goal; }
  int goal_plane(int goal) const { return object_plane(goal) + 1; }
  int other_movables() const { return object_plane(goals); }
  int num_planes() const { return other_movables() + 1; }
  size_t planes_size() const { return static_cast<size_t>(num_planes()) * cells(); }
};

// The plane of an object, and its range in `SetPuzzle::cells`.
struct ObjectCells {
  int plane_begin;  // the index of the plane's first cell
  uint32_t begin;
  uint32_t end;
};

struct SmallPoint {
  int16_t x;
  int16_t y;
};

// What every step reads is in the first cache line.
struct alignas(64) SetPuzzle {
  std::shared_ptr<const Dynamics> dynamics;
  std::vector<ObjectCells> objects;
  std::vector<SmallPoint> cells;
  std::vector<Point> free_cells;  // the cells without walls
  std::vector<Point> agent_walls;
  // For each goal and each position of its object, the number of moves to the goal on a way that
  // respects walls and ignores other objects. Where there is no way: one more than the largest.
  std::vector<uint16_t> distances;

  const World& world() const { return dynamics->world(); }
  // The sum of these distances over the goals.
  int distance(const Coordinate* state) const {
    const size_t width = world().width();
    const size_t cells = width * world().height();
    int sum = 0;
    for (int goal = 0; goal < world().num_goals(); ++goal) {
      const Coordinate* position = state + 2 * (goal + 1);
      sum += distances[goal * cells + position[1] * width + position[0]];
    }
    return sum;
  }
};

class PuzzleSet {
 public:
  explicit PuzzleSet(ObservationSize frame) : frame_(frame) {}

  // Throws std::invalid_argument if the puzzle does not fit into the frame.
  void add(std::shared_ptr<const Dynamics> dynamics, const std::vector<Point>& walls,
           const std::vector<Point>& agent_walls);

  const ObservationSize& frame() const { return frame_; }
  int size() const { return static_cast<int>(puzzles_.size()); }
  const SetPuzzle& operator[](int index) const { return puzzles_[index]; }

 private:
  ObservationSize frame_;
  std::vector<SetPuzzle> puzzles_;
};

}  // namespace pushworld
