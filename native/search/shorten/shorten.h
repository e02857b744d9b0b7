// Post-processing of plans: finds shorter ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/shorten/placements.h"

namespace pushworld {

inline constexpr size_t kMaxPlanLength = Arrival::kMaxCost;

// Searches the states around a plan for a shorter one, similar to plan neighborhood graph search
// (Nakhost and Mueller, 2010), in turn with beam searches and with push searches for quite
// different plans. The given plan must solve the puzzle. The returned plan is not longer. The
// status kSolved proves that no shorter plan exists; any other status is the limit that ended the
// search. `control.best_plan()` is the best plan so far. With `prove`, the last thread proves lower
// bounds meanwhile, by A*; one thread does so first. The search ends where plan and bound meet.
// Throws std::invalid_argument if the plan is longer than kMaxPlanLength.
SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control, int threads = 1, bool prove = false);

}  // namespace pushworld
