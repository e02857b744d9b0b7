// Best-first search over pushes, with several open lists that take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/control.h"

namespace pushworld {

// The orders in which states may wait for their expansion.
enum class PushOrder {
  kDistanceBands,        // novelty, then pushes so far + 2 x recursive graph distance
  kGreedyDistanceBands,  // novelty, then the recursive graph distance
  kGreedyGuide,          // pushes by the guide + 2 x blockers
  kGuideCells,           // a turn for each set of displaced objects, then pushes so far + 2 x guide
};

// Needs at most 64 objects and 1024 columns.
SearchResult search_pushes(const Dynamics& dynamics, const std::vector<PushOrder>& orders,
                           uint64_t seed, Control& control);

}  // namespace pushworld
