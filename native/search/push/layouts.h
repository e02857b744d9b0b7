// Placements of objects from which pushes in one direction reach the goals.
#pragma once

#include <memory>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"
#include "search/push/options.h"
#include "search/push/places.h"

namespace pushworld {

// When the objects are at their places, pushes by one action bring goal objects home: goal objects,
// and spacers and tools between them, move as one body.
struct Layout {
  int action;
  int max_pushes;
  // The agent and the objects that move, before the last push, and the goal objects at home. Other
  // goal objects may be anywhere.
  Places body;
  Places at_home;
  uint64_t cost;  // the lower, the more promising

  // Where all but the agent are, this number of pushes earlier.
  Places places_before(int pushes) const;
};

// Finds layouts by regression from the goals. The first ones need the fewest objects away from
// their initial positions. Whether the objects can be brought to their places is another question.
class LayoutFinder {
 public:
  // The world, the reach and the options must outlive this object.
  LayoutFinder(const World& world, AgentReach& reach, const PushOptions& options,
               LimitGuard& guard);
  ~LayoutFinder();

  // Searches a little further. Returns the layouts that this finds.
  std::vector<Layout> advance();
  bool is_over() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace pushworld
