// The part of the Python interface that steps environments.
#pragma once

#include <nanobind/nanobind.h>

namespace pushworld {

void bind_env(nanobind::module_& m);

}  // namespace pushworld
