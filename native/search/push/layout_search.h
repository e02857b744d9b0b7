// A search for layouts from which pushes in one direction reach all goals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/placements.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// Whether the goals need a layout, and the puzzle is small.
bool can_lay_out(const World& world);

// Finds layouts (see layouts.h). To bring the objects to their places is a puzzle with other goals,
// which is searched one goal after the other. That may need further layouts. The layouts take
// turns, the first ones more often. When no layout is left, the search returns kMemoryLimit.
struct LayoutOptions {
  // A plan counts only if this accepts the state that it leads to.
  std::function<bool(const std::vector<Point>& state)> accept = nullptr;
  std::optional<int> action = std::nullopt;  // of the last push; any if there is none
  Places later = {};                         // see layouts.h
};
std::unique_ptr<PushSearch> make_layout_search(const Dynamics& dynamics, const Strategy& strategy,
                                               uint64_t seed, LimitGuard& guard,
                                               LayoutOptions options = {});

// Where the goals need a layout, returns a search for layouts that takes turns with `search`.
std::unique_ptr<PushSearch> with_layouts(std::unique_ptr<PushSearch> search,
                                         const Dynamics& dynamics, const Strategy& strategy,
                                         uint64_t seed, LimitGuard& guard,
                                         const Places& later = {});

}  // namespace pushworld
