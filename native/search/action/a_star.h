// A* over single actions: shortest plans with fewer states than breadth-first search.
#pragma once

#include "search/action/action_space.h"

namespace pushworld {

Status a_star_search(ActionSpace& space, uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
