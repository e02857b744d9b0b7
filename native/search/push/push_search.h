// Best-first search over pushes, with several open lists that take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/control.h"
#include "search/push/strategy.h"

namespace pushworld {

// A search that is run piece by piece.
class PushSearch {
 public:
  virtual ~PushSearch() = default;

  // Generates about so many pushes, fewer if memory runs out. Returns whether the search has not
  // ended.
  virtual bool advance(uint64_t pushes) = 0;

  // Whether the search can continue only if its control gets more memory.
  virtual bool lacks_memory() const = 0;

  // With its part of what it shares with others.
  virtual size_t bytes() const = 0;

  const SearchResult& result() const { return result_; }

 protected:
  SearchResult result_;
};

using PushSearches = std::vector<std::unique_ptr<PushSearch>>;

// Returns a search for each strategy. They share what they find out about the puzzle, so they must
// run on one thread, each under its own control. Calls `on_work` now and then, which may throw.
// Needs at most 1024 columns.
PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, const std::vector<Control*>& controls,
                                const std::function<void()>& on_work);

}  // namespace pushworld
