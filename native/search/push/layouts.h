// Placements of objects from which pushes in one direction reach the goals.
#pragma once

#include <memory>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"
#include "search/push/placements.h"

namespace pushworld {

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
