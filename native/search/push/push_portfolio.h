// The planner `default`: a portfolio of searches over pushes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/push/strategy.h"

namespace pushworld {

// Runs a search for each strategy, and repeats strategies with other seeds if there are more
// threads. The searches of a thread take turns; all share the limits. The first that solves the
// puzzle or proves it unsolvable ends the others. With one thread the same seed gives the same
// plan. Throws std::invalid_argument if `check_strategies` does.
SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control, int threads,
                             const std::vector<Strategy>& strategies);

}  // namespace pushworld
