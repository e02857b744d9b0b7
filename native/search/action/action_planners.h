// The planners that search over single actions, as the paper's do.
#pragma once

#include <cstdint>

#include "engine/dynamics.h"
#include "search/core/control.h"

namespace pushworld {

// Each ends at the limits of `control`. The seed sets the order in which actions are tried; the
// same seed gives the same result. They throw std::invalid_argument for worlds that they are not
// made for.
SearchResult solve_breadth_first(const Dynamics& dynamics, uint64_t seed, Control& control);
SearchResult solve_a_star(const Dynamics& dynamics, uint64_t seed, Control& control);
SearchResult solve_rgd(const Dynamics& dynamics, uint64_t seed, Control& control,
                       bool fewest_tools_first);
SearchResult solve_novelty_rgd(const Dynamics& dynamics, uint64_t seed, Control& control,
                               bool fewest_tools_first);
SearchResult solve_cea(const Dynamics& dynamics, uint64_t seed, Control& control);

}  // namespace pushworld
