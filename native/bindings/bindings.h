// The parts of the native module. `bind_x` is in x.cc.
#pragma once

#include <nanobind/nanobind.h>

namespace pushworld {

void bind_env(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_generate(nanobind::module_& m);

}  // namespace pushworld
