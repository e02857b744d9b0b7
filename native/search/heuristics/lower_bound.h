// An admissible heuristic: a lower bound of the actions to the goal.
#pragma once

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contact_distances.h"

namespace pushworld {

// A lower bound of the number of actions to the goal; kInfinity where there is no plan.
//
// Of the actions of any plan that brings a goal object o home,
// - at least L(o), the distance of o to its goal among the walls, move o;
// - before them, if the agent is the first to push o, at least the agent's distance to a contact
//   with o only move the agent or other objects;
// - if a tool j is the first to push o, at least j's distance to a contact with o move j and not o;
//   and before anything moves but the agent, it walks to the nearest contact with any movable.
// These are different actions, so for each o their numbers may be added. One action may serve
// several goal objects, so of the sums for different objects only the largest counts.
class LowerBound {
 public:
  LowerBound(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  int operator()(const PositionId* state);

 private:
  // The pusher's distance to the nearest place from where it pushes the object; kInfinity if none.
  int distance_to_contact(const PositionId* state, int pusher, int object);

  const ObjectClasses& classes_;
  const int n_;
  const int num_goals_;
  ContactDistances distances_;
};

}  // namespace pushworld
