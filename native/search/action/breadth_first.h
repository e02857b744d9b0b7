// Breadth-first search over single actions: shortest plans, and proofs that there are none.
#pragma once

#include "search/action/action_space.h"
#include "search/core/control.h"

namespace pushworld {

SearchResult breadth_first_search(ActionSpace& space, uint64_t seed, Control& control);

}  // namespace pushworld
