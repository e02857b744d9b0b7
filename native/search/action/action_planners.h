// The planners that search over single actions, as those of the PushWorld paper do.
#pragma once

#include <cstdint>

#include "engine/dynamics.h"
#include "search/core/control.h"

namespace pushworld {

// All of them respect the limits of `control`. The seed determines the order of actions; the same
// seed gives the same result. A planner throws std::invalid_argument if the world is too large for
// it.
SearchResult solve_breadth_first(const Dynamics& dynamics, uint64_t seed, Control& control);
SearchResult solve_rgd(const Dynamics& dynamics, uint64_t seed, Control& control);
SearchResult solve_novelty_rgd(const Dynamics& dynamics, uint64_t seed, Control& control);
SearchResult solve_cea(const Dynamics& dynamics, uint64_t seed, Control& control);

}  // namespace pushworld
