// Other plans of a puzzle, as starts for shortening.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// Follows the first `kept` actions of a plan and solves the puzzle from there: by the strategies of
// the planner `default`, which take turns, with about `max_pushes` pushes. If that succeeds, writes
// the whole plan to the guard's result, whose plan must be empty, and returns true. It may be
// longer than the given plan. Throws std::invalid_argument if the world is too large.
bool find_other_ending(const Dynamics& dynamics, const std::vector<uint8_t>& plan, size_t kept,
                       uint64_t seed, uint64_t max_pushes, LimitGuard& guard);

}  // namespace pushworld
