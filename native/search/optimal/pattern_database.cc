#include "search/optimal/pattern_database.h"

#include <algorithm>
#include <utility>

namespace pushworld {

PatternDatabase::PatternDatabase(Pattern pattern, const Setting& setting, LimitGuard& guard)
    : pattern_(std::move(pattern)),
      setting_(setting),
      cost_of_step_(setting.minimize == Minimize::kActions ? 1 : 0),
      guard_(guard),
      costs_(pattern_.num_states(), guard.memory()) {
  add_goals();
}

int PatternDatabase::from_start(PositionId agent, PositionId first, PositionId second) const {
  const size_t agents = pattern_.sizes()[0];
  const int cost = setting_.first_from_start[first * agents + agent];
  if (setting_.second_from_start.empty()) return cost;
  return std::max<int>(cost, setting_.second_from_start[second * agents + agent]);
}

std::array<int, PatternDatabase::kNumPlans> PatternDatabase::operator()(PositionId agent,
                                                                        PositionId first,
                                                                        PositionId second) const {
  const Costs& costs = costs_[pattern_.index(agent, first, second)];
  // What is not known is above the bound, or there is no plan.
  const int most = bound_ - from_start(agent, first, second);
  const bool is_exhausted = num_open_ == 0 && !is_capped_ && !is_frozen_;
  const int unknown = is_exhausted ? kInfinity : std::clamp(most + 1, 0, kMost + 1);
  std::array<int, kNumPlans> bounds;
  for (size_t plans = 0; plans < kNumPlans; ++plans) {
    const int cost = costs[plans] - 1;
    bounds[plans] = cost >= 0 && (cost <= most || is_exhausted) ? cost : unknown;
  }
  return bounds;
}

void PatternDatabase::add_goals() {
  const PositionId goal = setting_.first_goal;
  if (goal == kNoPosition) return;
  for (PositionId second = 0; second < pattern_.sizes()[2]; ++second) {
    if (setting_.second_goal != kNoPosition && second != setting_.second_goal) continue;
    if (pattern_.overlap(1, 2, goal, second)) continue;
    guard_.count_work(4 * pattern_.sizes()[0]);
    for (PositionId agent = 0; agent < pattern_.sizes()[0]; ++agent) {
      if (pattern_.overlap(0, 1, agent, goal) || pattern_.overlap(0, 2, agent, second)) continue;
      reach(kAll, agent, goal, second, 0);
      reach(kAgentAlone, agent, goal, second, 0);
    }
  }
}

void PatternDatabase::reach(Plans plans, PositionId agent, PositionId first, PositionId second,
                            int cost) {
  const int from = from_start(agent, first, second);
  if (from >= kUnreachable) return;
  const int estimate = cost + from;
  if (cost > kMost) {
    is_capped_ = true;
    return;
  }
  uint8_t& stored = costs_.at(pattern_.index(agent, first, second))[plans];
  if (stored && stored - 1 <= cost) return;
  stored = static_cast<uint8_t>(cost + 1);
  while (open_.size() <= static_cast<size_t>(estimate)) open_.emplace_back(&guard_.memory());
  open_[static_cast<size_t>(estimate)].push_back(
      {static_cast<uint16_t>(agent), static_cast<uint16_t>(first), static_cast<uint16_t>(second),
       static_cast<uint16_t>(plans)});
  ++num_open_;
}

void PatternDatabase::extend(int bound, uint64_t& steps, size_t max_memory) {
  for (; bound_ < bound && num_open_ > 0 && !is_frozen_; ++bound_) {
    const size_t estimate = static_cast<size_t>(bound_) + 1;
    if (estimate >= open_.size()) continue;
    while (!open_[estimate].empty()) {
      if (steps == 0) return;
      --steps;
      guard_.count_work(32);
      const Entry state = open_[estimate].back();
      open_[estimate].pop_back();
      --num_open_;
      const int from = from_start(state.agent, state.first, state.second);
      const size_t index = pattern_.index(state.agent, state.first, state.second);
      const int cost = costs_[index][state.plans] - 1;
      if (cost + from == static_cast<int>(estimate)) reach_before(state, cost);
      if (num_open_ % 1024 == 0 && guard_.memory().used() > max_memory) {
        is_frozen_ = true;
        open_.clear();
        return;
      }
    }
    std::pmr::vector<Entry>(&guard_.memory()).swap(open_[estimate]);
  }
  if (!is_frozen_) bound_ = std::max(bound_, bound);
}

void PatternDatabase::reach_before(const Entry& state, int cost) {
  const Plans plans = static_cast<Plans>(state.plans);
  const PositionId first = state.first;
  const PositionId second = state.second;
  for (int action = 0; action < kNumActions; ++action) {
    const PositionId from = pattern_.neighbour(0, state.agent, opposite(action));
    if (from == kNoPosition) continue;
    const PositionId first_from = pattern_.neighbour(1, first, opposite(action));
    const PositionId second_from = pattern_.neighbour(2, second, opposite(action));
    const bool hits_first = pattern_.overlap(0, 1, from, first);
    const bool hits_second = pattern_.overlap(0, 2, from, second);
    const auto pushes = [&](unsigned actions) { return (actions >> action & 1) != 0; };
    // What did not move is apart from all that did, so nothing pushed it.
    if (!hits_first && !hits_second) reach(plans, from, first, second, cost + cost_of_step_);
    bool agent_pushes_first = false;  // itself
    bool moves_first = false;
    if (first_from != kNoPosition) {
      const Relation& relation = pattern_.pushes(0, 1);
      agent_pushes_first = pushes(relation.direct(from, first_from));
      moves_first = plans == kAll ? pushes(relation.any(from, first_from)) : agent_pushes_first;
      if (moves_first && !hits_second && !pattern_.overlap(0, 1, from, first_from) &&
          !pattern_.overlap(1, 2, first_from, second)) {
        reach(plans, from, first_from, second, cost + 1);
      }
    }
    if (second_from == kNoPosition) continue;
    const bool moves_second = pushes(pattern_.pushes(0, 2).any(from, second_from));
    if (moves_second && !hits_first && !pattern_.overlap(0, 2, from, second_from) &&
        !pattern_.overlap(1, 2, first, second_from)) {
      reach(plans, from, first, second_from, cost + 1);
    }
    // Both move. They stay where they are to each other.
    if (first_from == kNoPosition || !(moves_first || moves_second)) continue;
    const bool first_moves_second = pushes(pattern_.pushes(1, 2).any(first_from, second_from));
    if (!moves_second && !first_moves_second) continue;
    const Relation& back = pattern_.pushes(2, 1);
    const bool touches = pushes(back.direct(second_from, first_from));
    if (plans == kAll) {
      if (moves_first || pushes(back.any(second_from, first_from))) {
        reach(kAll, from, first_from, second_from, cost + 1);
      }
      if (touches && (moves_second || (agent_pushes_first && first_moves_second))) {
        reach(kOtherFirst, from, first_from, second_from, cost + 1);
      }
    } else if (moves_first && !touches) {
      reach(plans, from, first_from, second_from, cost + 1);
    }
  }
}

}  // namespace pushworld
