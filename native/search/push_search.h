// Best-first search over pushes, with several open lists that take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/control.h"

namespace pushworld {

// The orders in which states may wait for their expansion. The guided cost is pushes so far + 2 x
// pushes by the guide + 4 x blockers. The goal facts of a state are which objects stand on their
// goals and which pairs of objects stand to each other as their goals do: objects that must be
// assembled before they can go home together look no better by themselves.
enum class PushOrder {
  kDistanceBands,        // novelty, then pushes so far + 2 x recursive graph distance
  kGreedyDistanceBands,  // novelty, then the recursive graph distance
  kDisplacedCells,       // a turn for each set of displaced objects, then the guided cost
  kGoalCells,            // a turn for each set of goal facts, then the guided cost
  kNovelGoalCells,       // a turn for each set of goal facts, then novelty, then the guided cost
};

// Needs at most 64 objects and 1024 columns.
SearchResult search_pushes(const Dynamics& dynamics, const std::vector<PushOrder>& orders,
                           uint64_t seed, Control& control);

}  // namespace pushworld
