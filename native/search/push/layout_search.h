// A search for layouts from which pushes in one direction reach all goals.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// Finds layouts (see layouts.h). To bring the objects to their places is a puzzle with other goals,
// which is searched one goal after the other. The layouts take turns, the first ones more often.
// The search is not complete: when no layout is left, it returns kMemoryLimit.
std::unique_ptr<PushSearch> make_layout_search(const Dynamics& dynamics, const Strategy& strategy,
                                               uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
