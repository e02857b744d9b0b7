#include "generate/packed.h"

#include <algorithm>

namespace pushworld {
namespace {

void write(int16_t* place, Point p) {
  place[0] = static_cast<int16_t>(p.x);
  place[1] = static_cast<int16_t>(p.y);
}

}  // namespace

PackedPuzzles::PackedPuzzles(const std::vector<GeneratedPuzzle>& puzzles,
                             const Distribution& distribution)
    : count(puzzles.size()),
      height(distribution.height.last + 2),
      width(distribution.width.last + 2),
      num_objects(distribution.max_objects()),
      num_cells(distribution.max_cells()),
      plan_length(0) {
  for (const GeneratedPuzzle& puzzle : puzzles)
    plan_length = std::max(plan_length, puzzle.plan.size());
  sizes.resize(count * 2);
  walls.assign(count * height * width, 1);
  cells.assign(count * num_objects * num_cells * 2, -1);
  positions.assign(count * num_objects * 2, -1);
  goals.assign(count * num_objects * 2, -1);
  plans.assign(count * plan_length, UINT8_MAX);
  for (size_t i = 0; i < count; ++i) pack(i, puzzles[i]);
}

void PackedPuzzles::pack(size_t i, const GeneratedPuzzle& puzzle) {
  const Draft& draft = puzzle.draft;
  write(&sizes[i * 2], {draft.width, draft.height});
  uint8_t* grid = &walls[i * height * width];
  for (int y = 1; y < draft.height - 1; ++y) {
    std::fill_n(grid + y * width + 1, draft.width - 2, uint8_t{0});
  }
  for (const Point wall : draft.walls) grid[wall.y * width + wall.x] = 1;
  for (size_t object = 0; object < draft.objects.size(); ++object) {
    const DraftObject& drafted = draft.objects[object];
    const size_t place = i * num_objects + object;
    write(&positions[place * 2], drafted.start);
    if (object > 0 && static_cast<int>(object) <= draft.num_goals) {
      write(&goals[place * 2], drafted.goal);
    }
    int16_t* next = &cells[place * num_cells * 2];
    for (const Point cell : *drafted.shape) {
      write(next, cell);
      next += 2;
    }
  }
  std::copy(puzzle.plan.begin(), puzzle.plan.end(), plans.begin() + i * plan_length);
  lengths.push_back(static_cast<int32_t>(puzzle.plan.size()));
  candidates.push_back(puzzle.candidate);
  hashes.push_back(puzzle.hash);
}

}  // namespace pushworld
