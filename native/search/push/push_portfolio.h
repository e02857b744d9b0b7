// Our planner: several searches over pushes, side by side.
#pragma once

#include <cstdint>

#include "engine/dynamics.h"
#include "search/core/control.h"

namespace pushworld {

// Searches with different strategies take turns on each thread and share the memory limit; the
// first to finish ends the others. With one thread the same seed gives the same plan.
SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control, int threads,
                             int only = -1);

}  // namespace pushworld
