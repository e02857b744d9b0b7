#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "generate/stream.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeBetweenSignalChecks = std::chrono::milliseconds(50);

using PyRange = std::pair<int, int>;
using PyShapes = std::vector<std::vector<PyPoint>>;

Range to_range(PyRange range) { return {range.first, range.second}; }

std::vector<Cells> to_shapes(const PyShapes& shapes) {
  std::vector<Cells> result;
  for (const auto& shape : shapes) result.push_back(to_points(shape));
  return result;
}

Distribution make_distribution(PyRange width, PyRange height, PyRange walls, PyRange goals,
                               PyRange obstacles, const PyShapes& agent_shapes,
                               const std::vector<PyShapes>& goal_shapes,
                               const PyShapes& obstacle_shapes, bool different_goal_shapes,
                               int goal_object_margin) {
  Distribution made;
  made.width = to_range(width);
  made.height = to_range(height);
  made.walls = to_range(walls);
  made.goals = to_range(goals);
  made.obstacles = to_range(obstacles);
  made.agent_shapes = to_shapes(agent_shapes);
  for (const PyShapes& shapes : goal_shapes) made.goal_shapes.push_back(to_shapes(shapes));
  made.obstacle_shapes = to_shapes(obstacle_shapes);
  made.different_goal_shapes = different_goal_shapes;
  made.goal_object_margin = goal_object_margin;
  return made;
}

void write(int16_t* place, Point p) {
  place[0] = static_cast<int16_t>(p.x);
  place[1] = static_cast<int16_t>(p.y);
}

// Puzzles of different sizes as padded arrays. The first dimension of each is the number of
// puzzles. A puzzle occupies the top-left corner of its grid; the padding is wall. The padding of
// other arrays is -1, or 255 in `plans`.
struct PackedPuzzles {
  PackedPuzzles(const std::vector<GeneratedPuzzle>& puzzles, const Distribution& distribution);

  size_t count, height, width, num_objects, num_cells, plan_length;
  std::vector<int16_t> sizes;      // width and height, the border included
  std::vector<uint8_t> walls;      // height x width
  std::vector<int16_t> cells;      // objects x cells x (x, y), relative to the position
  std::vector<int16_t> positions;  // objects x (x, y)
  std::vector<int16_t> goals;      // objects x (x, y)
  std::vector<uint8_t> plans;      // plan_length, the length of the longest plan
  std::vector<int32_t> lengths;
  std::vector<uint64_t> candidates;
  std::vector<uint64_t> hashes;

 private:
  void pack(size_t i, const GeneratedPuzzle& puzzle);
};

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

// Moves the numbers into a NumPy array without a copy.
template <typename T>
nb::object to_array(std::vector<T>& numbers, std::initializer_list<size_t> shape) {
  auto* owned = new std::vector<T>(std::move(numbers));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}

nb::dict take(PuzzleStream& stream, size_t count, uint64_t max_fruitless, int threads) {
  bool interrupted = false;
  PackedPuzzles packed = [&] {
    nb::gil_scoped_release release;
    const auto should_stop = [&, last = Clock::now()]() mutable {
      if (Clock::now() - last < kTimeBetweenSignalChecks) return false;
      last = Clock::now();
      nb::gil_scoped_acquire acquire;
      return interrupted = PyErr_CheckSignals() != 0;
    };
    return PackedPuzzles(stream.take(count, max_fruitless, threads, should_stop),
                         stream.distribution());
  }();
  if (interrupted) throw nb::python_error();
  const size_t n = packed.count, objects = packed.num_objects;
  nb::dict arrays;
  arrays["sizes"] = to_array(packed.sizes, {n, 2});
  arrays["walls"] = to_array(packed.walls, {n, packed.height, packed.width});
  arrays["cells"] = to_array(packed.cells, {n, objects, packed.num_cells, 2});
  arrays["positions"] = to_array(packed.positions, {n, objects, 2});
  arrays["goals"] = to_array(packed.goals, {n, objects, 2});
  arrays["plans"] = to_array(packed.plans, {n, packed.plan_length});
  arrays["lengths"] = to_array(packed.lengths, {n});
  arrays["candidates"] = to_array(packed.candidates, {n});
  arrays["hashes"] = to_array(packed.hashes, {n});
  return arrays;
}

nb::dict tally(const PuzzleStream& stream) {
  const Tally& counts = stream.tally();
  nb::dict result;
  result["candidates"] = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  for (size_t verdict = 1; verdict < counts.size(); ++verdict) {
    result[kVerdictNames[verdict]] = counts[verdict];
  }
  return result;
}

}  // namespace

void bind_generate(nb::module_& m) {
  nb::class_<Distribution>(m, "Distribution")
      .def(nb::new_(&make_distribution), nb::kw_only(), nb::arg("width"), nb::arg("height"),
           nb::arg("walls"), nb::arg("goals"), nb::arg("obstacles"), nb::arg("agent_shapes"),
           nb::arg("goal_shapes"), nb::arg("obstacle_shapes"), nb::arg("different_goal_shapes"),
           nb::arg("goal_object_margin"));
  nb::enum_<Split>(m, "Split")
      .value("ANY", Split::kAny)
      .value("TRAIN", Split::kTrain)
      .value("TEST", Split::kTest);
  nb::class_<PuzzleStream>(m, "PuzzleStream")
      .def(
          "__init__",
          [](PuzzleStream* self, const Distribution& distribution, uint64_t seed, Split split,
             int min_length, int max_length, uint32_t max_states, uint64_t first_candidate,
             const std::vector<uint64_t>& made_before) {
            const PuzzleCriteria criteria{min_length, max_length, max_states, split};
            new (self) PuzzleStream(distribution, criteria, seed, first_candidate, made_before);
          },
          nb::arg("distribution"), nb::kw_only(), nb::arg("seed"), nb::arg("split"),
          nb::arg("min_length"), nb::arg("max_length"), nb::arg("max_states"),
          nb::arg("first_candidate"), nb::arg("made_before"))
      .def("take", &take, nb::arg("count"), nb::arg("max_fruitless"), nb::arg("threads"))
      .def("tally", &tally);
}

}  // namespace pushworld
