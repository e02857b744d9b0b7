#include "search/shorten/shorten.h"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "bindings/bindings.h"

namespace nb = nanobind;

namespace pushworld {

void bind_shorten(nb::module_& m) {
  m.def("shorten_plan", &shorten_plan, nb::arg("dynamics"), nb::arg("plan"), nb::arg("control"),
        nb::call_guard<nb::gil_scoped_release>());
  m.attr("MAX_PLAN_LENGTH") = kMaxPlanLength;
}

}  // namespace pushworld
