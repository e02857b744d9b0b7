// A distribution of random puzzles.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "util/hash.h"

namespace pushworld {

// A counter-based random number generator. Portable. The numbers of a stream depend on the key and
// the stream's number only.
class Random {
 public:
  Random(uint64_t key, uint64_t stream) : key_(mix(key ^ mix(stream + kIncrement))) {}

  uint64_t next() {
    counter_ += kIncrement;
    return mix(key_ + counter_);
  }

  // A uniform number in 0 .. count - 1. Rejection sampling avoids a bias to small numbers.
  uint32_t below(uint32_t count) {
    const uint64_t limit = UINT64_MAX - UINT64_MAX % count;
    uint64_t drawn = next();
    while (drawn >= limit) drawn = next();
    return static_cast<uint32_t>(drawn % count);
  }

  // A uniform number in first .. last.
  int between(int first, int last) {
    return first + static_cast<int>(below(static_cast<uint32_t>(last - first + 1)));
  }

 private:
  static constexpr uint64_t kIncrement = 0x9e3779b97f4a7c15u;

  uint64_t key_;
  uint64_t counter_ = 0;
};

struct Range {
  int first = 0;
  int last = 0;  // included
};

// The cells of a shape relative to the top-left corner of its bounding box.
using Cells = std::vector<Point>;

// Each number is uniform in its range, and each shape is uniform in its list. `width` and `height`
// are those of the interior, without the border of walls.
struct Distribution {
  Range width, height, walls, goals, obstacles;
  std::vector<Cells> agent_shapes;
  // The shapes of the first, second, ... object with a goal. The last list is used for all further
  // ones.
  std::vector<std::vector<Cells>> goal_shapes;
  std::vector<Cells> obstacle_shapes;
  // Whether all objects with goals have different shapes. The lists must have enough shapes.
  bool different_goal_shapes = true;
  // The minimal number of cells between the border and the start of an object with a goal.
  int goal_object_margin = 0;

  int max_objects() const { return 1 + goals.last + obstacles.last; }
  int max_cells() const;  // of one shape
  // A hash of all parameters.
  uint64_t fingerprint() const;
};

struct DraftObject {
  const Cells* shape;
  Point start;
  Point goal;  // only for the objects 1 to `num_goals`
};

// A random puzzle, which may be unsolvable. The first cell of the interior is (1, 1).
struct Draft {
  int width = 0;  // the border included
  int height = 0;
  int num_goals = 0;
  std::vector<Point> walls;          // without the border
  std::vector<DraftObject> objects;  // the agent, those with goals, the others
};

// Draws a puzzle in which walls, objects and goals do not overlap. Places one thing after the other
// at a uniform free position: each object with a goal and then its goal, the agent, the obstacles,
// the walls. Returns false if there is no free position.
bool draw(const Distribution& distribution, Random& random, Draft& draft);

// A hash that is invariant under rotations, reflections and renaming of objects.
uint64_t canonical_hash(const Draft& draft);

}  // namespace pushworld
