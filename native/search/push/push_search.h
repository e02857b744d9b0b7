// Best-first search over pushes, with several open lists that take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/strategy.h"

namespace pushworld {

// A search that is run piece by piece.
class PushSearch {
 public:
  virtual ~PushSearch() = default;

  // Generates about so many pushes. Returns how the search has ended, or kUnknown if it has not.
  virtual Status advance(uint64_t pushes) = 0;
};

using PushSearches = std::vector<std::unique_ptr<PushSearch>>;

// Returns a search for each strategy, or for as many of the first as memory has room for. They
// share what they find out about the puzzle, the limits and the result, so they must run on one
// thread. Needs at most 1024 columns.
PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
