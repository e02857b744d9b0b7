#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "learned/guided_search.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

using Planes = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using FramePlanes = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Policies = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Distances = nb::ndarray<float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

class Arrays {
 public:
  explicit Arrays(nb::dict arrays) : arrays_(std::move(arrays)) {}

  std::vector<float> operator[](const char* name) const {
    const auto array = nb::cast<Weights>(arrays_[name]);
    return {array.data(), array.data() + array.size()};
  }
  Network::Layer layer(const char* name, size_t taps, size_t inputs, size_t outputs) const {
    const std::string bias = std::string(name) + "_bias";
    return {(*this)[name], arrays_.contains(bias.c_str()) ? (*this)[bias.c_str()] : Floats{}, taps,
            inputs, outputs};
  }

 private:
  using Floats = std::vector<float>;
  nb::dict arrays_;
};

Network make_network(const nb::dict& arrays, int repeats, const std::vector<float>& distances) {
  const Arrays weights(arrays);
  const size_t width = weights["back_bias"].size();
  const size_t outputs = kNumActions + distances.size();
  return Network(
      {weights.layer("embed", kTaps, kNumPlanes, width), weights.layer("mix", kTaps, width, width),
       weights.layer("world", 1, 2 * width, width), weights.layer("back", 1, width, width),
       weights.layer("read", 1, width, 2 * width), weights.layer("heads", 1, 2 * width, outputs)},
      width, repeats, distances);
}

void check_planes(size_t planes) {
  if (planes != kNumPlanes) throw std::invalid_argument("wrong number of planes");
}

void evaluate(const Network& network, Planes planes, Policies policies, Distances distances) {
  check_planes(planes.shape(3));
  for (size_t axis = 0; axis < 3; ++axis) {
    if (policies.shape(axis) != planes.shape(axis) || distances.shape(axis) != planes.shape(axis)) {
      throw std::invalid_argument("policies and distances must have the shape of the planes");
    }
  }
  if (policies.shape(3) != kNumActions) throw std::invalid_argument("policies are of four actions");
  const int height = static_cast<int>(planes.shape(1));
  const int width = static_cast<int>(planes.shape(2));
  const size_t cells = planes.shape(1) * planes.shape(2);
  nb::gil_scoped_release release;
  UnlimitedGuard unlimited;
  NetworkRun run(network, height, width, unlimited.guard());
  for (size_t i = 0; i < planes.shape(0); ++i) {
    std::copy_n(planes.data() + i * cells * kNumPlanes, cells * kNumPlanes, run.planes());
    run.evaluate();
    std::copy_n(run.policy(0), kNumActions * cells, policies.data() + i * kNumActions * cells);
    for (size_t cell = 0; cell < cells; ++cell) {
      distances.data()[i * cells + cell] = run.distance(cell);
    }
  }
}

Frame make_frame(int left, int top, FramePlanes planes) {
  check_planes(planes.shape(2));
  return {left, top, static_cast<int>(planes.shape(1)), static_cast<int>(planes.shape(0)),
          std::vector<float>(planes.data(), planes.data() + planes.size())};
}

}  // namespace

void bind_learned(nb::module_& m) {
  nb::class_<Network>(m, "Network")
      .def(
          "__init__",
          [](Network* network, const nb::dict& weights, int repeats,
             const std::vector<float>& class_distances) {
            new (network) Network(make_network(weights, repeats, class_distances));
          },
          nb::arg("weights"), nb::arg("repeats"), nb::arg("class_distances"))
      .def("evaluate", &evaluate, nb::arg("planes").noconvert(), nb::arg("policies").noconvert(),
           nb::arg("distances").noconvert());
  nb::class_<Frame>(m, "Frame")
      .def(
          "__init__",
          [](Frame* frame, int left, int top, FramePlanes planes) {
            new (frame) Frame(make_frame(left, top, planes));
          },
          nb::arg("left"), nb::arg("top"), nb::arg("planes").noconvert());
  m.def(
      "draw_planes",
      [](const Dynamics& dynamics, const Frame& frame,
         nb::ndarray<const int16_t, nb::shape<-1, -1, 2>, nb::c_contig, nb::device::cpu> states,
         nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu> planes) {
        const size_t cells = planes.shape(1) * planes.shape(2) * planes.shape(3);
        if (planes.shape(0) != states.shape(0) || cells != frame.planes.size()) {
          throw std::invalid_argument("there must be planes of the frame for each state");
        }
        if (states.shape(1) != static_cast<size_t>(dynamics.world().num_objects())) {
          throw std::invalid_argument("states must have a position for each object");
        }
        UnlimitedGuard unlimited;
        Observer observer(dynamics.world(), frame, unlimited.guard());
        std::vector<Point> positions(states.shape(1));
        for (size_t i = 0; i < states.shape(0); ++i) {
          const int16_t* const state = states.data() + 2 * i * positions.size();
          for (size_t k = 0; k < positions.size(); ++k) {
            positions[k] = {state[2 * k], state[2 * k + 1]};
          }
          observer.draw(positions.data(), planes.data() + i * frame.planes.size());
        }
      },
      nb::arg("dynamics"), nb::arg("frame"), nb::arg("states").noconvert(),
      nb::arg("planes").noconvert());
  m.def(
      "solve_guided",
      [](const Dynamics& dynamics, Control& control, const Network& network, const Frame& frame,
         float distance_weight, float sharpness, float uniform, float network_share) {
        nb::gil_scoped_release release;
        SearchResult result = solve_guided(dynamics, control, network, frame,
                                           {distance_weight, sharpness, uniform, network_share});
        result.peak_bytes += control.engine_bytes();
        return result;
      },
      nb::arg("dynamics"), nb::arg("control"), nb::arg("network"), nb::arg("frame"), nb::kw_only(),
      nb::arg("distance_weight"), nb::arg("sharpness"), nb::arg("uniform"),
      nb::arg("network_share"));
}

}  // namespace pushworld
