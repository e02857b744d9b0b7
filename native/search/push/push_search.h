// Best-first search over pushes with alternating open lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/obstacle_positions.h"
#include "search/push/strategy.h"

namespace pushworld {

// A push search that runs in increments.
class PushSearch {
 public:
  virtual ~PushSearch() = default;

  // Continues until about `pushes` more pushes are generated. Returns kUnknown if the search is not
  // finished.
  virtual Status advance(uint64_t pushes) = 0;
};

using PushSearches = std::vector<std::unique_ptr<PushSearch>>;

// Whether a puzzle is small enough to make the tables of many puzzles like it.
bool is_small(const World& world);

// Returns the strategies that make sense for this puzzle, at least one.
std::vector<Strategy> applicable(std::vector<Strategy> strategies, const World& world);

// Returns a search for each strategy. If memory is short, the last ones are missing. The searches
// share a PushProblem, the limits and the result, so they must run on one thread. The world must
// have at most 1024 columns. With `obstacles`, the puzzle has no goals, and the searches look for a
// state in which fewer movables are at these positions than at the start.
PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, LimitGuard& guard,
                                const ObstaclePositions* obstacles = nullptr);

}  // namespace pushworld
