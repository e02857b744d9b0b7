// A proof that a puzzle has no plan: the positions that two objects can have at the same time.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/world.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// Returns whether the goals are proved out of reach, or nothing if that needs more than `max_steps`
// steps of some ten nanoseconds, or more memory than the guard or one gigabyte allows.
//
// The proof is critical-path reachability with pairs (h^2 of Haslum and Geffner), where the atoms
// are positions of objects: a pair of positions counts as reachable if an action can lead to it
// from pairs that are. This holds for every pair of every state that can be reached, and its cost
// is a polynomial in the size of the puzzle, so it can prove that a door stays shut in a world that
// has too many states for a search. What three objects do together it does not see, except where
// one is the agent.
std::optional<bool> goals_are_unreachable(const World& world, LimitGuard& guard,
                                          uint64_t max_steps);

}  // namespace pushworld
