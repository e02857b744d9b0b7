// A search of puzzles with few of the movables.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/dynamics.h"
#include "search/push/search_factory.h"

namespace pushworld {

// Most puzzles are solved by moving few objects, and a search that moves only those is many times
// faster. This search looks for them by abstraction refinement. It begins with the goal objects.
// For a set of objects it searches two puzzles with the strategy's open lists and commitment:
//   - All other movables are walls. A plan for this puzzle solves the original one.
//   - All other movables are gone. If some of them are in the way of a plan for this puzzle (see
//     relaxed_replay.h), they are cleared away in stages. Where that fails, they join the set. If
//     there is no plan, the set lacks a tool: every other movable in turn joins the set.
// From the second round on, another plan for the same set avoids what could not be cleared away.
// A stage is a puzzle from a state on the way: the objects of the set are walls, and the goal is
// that fewer of the others are in the plan's way. It is searched in the same way, from sets of one
// object that is in the way, and its own plans are mended by further stages.
// So what needs what becomes a chain of small searches. Each of these searches has a limit on
// states. When enough of them have ended, the search begins again with a higher limit, and keeps
// what it knows. It is complete: the set of all movables has its turn as well.
// With `obstacles`, searches a stage.
std::unique_ptr<PushSearch> make_subset_search(const Dynamics& dynamics,
                                               const SearchFactory& factory,
                                               const ObstaclePositions* obstacles = nullptr);

}  // namespace pushworld
