#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "env/batch.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

template <typename T, size_t dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

template <typename T>
T* data_of(const Array<T, 1>& array, size_t count) {
  require(array.shape(0) == count, "the arrays differ in length");
  return array.data();
}

template <typename T>
const T* data_of(const std::optional<Array<const T, 1>>& array, size_t count) {
  return array ? data_of(*array, count) : nullptr;
}

int8_t* masks_of(const Array<int8_t, 2>& masks, size_t count) {
  require(masks.shape(0) == count && masks.shape(1) == kNumActions,
          "the action masks must have the shape (environments, actions)");
  return masks.data();
}

void make_batch(Batch* place, std::shared_ptr<PuzzleSet> puzzles,
                const std::optional<Array<uint8_t, 4>>& planes,
                const std::optional<Array<Coordinate, 3>>& positions,
                const Array<double, 1>& rewards, const Array<bool, 1>& terminated,
                const Array<bool, 1>& truncated, const Array<int64_t, 1>& achieved,
                const Array<bool, 1>& moved, const Array<int64_t, 1>& puzzle_indices,
                const std::optional<Array<int8_t, 2>>& action_masks, bool symmetries,
                bool placement, int max_steps, double solved_reward, double goal_reward,
                double step_penalty, double shaping, double discount) {
  const ObservationSize& frame = puzzles->frame();
  const size_t count = rewards.shape(0);
  Outputs outputs;
  if (planes) {
    require(planes->shape(0) == count && planes->size() == count * frame.planes_size(),
            "the planes must have the shape (environments, planes, height, width)");
    outputs.planes = planes->data();
  }
  if (positions) {
    require(positions->shape(0) == count && positions->size() == count * 2 * frame.objects,
            "the positions must have the shape (environments, objects, 2)");
    outputs.positions = positions->data();
  }
  outputs.rewards = data_of(rewards, count);
  outputs.terminated = data_of(terminated, count);
  outputs.truncated = data_of(truncated, count);
  outputs.achieved = data_of(achieved, count);
  outputs.moved = data_of(moved, count);
  outputs.puzzles = data_of(puzzle_indices, count);
  if (action_masks) outputs.action_masks = masks_of(*action_masks, count);
  const EpisodeRules rules{symmetries,  placement,    max_steps, solved_reward,
                           goal_reward, step_penalty, shaping,   discount};
  new (place) Batch(std::move(puzzles), count, rules, outputs);
}

void check_puzzle(const Batch& batch, int64_t puzzle) {
  require(puzzle >= kAnyPuzzle && puzzle < batch.puzzles().size(), "there is no such puzzle");
}

void check_env(const Batch& batch, size_t env) {
  require(env < batch.size(), "there is no such environment");
}

void check_started(const Batch& batch, size_t env) {
  check_env(batch, env);
  require(batch.episode(env).puzzle, "reset an environment before its first step");
}

void set_generators(Batch& batch, const Array<const int64_t, 1>& envs,
                    const Array<const uint64_t, 2>& generators) {
  require(generators.shape(0) == envs.shape(0) && generators.shape(1) == 4,
          "the generators must have the shape (environments, 4)");
  for (size_t i = 0; i < envs.shape(0); ++i) {
    const size_t env = static_cast<size_t>(envs.data()[i]);
    check_env(batch, env);
    const uint64_t* words = generators.data() + 4 * i;
    batch.set_generator(env, {{words[0], words[1]}, {words[2], words[3]}});
  }
}

std::tuple<int, int, PyPoint> view_of(const Batch& batch, size_t env) {
  check_started(batch, env);
  const Episode& episode = batch.episode(env);
  const int puzzle = static_cast<int>(episode.puzzle - &batch.puzzles()[0]);
  const Point offset = episode.view.offset();
  return {puzzle, episode.view.symmetry(), {offset.x, offset.y}};
}

std::vector<PyPoint> positions_of(const Batch& batch, size_t env) {
  check_started(batch, env);
  std::vector<PyPoint> positions;
  for (int object = 0; object < batch.episode(env).puzzle->world().num_objects(); ++object) {
    const Point corner = batch.position_in_frame(env, object);
    positions.emplace_back(corner.x, corner.y);
  }
  return positions;
}

}  // namespace

void bind_env(nb::module_& m) {
  nb::class_<PuzzleSet>(m, "PuzzleSet")
      .def(
          "__init__",
          [](PuzzleSet* place, int width, int height, int goals, int objects) {
            new (place) PuzzleSet({width, height, goals, objects});
          },
          nb::kw_only(), nb::arg("width"), nb::arg("height"), nb::arg("goals"), nb::arg("objects"))
      .def(
          "add",
          [](PuzzleSet& puzzles, std::shared_ptr<Dynamics> dynamics,
             const std::vector<PyPoint>& walls, const std::vector<PyPoint>& agent_walls) {
            puzzles.add(std::move(dynamics), to_points(walls), to_points(agent_walls));
          },
          nb::arg("dynamics"), nb::arg("walls"), nb::arg("agent_walls"));

  // A batch writes into the caller's arrays and keeps them alive.
  nb::class_<Batch>(m, "Batch")
      .def("__init__", &make_batch, nb::arg("puzzles"), nb::arg("planes").noconvert().none(),
           nb::arg("positions").noconvert().none(), nb::arg("rewards").noconvert(),
           nb::arg("terminated").noconvert(), nb::arg("truncated").noconvert(),
           nb::arg("achieved").noconvert(), nb::arg("moved").noconvert(),
           nb::arg("puzzle_indices").noconvert(), nb::arg("action_masks").noconvert().none(),
           nb::kw_only(), nb::arg("symmetries"), nb::arg("placement"), nb::arg("max_steps"),
           nb::arg("solved_reward"), nb::arg("goal_reward"), nb::arg("step_penalty"),
           nb::arg("shaping"), nb::arg("discount"), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
           nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
           nb::keep_alive<1, 8>(), nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>(),
           nb::keep_alive<1, 11>())
      .def("set_generators", &set_generators, nb::arg("envs").noconvert(),
           nb::arg("generators").noconvert())
      .def(
          "reset",
          [](Batch& batch, size_t env, uint64_t seed, int64_t puzzle) {
            check_env(batch, env);
            check_puzzle(batch, puzzle);
            batch.reset(env, seed, puzzle);
          },
          nb::arg("env"), nb::arg("seed"), nb::arg("puzzle") = kAnyPuzzle)
      .def(
          "reset_all",
          [](Batch& batch, const std::optional<Array<const bool, 1>>& mask,
             const std::optional<Array<const int64_t, 1>>& puzzles, int threads) {
            const bool* marked = data_of(mask, batch.size());
            const int64_t* chosen = data_of(puzzles, batch.size());
            for (size_t i = 0; chosen && i < batch.size(); ++i) check_puzzle(batch, chosen[i]);
            nb::gil_scoped_release release;
            batch.reset_all(marked, chosen, threads);
          },
          nb::arg("mask").noconvert().none(), nb::arg("puzzles").noconvert().none(),
          nb::arg("threads"))
      .def(
          "step",
          [](Batch& batch, size_t env, int action) {
            check_started(batch, env);
            require(action >= 0 && action < kNumActions, "actions must be 0, 1, 2 or 3");
            batch.step(env, action);
            const Outputs& out = batch.outputs();
            return std::tuple(out.rewards[env], out.terminated[env], out.truncated[env],
                              out.achieved[env], out.moved[env]);
          },
          nb::arg("env"), nb::arg("action"))
      .def(
          "step_all",
          [](Batch& batch, const Array<const int64_t, 1>& actions,
             const std::optional<Array<const bool, 1>>& resets, int threads) {
            require(batch.is_started(), "reset all environments before the first step");
            const int64_t* chosen = data_of(actions, batch.size());
            const bool* begins = data_of(resets, batch.size());
            nb::gil_scoped_release release;
            batch.step_all(chosen, begins, threads);
          },
          nb::arg("actions").noconvert(), nb::arg("resets").noconvert().none(), nb::arg("threads"))
      .def("view", &view_of, nb::arg("env"))
      .def("positions", &positions_of, nb::arg("env"));
  m.attr("ANY_PUZZLE") = kAnyPuzzle;
}

}  // namespace pushworld
