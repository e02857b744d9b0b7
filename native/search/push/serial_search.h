// A search that brings the goal objects home one after the other.
#pragma once

#include <memory>

#include "engine/dynamics.h"
#include "search/push/search_factory.h"

namespace pushworld {

// Many puzzles with several goals are solved one goal at a time, and each stage is a puzzle with a
// single goal. What matters is the order: an object that is at home may be in another's way. The
// search begins with an order in which each object finds a way among those that are at home. When a
// stage fails, its object moves to the front of the order, as in squeaky wheel optimization (Joslin
// and Clements, 1999). In some rounds, objects at home are walls; in others they may move, but must
// be at home again at the end of each stage. Stages have a limit on pushes, which grows. The search
// is complete: after each two rounds it tries all goals together.
std::unique_ptr<PushSearch> make_serial_search(const Dynamics& dynamics,
                                               const SearchFactory& factory, Means means);

// Whether there is an order in which each goal object finds a way among those that are at home.
bool has_order(const World& world, LimitGuard& guard);

}  // namespace pushworld
