// The puzzles that environments choose from, and the frame that holds each of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"

namespace pushworld {

// Roles in the order of the planes; the slots of goals follow, then the other movables.
inline constexpr int kAgentPlane = 0;
inline constexpr int kAgentWallPlane = 1;
inline constexpr int kWallPlane = 2;
inline constexpr int kFirstGoalObjectPlane = 3;

struct Frame {
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

// Where an object is drawn: its plane, and its cells in a list of those of all objects.
struct ObjectCells {
  int plane_begin;  // in cells of the frame
  uint32_t begin;
  uint32_t end;
};

struct SmallPoint {
  int16_t x;
  int16_t y;
};

struct SetPuzzle {
  std::shared_ptr<const Dynamics> dynamics;
  std::vector<ObjectCells> objects;
  std::vector<SmallPoint> cells;
  std::vector<Point> free_cells;  // those without a wall
  std::vector<Point> agent_walls;

  const World& world() const { return dynamics->world(); }
};

class PuzzleSet {
 public:
  explicit PuzzleSet(Frame frame) : frame_(frame) {}

  // Throws std::invalid_argument if the puzzle does not fit into the frame.
  void add(std::shared_ptr<const Dynamics> dynamics, const std::vector<Point>& walls,
           const std::vector<Point>& agent_walls);

  const Frame& frame() const { return frame_; }
  int size() const { return static_cast<int>(puzzles_.size()); }
  const SetPuzzle& operator[](int index) const { return puzzles_[index]; }

 private:
  Frame frame_;
  std::vector<SetPuzzle> puzzles_;
};

}  // namespace pushworld
