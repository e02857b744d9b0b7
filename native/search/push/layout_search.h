// A search for layouts from which pushes in one direction reach all goals.
#pragma once

#include <memory>

#include "engine/dynamics.h"
#include "search/push/search_factory.h"

namespace pushworld {

// Finds layouts (see layouts.h). To bring the objects to their places is a puzzle with other goals,
// which is searched one goal after the other. That may need further layouts. The layouts take
// turns, the first ones more often.
std::unique_ptr<PushSearch> make_layout_search(const Dynamics& dynamics,
                                               const SearchFactory& factory, Means means,
                                               const Places& later);

}  // namespace pushworld
