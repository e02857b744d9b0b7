// The part of the Python interface that makes puzzles.
#pragma once

#include <nanobind/nanobind.h>

namespace pushworld {

void bind_generate(nanobind::module_& m);

}  // namespace pushworld
