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
//
inline constexpr int kMaxLayoutDepth = 2;

// Whether the goals need a layout, and the puzzle is small.
bool can_lay_out(const World& world);

// Where the goals need a layout, returns a search for layouts that takes turns with `search`. To
// bring an object to its place may need a layout as well, and so on `depth` times.
std::unique_ptr<PushSearch> with_layouts(std::unique_ptr<PushSearch> search,
                                         const Dynamics& dynamics, const Strategy& strategy,
                                         uint64_t seed, LimitGuard& guard, int depth);

}  // namespace pushworld
