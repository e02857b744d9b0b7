// The part of the Python interface that makes plans shorter.
#pragma once

#include <nanobind/nanobind.h>

namespace pushworld {

void bind_shorten(nanobind::module_& m);

}  // namespace pushworld
