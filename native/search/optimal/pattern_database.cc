#include "search/optimal/pattern_database.h"

#include <utility>

namespace pushworld {

PatternDatabase::PatternDatabase(const Pattern& pattern, Pushers pushers, Minimize minimize,
                                 LimitGuard& guard)
    : pattern_(pattern),
      pushers_(pushers),
      cost_of_step_(minimize == Minimize::kActions ? 1 : 0),
      guard_(guard),
      sizes_(pattern.sizes()),
      remaining_(sizes_[0] * sizes_[1] * sizes_[2], guard.memory()) {
  for (int cost = 0; cost <= kMost; ++cost) buckets_.emplace_back(&guard.memory());
}

void PatternDatabase::add_goals(PositionId first_goal, PositionId second_goal) {
  if (first_goal == kNoPosition) return;
  for (PositionId second = 0; second < sizes_[2]; ++second) {
    if (second_goal != kNoPosition && second != second_goal) continue;
    if (pattern_.overlap(1, 2, first_goal, second)) continue;
    guard_.count_work(4 * sizes_[0]);
    for (PositionId agent = 0; agent < sizes_[0]; ++agent) {
      if (pattern_.overlap(0, 1, agent, first_goal)) continue;
      if (!pattern_.overlap(0, 2, agent, second)) reach(agent, first_goal, second, 0);
    }
  }
}

void PatternDatabase::add_touches(const PatternDatabase& after) {
  const Pattern& pattern = pattern_;
  for (PositionId first = 0; first < sizes_[1]; ++first) {
    for (PositionId second = 0; second < sizes_[2]; ++second) {
      guard_.count_work(2);
      const unsigned touches = pattern.pushes(2, 1).direct(second, first);
      if (!touches) continue;
      for (int action = 0; action < kNumActions; ++action) {
        const PositionId first_after = pattern.neighbour(1, first, action);
        const PositionId second_after = pattern.neighbour(2, second, action);
        if (!(touches >> action & 1) || first_after == kNoPosition) continue;
        const bool is_pushed_back = pattern.pushes(1, 2).any(first, second) >> action & 1;
        guard_.count_work(8 * sizes_[0]);
        for (PositionId agent = 0; agent < sizes_[0]; ++agent) {
          const bool moves_second = pattern.pushes(0, 2).any(agent, second) >> action & 1;
          const bool moves_first = pattern.pushes(0, 1).direct(agent, first) >> action & 1;
          if (!moves_second && !(moves_first && is_pushed_back)) continue;
          const PositionId agent_after = pattern.neighbour(0, agent, action);
          if (agent_after == kNoPosition || pattern.overlap(0, 1, agent, first) ||
              pattern.overlap(0, 2, agent, second)) {
            continue;
          }
          const int cost = after(agent_after, first_after, second_after);
          if (cost < kInfinity) reach(agent, first, second, cost + 1);
        }
      }
    }
  }
}

void PatternDatabase::close() {
  for (int cost = 0; cost <= kMost; ++cost) {
    std::pmr::vector<State>& bucket = buckets_[static_cast<size_t>(cost)];
    // Steps without cost add states to this bucket.
    for (size_t next = 0; next < bucket.size(); ++next) {
      guard_.count_work(32);
      const State state = bucket[next];
      if ((*this)(state.agent, state.first, state.second) == cost) reach_before(state, cost);
    }
    std::pmr::vector<State>(&guard_.memory()).swap(bucket);
  }
}

void PatternDatabase::reach_before(State state, int cost) {
  const Pattern& pattern = pattern_;
  const auto [agent, first, second] = state;
  for (int action = 0; action < kNumActions; ++action) {
    const PositionId from = pattern.neighbour(0, agent, opposite(action));
    if (from == kNoPosition) continue;
    const PositionId first_from = pattern.neighbour(1, first, opposite(action));
    const PositionId second_from = pattern.neighbour(2, second, opposite(action));
    const bool hits_first = pattern.overlap(0, 1, from, first);
    const bool hits_second = pattern.overlap(0, 2, from, second);
    const auto pushes = [&](unsigned actions) { return (actions >> action & 1) != 0; };
    // What does not move in the state after an action is apart from what does, so nothing pushes
    // it.
    if (!hits_first && !hits_second) reach(from, first, second, cost + cost_of_step_);
    bool moves_first = false;
    if (first_from != kNoPosition) {
      const Relation& relation = pattern.pushes(0, 1);
      moves_first = pushes(pushers_ == Pushers::kAll ? relation.any(from, first_from)
                                                     : relation.direct(from, first_from));
      if (moves_first && !hits_second && !pattern.overlap(0, 1, from, first_from) &&
          !pattern.overlap(1, 2, first_from, second)) {
        reach(from, first_from, second, cost + 1);
      }
    }
    if (second_from == kNoPosition) continue;
    const bool moves_second = pushes(pattern.pushes(0, 2).any(from, second_from));
    if (moves_second && !hits_first && !pattern.overlap(0, 2, from, second_from) &&
        !pattern.overlap(1, 2, first, second_from)) {
      reach(from, first, second_from, cost + 1);
    }
    if (first_from == kNoPosition || !(moves_first || moves_second)) continue;
    if (!moves_second && !pushes(pattern.pushes(1, 2).any(first_from, second_from))) continue;
    if (pushers_ == Pushers::kAgent) {
      const bool touches = pushes(pattern.pushes(2, 1).direct(second_from, first_from));
      if (!moves_first || touches) continue;
    } else if (!moves_first && !pushes(pattern.pushes(2, 1).any(second_from, first_from))) {
      continue;
    }
    reach(from, first_from, second_from, cost + 1);
  }
}

}  // namespace pushworld
