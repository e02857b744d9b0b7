// A search that brings the goal objects home one after the other.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// Many puzzles with several goals are solved one goal at a time, and each stage is a puzzle with a
// single goal. What matters is the order: an object that is at home may be in another's way. The
// search begins with an order in which each object finds a way among those that are at home. When a
// stage fails, its object moves to the front of the order, as in squeaky wheel optimization (Joslin
// and Clements, 1999). In some rounds, objects at home are walls; in others they may move, but must
// be at home again at the end of each stage. Stages have a limit on pushes, which grows. The search
// is complete: after each two rounds it tries all goals together.
//
// Whether there is an order to choose, and the puzzle is small.
bool has_goals_to_order(const World& world);

// Whether there is an order in which each goal object finds a way among those that are at home.
bool has_order(const World& world, LimitGuard& guard);

std::unique_ptr<PushSearch> make_serial_search(const Dynamics& dynamics, const Strategy& strategy,
                                               uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
