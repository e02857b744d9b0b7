// Repeats a plan for a puzzle without some of its movables in the puzzle with all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"

namespace pushworld {

struct RelaxedReplay {
  std::vector<int> met;       // the first missing movables in the way, in ascending order
  std::vector<uint8_t> plan;  // a plan for the whole puzzle; only if none is in the way
  std::vector<Point> end;     // the state that it leads to
};

// Repeats the pushes of `plan`, which solves `relaxed`: the puzzle with the objects `kept` alone.
// Between them the agent walks around missing movables where it can. One is in the way if a push
// would move it, or if it is one of the fewest that every walk to a push overlaps.
//
// If something is in the way, the replay begins again and calls clear(state, cells): first for all
// cells that the plan sweeps, later for those that its rest sweeps. That returns actions after
// which fewer missing movables are on these cells and the kept ones are where they were; none if it
// fails.
using Clear =
    std::function<std::vector<uint8_t>(const std::vector<Point>& state, const BitGrid& cells)>;
RelaxedReplay replay_relaxed_plan(const Dynamics& dynamics, const Dynamics& relaxed,
                                  const std::vector<int>& kept, const std::vector<uint8_t>& plan,
                                  LimitGuard& guard, const Clear& clear);

}  // namespace pushworld
