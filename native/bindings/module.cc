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

namespace nb = nanobind;
using namespace pushworld;

namespace {

using PyPoint = std::pair<int, int>;
using PyObject_ = std::tuple<std::vector<PyPoint>, PyPoint, std::optional<PyPoint>>;
using States = nb::ndarray<Coordinate, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstStates = nb::ndarray<const Coordinate, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Point to_point(PyPoint p) { return {p.first, p.second}; }

std::vector<Point> to_points(const std::vector<PyPoint>& points) {
  std::vector<Point> result;
  for (const PyPoint& p : points) result.push_back(to_point(p));
  return result;
}

std::shared_ptr<Dynamics> make_dynamics(int width, int height, const std::vector<PyPoint>& walls,
                                        const std::vector<PyPoint>& agent_walls,
                                        const std::vector<PyObject_>& objects) {
  WorldSpec spec{width, height, to_points(walls), to_points(agent_walls), {}};
  for (const auto& [cells, start, goal] : objects) {
    spec.objects.push_back({to_points(cells), to_point(start), std::nullopt});
    if (goal) spec.objects.back().goal = to_point(*goal);
  }
  nb::gil_scoped_release release;
  return std::make_shared<Dynamics>(std::make_shared<World>(spec));
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
  nb::class_<Dynamics>(m, "Dynamics").def_prop_ro("num_objects", [](const Dynamics& d) {
    return d.world().num_objects();
  });
  m.def("make_dynamics", &make_dynamics, nb::arg("width"), nb::arg("height"), nb::arg("walls"),
        nb::arg("agent_walls"), nb::arg("objects"));
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
  bind_search(m);
  bind_shorten(m);
  bind_generate(m);
}
