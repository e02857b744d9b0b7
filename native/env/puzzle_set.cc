#include "env/puzzle_set.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace pushworld {
namespace {

// Appends the distances to a goal from all positions of its object.
void append_distances(const BitGrid& legal, Point goal, std::vector<uint16_t>& distances) {
  constexpr uint16_t kUnreached = std::numeric_limits<uint16_t>::max();
  const size_t begin = distances.size();
  distances.resize(begin + static_cast<size_t>(legal.width()) * legal.height(), kUnreached);
  const auto at = [&](Point p) -> uint16_t& {
    return distances[begin + static_cast<size_t>(p.y) * legal.width() + p.x];
  };
  std::vector<Point> reached;
  uint16_t largest = 0;
  const auto reach = [&](Point p, uint16_t distance) {
    if (!legal.contains(p) || !legal[p] || at(p) != kUnreached) return;
    at(p) = largest = distance;
    reached.push_back(p);
  };
  reach(goal, 0);
  for (size_t next = 0; next < reached.size(); ++next) {
    const Point p = reached[next];
    for (const Point delta : kDeltas) reach(p + delta, static_cast<uint16_t>(at(p) + 1));
  }
  std::replace(distances.begin() + static_cast<std::ptrdiff_t>(begin), distances.end(), kUnreached,
               static_cast<uint16_t>(largest + 1));
}

}  // namespace

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
  for (int goal = 0; goal < world.num_goals(); ++goal) {
    append_distances(world.legal(goal + 1), world.goals()[goal], puzzle.distances);
  }
  puzzle.agent_walls = agent_walls;
  puzzle.dynamics = std::move(dynamics);
  puzzles_.push_back(std::move(puzzle));
}

}  // namespace pushworld
