// Searches over single actions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/action/action_space.h"
#include "search/core/open_list.h"

namespace pushworld {

// Assigns a rank to each state; the search expands the lowest rank first.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  static constexpr OpenList::Rank kDeadEnd = UINT64_MAX;

  // The rank of a new state; kDeadEnd if the state is unsolvable. `moved` contains the objects that
  // differ from a state that was ranked before. The low 32 bits of a rank are the heuristic value
  // that the caller sees.
  virtual OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) = 0;
};

// Greedy: evaluates states when they are generated and never reopens them. Ties are first in, first
// out. Complete: returns kUnsolvable only after it has expanded all reachable states except dead
// ends.
Status best_first_search(ActionSpace& space, Evaluator& evaluator, uint64_t seed,
                         LimitGuard& guard);

// Breadth-first: finds shortest plans and proves unsolvability.
Status breadth_first_search(ActionSpace& space, uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
