// Best-first search over pushes with alternating open lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/strategy.h"

namespace pushworld {

// How far a search is. Limits of the whole search are exceptions (see limit_guard.h).
struct Outcome {
  Status status = Status::kUnknown;  // kSolved, kUnsolvable, or kUnknown: it goes on
  std::vector<uint8_t> plan = {};    // only if solved
};

// A push search that runs in increments.
class PushSearch {
 public:
  virtual ~PushSearch() = default;

  // Continues until about `pushes` more pushes are generated.
  virtual Outcome advance(uint64_t pushes) = 0;
};

using PushSearches = std::vector<std::unique_ptr<PushSearch>>;

// Returns a search of all objects and all goals together for each strategy; their other parts are
// those of search_factory.h. If memory is short, the last ones are missing. The searches share the
// limits and the result, and those with the same options a PushProblem, so they must run on one
// thread. The world must have at most 1024 columns. With a `way`, the puzzle has no goals, and the
// searches look for a state in which fewer movables cover cells of it.
PushSearches make_plain_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                 size_t sharing, uint64_t seed, LimitGuard& guard,
                                 const BitGrid* way = nullptr);

}  // namespace pushworld
