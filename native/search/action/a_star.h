// A* over single actions: shortest plans with fewer states than breadth-first search.
#pragma once

#include "search/action/action_space.h"
#include "search/core/control.h"

namespace pushworld {

SearchResult a_star_search(ActionSpace& space, uint64_t seed, Control& control);

}  // namespace pushworld
