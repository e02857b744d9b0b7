// Our planner: one search over pushes, or several side by side.
#pragma once

#include <cstdint>

#include "engine/dynamics.h"
#include "search/control.h"

namespace pushworld {

// With one thread the open lists take turns in one search, and the same seed gives the same plan.
// With more, searches with different lists run side by side and share the memory limit; the first
// to finish ends the others. Throws std::invalid_argument for more than 63 movables.
SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control,
                             int threads);

}  // namespace pushworld
