// The planner `default`: a portfolio of push searches.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/push/strategy.h"

namespace pushworld {

// Runs a search for each strategy. If there are more threads than strategies, repeats strategies
// with other seeds. The searches of a thread take turns. All searches share the limits. The first
// search that solves the puzzle or proves it unsolvable ends the portfolio. With one thread, the
// same seed gives the same plan. Throws std::invalid_argument if `check_strategies` does.
SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control, int threads,
                             const std::vector<Strategy>& strategies);

}  // namespace pushworld
