// A search that brings the goal object home step by step, with tools where the agent cannot push.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// For puzzles with one goal. A chain of tools that is as long as the way of the goal object seldom
// has room behind it, so a single layout (see layouts.h) is not enough: the tools must be put in
// one behind the other. This search remembers one state for each position that the object has come
// to. From there the agent pushes it as far as it can by itself; the positions next to those are
// steps. For each step there is a search for layouts that make it. The steps take turns, those
// nearest to the goal more often. Where the agent can push the object home, `strategy` searches the
// rest. When no step is left, the search returns kMemoryLimit.
std::unique_ptr<PushSearch> make_step_search(const Dynamics& dynamics, const Strategy& strategy,
                                             uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
