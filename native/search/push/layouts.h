// Placements of objects from which pushes in one direction reach the goals.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"

namespace pushworld {

struct Placed {
  int object;
  Point at;
  friend bool operator==(const Placed&, const Placed&) = default;
};
using Places = std::vector<Placed>;

// The positions that an object reaches from its initial one by steps among walls and `obstacles`,
// whoever pushes it. Ignores obstacles that it overlaps at first.
BitGrid reachable(const World& world, int object, const Places& obstacles);

// When the objects are at their places, pushes by one action bring all goal objects home: goal
// objects, and spacers and tools between them, move as one body.
struct Layout {
  int action;
  int max_pushes;
  // The objects and where they are before the last push. The agent is none of them. The first
  // `num_moving` of them move; the others are goal objects at home.
  Places places;
  size_t num_moving;
  int cost;  // the lower, the more promising

  // Where the objects are before so many pushes.
  Places places_before(int pushes) const;
};

// Whether the object is at this place, or the agent, which can walk to `walks`, can push it there.
bool is_in_reach(const World& world, const BitGrid& walks, const Placed& placed);

// Whether the agent cannot make the last push of any plan alone: there is no goal object that it
// pushes home when the others are there.
bool needs_layout(const World& world);

// Finds layouts by regression from the goals. The first ones need the fewest objects away from
// their initial positions. Whether the objects can be brought to their places is another question.
class LayoutFinder {
 public:
  LayoutFinder(const World& world, LimitGuard& guard);
  ~LayoutFinder();

  // Searches a little further. Returns the layouts that this finds.
  std::vector<Layout> advance();
  bool is_over() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace pushworld
