// What to draw puzzles from, and one draw.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "generate/random.h"

namespace pushworld {

struct Range {
  int first = 0;
  int last = 0;  // included
};

// The cells of a shape relative to the top-left corner of its bounding box.
using Cells = std::vector<Point>;

// Every number is uniform in its range and every shape in its list. Lengths are those of the
// interior, without the border of walls.
struct Distribution {
  Range width, height, walls, goals, obstacles;
  std::vector<Cells> agent_shapes;
  // The shapes of the first, second, ... object with a goal; the last list also serves the rest.
  std::vector<std::vector<Cells>> goal_shapes;
  std::vector<Cells> obstacle_shapes;
  // Whether no two objects with goals may have the same shape; the lists must allow for that.
  bool different_goal_shapes = true;
  // How many cells of the interior lie between an object with a goal and the border at the start.
  int goal_object_margin = 0;

  int max_objects() const { return 1 + goals.last + obstacles.last; }
  int max_cells() const;  // of one shape
  // A number that differs between different distributions.
  uint64_t fingerprint() const;
};

struct DraftObject {
  const Cells* shape;
  Point start;
  Point goal;  // only of the objects after the agent up to `num_goals`
};

// A puzzle that nobody has tried to solve yet. Positions count from (1, 1), after the border.
struct Draft {
  int width = 0;  // the border included
  int height = 0;
  int num_goals = 0;
  std::vector<Point> walls;          // without the border
  std::vector<DraftObject> objects;  // the agent, those with goals, the others
};

// Draws a puzzle in which no two of walls, objects and goals share a cell. Each finds a uniformly
// drawn place among those that are left: first each object with a goal, followed by its goal, then
// the agent, the obstacles, and the walls. Returns false if there is no room for one of them.
bool draw(const Distribution& distribution, Random& random, Draft& draft);

}  // namespace pushworld
