// Breadth-first search over single actions. Finds shortest plans and proves unsolvability.
#pragma once

#include "search/action/action_space.h"

namespace pushworld {

Status breadth_first_search(ActionSpace& space, uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
