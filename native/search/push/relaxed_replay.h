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

// Clears a way: returns actions from a state after which fewer missing movables cover its cells,
// and all others are where they were. Returns none if it fails.
using Clear =
    std::function<std::vector<uint8_t>(const std::vector<Point>& state, const BitGrid& way)>;

// Repeats the pushes of `plan`, which solves `relaxed`: the puzzle with the objects `kept` and the
// movables `walls` as walls. Between them the agent walks around missing movables where it can, and
// pushes may carry missing movables along. One is in the way if it is part of what stops a push, or
// if it is one of the fewest that every walk to a push overlaps.
//
// If something is in the way, the replay begins again and clears the way at most `clearings` times:
// of the whole plan before its first push, later of what is left of it.
RelaxedReplay replay_relaxed_plan(const Dynamics& dynamics, const Dynamics& relaxed,
                                  const std::vector<int>& kept, const std::vector<int>& walls,
                                  const std::vector<uint8_t>& plan, LimitGuard& guard,
                                  uint64_t clearings, const Clear& clear);

// The objects that an action would move from a state if there were no walls, the agent first.
std::vector<int> pushed_without_walls(const World& world, const std::vector<Point>& state,
                                      int action);

}  // namespace pushworld
