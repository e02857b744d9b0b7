// Makes plans shorter: the shortest path among the states around a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/shorten/placements.h"

namespace pushworld {

inline constexpr size_t kMaxPlanLength = Arrival::kMaxCost;

// Returns a plan that is no longer than the given one, which must solve the puzzle. The status
// kSolved means that no shorter plan exists; any other says why the search ended before it knew.
// `control.best` shows the length of the best plan so far. Throws std::invalid_argument if the plan
// is longer than kMaxPlanLength.
SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control);

}  // namespace pushworld
