// The Python interface of the native code: conversions only, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "bindings/bindings.h"
#include "engine/dynamics.h"
#include "engine/world.h"
#include "search/core/control.h"

namespace nb = nanobind;
using namespace pushworld;

namespace {

using States = nb::ndarray<Coordinate, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstStates = nb::ndarray<const Coordinate, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Point to_point(PyPoint p) { return {p.first, p.second}; }

void append(const std::vector<PyPoint>& points, std::vector<Point>& to) {
  const std::vector<Point> more = to_points(points);
  to.insert(to.end(), more.begin(), more.end());
}

// Makes the engine within the limits of a search, if there is one. Throws SearchStopped.
std::shared_ptr<Dynamics> make_dynamics(const WorldSpec& spec, Control* control) {
  nb::gil_scoped_release release;
  Checkpoint checkpoint = ignore_checkpoint;
  if (control) {
    checkpoint = [control](size_t bytes) {
      control->check();
      if (!control->take_for_engine(bytes)) throw SearchStopped(Status::kMemoryLimit);
    };
  }
  return std::make_shared<Dynamics>(std::make_shared<World>(spec, checkpoint), checkpoint);
}

template <typename Array>
void check_shape(const Dynamics& dynamics, const Array& states) {
  if (states.shape(1) * 2 != dynamics.state_size() || states.shape(2) != 2) {
    throw std::invalid_argument("states must have the shape (count, objects, 2)");
  }
}

void check_count(size_t count, size_t expected) {
  if (count != expected) throw std::invalid_argument("the arrays differ in length");
}

}  // namespace

NB_MODULE(_native, m) {
  // Other libraries may keep objects until the process ends; that is no news for users.
  nb::set_leak_warnings(false);
  nb::class_<Dynamics>(m, "Dynamics").def_prop_ro("num_objects", [](const Dynamics& d) {
    return d.world().num_objects();
  });
  // A world may have a million cells, so Python adds them part by part.
  using Points = std::vector<PyPoint>;
  nb::class_<WorldSpec>(m, "WorldSpec")
      .def("__init__", [](WorldSpec* spec, int width,
                          int height) { new (spec) WorldSpec{width, height, {}, {}, {}}; })
      .def("add_walls", [](WorldSpec& spec, const Points& cells) { append(cells, spec.walls); })
      .def("add_agent_walls",
           [](WorldSpec& spec, const Points& cells) { append(cells, spec.agent_walls); })
      .def(
          "add_object",
          [](WorldSpec& spec, PyPoint start, std::optional<PyPoint> goal) {
            spec.objects.push_back({{}, to_point(start), std::nullopt});
            if (goal) spec.objects.back().goal = to_point(*goal);
          },
          nb::arg("start"), nb::arg("goal").none())
      // Adds to the object that was added last.
      .def("add_cells", [](WorldSpec& spec, const Points& cells) {
        if (spec.objects.empty()) throw std::invalid_argument("there is no object to add cells to");
        append(cells, spec.objects.back().cells);
      });
  bind_search(m);
  m.def("make_dynamics", &make_dynamics, nb::arg("spec"), nb::arg("control") = nb::none());
  m.def(
      "step_batch",
      [](const Dynamics& dynamics, States states, Actions actions, std::optional<Flags> moved,
         int threads) {
        check_shape(dynamics, states);
        check_count(actions.shape(0), states.shape(0));
        if (moved) check_count(moved->shape(0), states.shape(0));
        nb::gil_scoped_release release;
        dynamics.step_batch(states.data(), actions.data(), states.shape(0),
                            moved ? moved->data() : nullptr, threads);
      },
      nb::arg("dynamics"), nb::arg("states").noconvert(), nb::arg("actions").noconvert(),
      nb::arg("moved").noconvert() = nb::none(), nb::arg("threads") = 1);
  m.def(
      "achieved_goals",
      [](const Dynamics& dynamics, ConstStates states, Counts achieved) {
        check_shape(dynamics, states);
        check_count(achieved.shape(0), states.shape(0));
        nb::gil_scoped_release release;
        for (size_t i = 0; i < states.shape(0); ++i) {
          achieved.data()[i] = static_cast<uint16_t>(
              dynamics.achieved_goals(states.data() + i * dynamics.state_size()));
        }
      },
      nb::arg("dynamics"), nb::arg("states").noconvert(), nb::arg("achieved").noconvert());
  bind_env(m);
  bind_generate(m);
}
