// Greedy best-first search over single actions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/action/action_space.h"
#include "search/core/open_list.h"

namespace pushworld {

// Says which states to expand first.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  static constexpr OpenList::Rank kDeadEnd = UINT64_MAX;

  // The rank of a state that the search has not seen before; the lowest is expanded first. `moved`
  // are the objects in which it differs from a state that was ranked before. kDeadEnd if the goal
  // cannot be reached from it. The lower half of a rank is the heuristic shown to the user.
  virtual OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) = 0;
};

// Ranks states when they are generated, expands each at most once, and takes the oldest of equal
// rank. Complete: unsolvable means that every state that is no dead end was expanded.
Status best_first_search(ActionSpace& space, Evaluator& evaluator, uint64_t seed,
                         LimitGuard& guard);

}  // namespace pushworld
