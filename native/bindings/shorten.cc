#include "search/shorten/shorten.h"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "bindings/bindings.h"

namespace nb = nanobind;

namespace pushworld {

void bind_shorten(nb::module_& m) {
  m.def(
      "shorten_plan",
      [](const Dynamics& dynamics, const std::vector<uint8_t>& plan, Control& control, int threads,
         bool prove) {
        SearchResult result = shorten_plan(dynamics, plan, control, threads, prove);
        result.peak_bytes += control.engine_bytes();
        return result;
      },
      nb::arg("dynamics"), nb::arg("plan"), nb::arg("control"), nb::arg("threads") = 1,
      nb::arg("prove") = false, nb::call_guard<nb::gil_scoped_release>());
  m.attr("MAX_PLAN_LENGTH") = kMaxPlanLength;
}

}  // namespace pushworld
