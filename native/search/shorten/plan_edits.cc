#include "search/shorten/plan_edits.h"

#include <algorithm>
#include <cstdlib>

#include "util/hash.h"

namespace pushworld {
namespace {

uint64_t add_state(uint64_t hash, PlanState state) {
  return combine(hash, uint64_t{state.placement} << 32 | state.agent);
}

}  // namespace

void PlanEdits::set_plan(const std::vector<uint8_t>& actions,
                         const std::vector<PlanState>& states) {
  length_ = static_cast<uint32_t>(actions.size());
  steps_.clear();
  for (size_t i = 0; i < actions.size(); ++i) {
    if (states[i].placement == states[i + 1].placement) continue;
    steps_.push_back({states[i], static_cast<uint32_t>(i), actions[i]});
  }
  steps_.push_back({states.back(), length_, 0});
  index_steps();
}

void PlanEdits::index_steps() {
  const int n = graph_.world().num_objects();
  const int num_goals = graph_.world().num_goals();
  std::vector<size_t> last_move(n, 0);  // of each object: the first step after its last move
  for (int object = 1; object <= num_goals; ++object) last_move[object] = SIZE_MAX;
  for (size_t step = 1; step < steps_.size(); ++step) {
    graph_.guard().count_work(static_cast<size_t>(n));
    graph_.read(steps_[step - 1].before.placement, movables_.data());
    graph_.read(steps_[step].before.placement, moved_.data());
    for (int object = num_goals + 1; object < n; ++object) {
      if (movables_[object] != moved_[object]) last_move[object] = step;
    }
  }
  by_last_move_.clear();
  for (int object = 1; object < n; ++object) by_last_move_.push_back(object);
  std::stable_sort(by_last_move_.begin(), by_last_move_.end(),
                   [&](int a, int b) { return last_move[a] > last_move[b]; });
  step_of_.clear();
  for (size_t step = 0; step < steps_.size(); ++step) {
    graph_.guard().count_work(static_cast<size_t>(n));
    graph_.read(steps_[step].before.placement, movables_.data());
    uint64_t hash = 0;
    for (const int object : by_last_move_) {
      if (last_move[object] <= step) break;
      hash = combine(hash, movables_[object]);
    }
    step_of_[hash] = step;
  }
}

uint32_t PlanEdits::total_cost(PlanState state, size_t step) {
  const uint32_t cost = graph_.cost(state);
  if (step + 1 == steps_.size()) return cost;
  const PositionIndex& agent = graph_.agent();
  const Point offset = agent.point(state.agent) - agent.point(steps_[step].before.agent);
  const uint32_t walk = static_cast<uint32_t>(std::abs(offset.x) + std::abs(offset.y));
  return cost + walk + length_ - steps_[step].cost;
}

bool PlanEdits::take_steps(PlanState& state, size_t begin, size_t end) {
  for (size_t step = begin; step < end; ++step) {
    if (!take_step(state, steps_[step])) return false;
  }
  return true;
}

void PlanEdits::follow_plan_from(PlanState state) {
  if (graph_.cost(state) > Arrival::kMaxCost) return;  // no path to it is short enough
  graph_.read(state.placement, movables_.data());
  size_t first = 0;
  uint32_t least = graph_.best_length();
  uint64_t hash = 0;
  for (const int object : by_last_move_) {
    hash = combine(hash, movables_[object]);
    const auto found = step_of_.find(hash);
    if (found == step_of_.end()) continue;
    const uint32_t cost = total_cost(state, found->second);
    if (cost >= least) continue;
    least = cost;
    first = found->second;
  }
  if (least >= graph_.best_length()) return;
  for (size_t step = first; step + 1 < steps_.size(); ++step) {
    if (total_cost(state, step) >= graph_.best_length() || !take_step(state, steps_[step])) return;
  }
}

void PlanEdits::follow_plan_from_its_states() {
  for (const Step& step : steps_) follow_plan_from(step.before);
}

void PlanEdits::leave_out_pushes() {
  uint64_t rest = 0;
  for (size_t left_out = steps_.size() - 1; left_out-- > 0;) {
    PlanState state = steps_[left_out].before;
    if (tried_.insert(add_state(rest, state)).second) {
      for (size_t step = left_out + 1; step + 1 < steps_.size(); ++step) {
        if (total_cost(state, step) >= graph_.best_length()) break;
        take_step(state, steps_[step]);
      }
    }
    rest = combine(rest, uint64_t{steps_[left_out].before.agent} << 2 |
                             static_cast<uint64_t>(steps_[left_out].action));
  }
}

void PlanEdits::exchange_parts() {
  std::vector<size_t> runs, stretches;
  for (size_t step = 0; step < steps_.size(); ++step) {
    const bool is_end = step == 0 || step + 1 == steps_.size();
    if (!is_end && steps_[step].cost == steps_[step - 1].cost + 1) continue;
    runs.push_back(step);
    if (is_end || !goes_on(step)) stretches.push_back(step);
  }
  exchange(runs, kMaxExchangedRuns);
  exchange(stretches, kMaxExchangedStretches);
}

bool PlanEdits::goes_on(size_t step) {
  std::vector<PositionId>& before = movables_;
  std::vector<PositionId> between(before.size());
  std::vector<PositionId>& after = moved_;
  graph_.guard().count_work(before.size());
  graph_.read(steps_[step - 1].before.placement, before.data());
  graph_.read(steps_[step].before.placement, between.data());
  graph_.read(steps_[step + 1].before.placement, after.data());
  for (size_t object = 1; object < before.size(); ++object) {
    if (before[object] != between[object] && between[object] != after[object]) return true;
  }
  return false;
}

void PlanEdits::exchange(const std::vector<size_t>& begins, size_t max_parts) {
  for (size_t parts = 2; parts <= max_parts; ++parts) {
    for (size_t first = 0; first + parts < begins.size(); ++first) {
      for (size_t second = first + 1; second < first + parts; ++second) {
        const size_t begin = begins[first], middle = begins[second], end = begins[first + parts];
        uint64_t key = add_state(0, steps_[begin].before);
        key = add_state(add_state(key, steps_[middle].before), steps_[end].before);
        if (!tried_.insert(key).second) continue;
        PlanState state = steps_[begin].before;
        if (take_steps(state, middle, end)) take_steps(state, begin, middle);
      }
    }
  }
}

}  // namespace pushworld
