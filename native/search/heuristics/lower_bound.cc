#include "search/heuristics/lower_bound.h"

#include <algorithm>

namespace pushworld {

LowerBound::LowerBound(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard)
    : classes_(classes),
      n_(dynamics.world().num_objects()),
      num_goals_(dynamics.world().num_goals()),
      guard_(guard),
      distances_(dynamics, classes, guard) {}

int LowerBound::distance_to_contact(const PositionId* state, int pusher, int object) {
  int best = kInfinity;
  for (int action = 0; action < kNumActions; ++action) {
    if (classes_.index_of(object).neighbour(state[object], action) == kNoPosition) continue;
    const int distance = distances_.to_contact(classes_.of(pusher), classes_.of(object),
                                               state[object], action, state[pusher]);
    if (distance != kUnreachable) best = std::min(best, distance);
  }
  return best;
}

int LowerBound::operator()(const PositionId* state) {
  int nearest = -1;  // the walk to the nearest contact with any movable, computed on demand
  int bound = 0;
  for (int object = 1; object <= num_goals_; ++object) {
    const int pushes = distances_.to_goal(object - 1)[state[object]];
    if (pushes == 0) continue;
    if (pushes == kUnreachable) return kInfinity;
    guard_.count_work(8 * static_cast<size_t>(n_));
    int before = distance_to_contact(state, 0, object);
    if (before > 0 && nearest < 0) {
      nearest = kInfinity;
      for (int other = 1; other < n_; ++other) {
        nearest = std::min(nearest, distance_to_contact(state, 0, other));
      }
    }
    for (int tool = 1; tool < n_ && before > nearest; ++tool) {
      if (tool == object) continue;
      before = std::min(before, nearest + distance_to_contact(state, tool, object));
    }
    if (before >= kInfinity) return kInfinity;
    bound = std::max(bound, before + pushes);
  }
  return bound;
}

}  // namespace pushworld
