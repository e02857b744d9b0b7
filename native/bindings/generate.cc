#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <initializer_list>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "generate/packed.h"
#include "generate/stream.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeBetweenSignalChecks = std::chrono::milliseconds(50);

using PyRange = std::pair<int, int>;
using PyShapes = std::vector<std::vector<std::pair<int, int>>>;

Range to_range(PyRange range) { return {range.first, range.second}; }

std::vector<Cells> to_shapes(const PyShapes& shapes) {
  std::vector<Cells> result;
  for (const auto& shape : shapes) {
    result.emplace_back();
    for (const auto& [x, y] : shape) result.back().push_back({x, y});
  }
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

// Moves the numbers into a NumPy array without a copy.
template <typename T>
nb::object to_array(std::vector<T>& numbers, std::initializer_list<size_t> shape) {
  auto* owned = new std::vector<T>(std::move(numbers));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}

nb::dict take(PuzzleStream& stream, size_t count, uint64_t max_candidates, int threads) {
  bool interrupted = false;
  PackedPuzzles packed = [&] {
    nb::gil_scoped_release release;
    const auto should_stop = [&, last = Clock::now()]() mutable {
      if (Clock::now() - last < kTimeBetweenSignalChecks) return false;
      last = Clock::now();
      nb::gil_scoped_acquire acquire;
      return interrupted = PyErr_CheckSignals() != 0;
    };
    return PackedPuzzles(stream.take(count, max_candidates, threads, should_stop),
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
  result["candidates"] = counts.candidates;
  result["no_room"] = counts.no_room;
  result["other_split"] = counts.other_split;
  result["unsolvable"] = counts.unsolvable;
  result["too_many_states"] = counts.too_many_states;
  result["other_length"] = counts.other_length;
  result["duplicates"] = counts.duplicates;
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
      .def("take", &take, nb::arg("count"), nb::arg("max_candidates"), nb::arg("threads"))
      .def("tally", &tally);
}

}  // namespace pushworld
