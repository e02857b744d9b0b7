#include "search/shorten/plan_guide.h"

#include <algorithm>
#include <map>

#include "util/hash.h"

namespace pushworld {

PlanGuide::PlanGuide(ActionSpace& space, InterchangeableObjects& interchangeable,
                     const std::vector<uint8_t>& plan, int ignored, LimitGuard& guard)
    : guard_(guard) {
  replay(space, interchangeable, plan);
  leads_.resize(steps_.size());
  scratch_.resize(steps_.size());
  const size_t num_goals = static_cast<size_t>(space.dynamics().world().num_goals());
  for (size_t object = 0; object < space.num_objects(); ++object) {
    size_t needed = steps_.size();
    if (object == 0) {
      --needed;
    } else if (object == static_cast<size_t>(ignored)) {
      needed = 0;
    } else if (object > num_goals) {
      const PositionId last = steps_.back().state[object];
      while (needed > 0 && steps_[needed - 1].state[object] == last) --needed;
    }
    add_table(space.classes().index_of(static_cast<int>(object)), object, needed);
  }
}

bool PlanGuide::is_affordable(const ActionSpace& space, const std::vector<uint8_t>& plan,
                              size_t max_bytes) {
  uint64_t rows = 0;
  for (const size_t size : space.sizes()) rows += size;
  return rows * (plan.size() + 1) * sizeof(uint16_t) <= max_bytes;
}

void PlanGuide::replay(ActionSpace& space, InterchangeableObjects& interchangeable,
                       const std::vector<uint8_t>& plan) {
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> next = state;
  const auto canonical = [&](uint32_t cost) {
    Entry entry{state, cost};
    interchangeable.canonicalize(entry.state.data());
    return entry;
  };
  entries_.push_back(canonical(0));
  for (uint32_t cost = 0; cost < plan.size(); ++cost) {
    guard_.count_work(state.size());
    space.enter(state.data());
    if (space.successor(plan[cost], next.data()).empty()) continue;
    const bool is_push = !std::equal(state.begin() + 1, state.end(), next.begin() + 1);
    if (is_push) steps_.push_back(canonical(cost));
    state.swap(next);
    if (is_push) entries_.push_back(canonical(cost + 1));
    if (space.is_solved(state.data())) break;
  }
  steps_.push_back(entries_.back());
  entries_.pop_back();
}

void PlanGuide::add_table(const PositionIndex& index, size_t object, size_t needed) {
  const uint32_t weight = object == 0 ? 1 : kActionsPerPush;
  std::pmr::vector<uint16_t>& table =
      tables_.emplace_back(index.size() * steps_.size(), &guard_.memory());
  std::map<PositionId, std::vector<size_t>> steps_at;
  for (size_t step = 0; step < needed; ++step) {
    steps_at[steps_[step].state[object]].push_back(step);
  }
  for (const auto& [target, steps] : steps_at) {
    const auto distances = index.distances_to(target, guard_);
    for (PositionId at = 0; at < index.size(); ++at) {
      guard_.count_work(steps.size());
      const auto distance =
          static_cast<uint16_t>(weight * std::min<uint32_t>(distances[at], kMaxDistance));
      for (const size_t step : steps) table[at * steps_.size() + step] = distance;
    }
  }
}

void PlanGuide::enter(const PositionId* state) {
  entered_.assign(state, state + tables_.size());
  const size_t n = steps_.size();
  guard_.count_work(n * tables_.size() / 8);
  for (size_t step = 0; step < n; ++step) leads_[step] = static_cast<int>(steps_[step].cost);
  for (size_t object = 1; object < tables_.size(); ++object) {
    const uint16_t* const away = distances(object, state[object]);
    for (size_t step = 0; step < n; ++step) leads_[step] -= away[step];
  }
}

PlanGuide::Rating PlanGuide::rate(const PositionId* state) {
  const size_t n = steps_.size();
  const uint16_t* const walk = distances(0, state[0]);
  for (size_t step = 0; step < n; ++step) scratch_[step] = leads_[step] - walk[step];
  for (size_t object = 1; object < tables_.size(); ++object) {
    if (state[object] == entered_[object]) continue;
    const uint16_t* const before = distances(object, entered_[object]);
    const uint16_t* const after = distances(object, state[object]);
    for (size_t step = 0; step < n; ++step) scratch_[step] += before[step] - after[step];
  }
  int lead = scratch_[0];
  for (size_t step = 1; step < n; ++step) lead = std::max(lead, scratch_[step]);
  const size_t best =
      static_cast<size_t>(std::find(scratch_.rbegin(), scratch_.rend(), lead).base() -
                          scratch_.begin()) -
      1;
  uint64_t off_plan = 0;
  for (size_t object = 1; object < tables_.size(); ++object) {
    if (distances(object, state[object])[best] != 0) off_plan = combine(off_plan, object);
  }
  return {lead, off_plan};
}

}  // namespace pushworld
