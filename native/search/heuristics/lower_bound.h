// An admissible heuristic.
#pragma once

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contact_distances.h"

namespace pushworld {

// A lower bound on the number of actions to the goal; kInfinity proves a dead end. All distances
// respect walls and ignore other objects.
//
// Consider a goal object o that is not at its goal, and any plan.
// - At least d(o, goal) actions move o.
// - If the agent is the first to push o, it first walks to a contact with o. These actions do not
//   move o.
// - If a tool j (another movable) is the first to push o, j first moves to a contact with o. These
//   actions do not move o. Before them, the agent walks to the nearest contact with any movable.
// The actions are different, so their numbers add up for each o. An action may serve several goal
// objects, so the bound is the maximum over the goal objects.
class LowerBound {
 public:
  LowerBound(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  int operator()(const PositionId* state);

 private:
  // The pusher's distance to its nearest contact with the object in any direction; kInfinity if
  // there is none.
  int distance_to_contact(const PositionId* state, int pusher, int object);

  const ObjectClasses& classes_;
  const int n_;
  const int num_goals_;
  LimitGuard& guard_;
  ContactDistances distances_;
};

}  // namespace pushworld
