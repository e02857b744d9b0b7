// The parts of the native module. `bind_x` is in x.cc.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "engine/world.h"

namespace pushworld {

using PyPoint = std::pair<int, int>;

inline std::vector<Point> to_points(const std::vector<PyPoint>& points) {
  std::vector<Point> result;
  for (const auto& [x, y] : points) result.push_back({x, y});
  return result;
}

void bind_env(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_generate(nanobind::module_& m);

}  // namespace pushworld
