// How far one movable and the agent are from the start of the puzzle.
#pragma once

#include <cstdint>
#include <vector>

#include "search/optimal/minimize.h"
#include "search/optimal/pattern.h"

namespace pushworld {

// The least cost from the start to each state of a pattern with one movable, by the index of the
// state; kUnreachable if there is no way. `starts` has the positions at which the movable may
// start.
std::pmr::vector<uint16_t> distances_from_start(const Pattern& pattern, PositionId agent,
                                                const std::vector<PositionId>& starts,
                                                Minimize minimize, LimitGuard& guard);

}  // namespace pushworld
