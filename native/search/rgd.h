// The recursive graph distance of the paper, with its caches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/position_index.h"

namespace pushworld {

inline constexpr int kInfinity = 1 << 28;

// Estimates the number of actions to the goal, obstacles ignored. Path lengths and the distances of
// pushers to their contacts are computed once for each pair of positions that comes up.
class RecursiveGraphDistance {
 public:
  // `max_tools` bounds the objects in a chain between the agent and a goal object.
  RecursiveGraphDistance(const Dynamics& dynamics, const ObjectClasses& classes, int max_tools);

  // kInfinity if no chain of pushers (of at most max_tools tools) can move a goal object that is not
  // at its goal.
  int operator()(const PositionId* state);

  // The cost for a single object, by index among those with goals.
  int goal_cost(const PositionId* state, int goal);
  // Actions to get any pusher chain to push the object once in the direction of the action.
  int pushing_cost(const PositionId* state, int object, int action, uint64_t used, int depth,
                   int bound);
  // Distance of each position of the goal's object to its goal.
  const std::vector<uint16_t>& goal_distances(int goal) const { return goal_distances_[goal]; }

  // The distance of the pusher's positions to the nearest from where it pushes the pushed one.
  const uint16_t* contact_distances(int pusher_class, int pushed_class, PositionId pushed,
                                    int action);

  size_t bytes() const { return bytes_; }

 private:
  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  const int n_;
  const int max_tools_;
  std::vector<std::vector<uint16_t>> goal_distances_;
  using Distances = std::unique_ptr<uint16_t[]>;
  // [pusher class * classes + pushed class][pushed position * 4 + action]
  std::vector<std::vector<Distances>> contact_distances_;
  size_t bytes_ = 0;
};

}  // namespace pushworld
