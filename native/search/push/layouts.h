// Placements of objects from which pushes in one direction reach the goals.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// When the objects are at their places, so many pushes by one action bring all goal objects home:
// goal objects, and spacers and tools between them, move as one body.
struct Layout {
  int action;
  int pushes;
  std::vector<std::pair<int, Point>> places;  // of objects; none of the agent
};

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
