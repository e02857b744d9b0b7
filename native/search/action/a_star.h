// A* over single actions with the heuristic LowerBound. Finds shortest plans.
#pragma once

#include "search/action/action_space.h"

namespace pushworld {

Status a_star_search(ActionSpace& space, uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
