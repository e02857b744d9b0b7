#include "env/puzzle_set.h"

#include <stdexcept>

namespace pushworld {

void PuzzleSet::add(std::shared_ptr<const Dynamics> dynamics, const std::vector<Point>& walls,
                    const std::vector<Point>& agent_walls) {
  const World& world = dynamics->world();
  if (world.width() > frame_.width || world.height() > frame_.height ||
      world.num_goals() > frame_.goals || world.num_objects() > frame_.objects) {
    throw std::invalid_argument("the puzzle does not fit into the frame of the set");
  }
  SetPuzzle puzzle;
  BitGrid wall_cells(world.width(), world.height());
  for (const Point wall : walls) {
    if (!wall_cells.contains(wall)) throw std::invalid_argument("a wall is outside the world");
    wall_cells.set(wall);
  }
  for (const Point wall : agent_walls) {
    if (!wall_cells.contains(wall)) {
      throw std::invalid_argument("an agent wall is outside the world");
    }
  }
  for (int y = 0; y < world.height(); ++y) {
    for (int x = 0; x < world.width(); ++x) {
      if (!wall_cells[{x, y}]) puzzle.free_cells.push_back({x, y});
    }
  }
  for (int object = 0; object < world.num_objects(); ++object) {
    const int plane = object == 0                   ? kAgentPlane
                      : object <= world.num_goals() ? frame_.object_plane(object - 1)
                                                    : frame_.other_movables();
    const uint32_t begin = static_cast<uint32_t>(puzzle.cells.size());
    for (const Point cell : world.shape_of(object).cells) {
      puzzle.cells.push_back({static_cast<int16_t>(cell.x), static_cast<int16_t>(cell.y)});
    }
    const uint32_t end = static_cast<uint32_t>(puzzle.cells.size());
    puzzle.objects.push_back({plane * frame_.cells(), begin, end});
  }
  puzzle.agent_walls = agent_walls;
  puzzle.dynamics = std::move(dynamics);
  puzzles_.push_back(std::move(puzzle));
}

}  // namespace pushworld
