// The searches' part of the Python interface.
#pragma once

#include <nanobind/nanobind.h>

namespace pushworld {

void bind_search(nanobind::module_& m);

}  // namespace pushworld
