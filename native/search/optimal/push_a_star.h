// A* over pushes: shortest plans, or plans with the fewest pushes.
#pragma once

#include <cstdint>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/optimal/pattern.h"

namespace pushworld {

// Finds a plan with the fewest actions, or one with the fewest pushes and, among those, with the
// fewest actions. Respects the limits of `control`. The seed determines the order of actions.
// Throws std::invalid_argument if the world is too large.
SearchResult solve_a_star(const Dynamics& dynamics, uint64_t seed, Control& control,
                          Minimize minimize);

}  // namespace pushworld
