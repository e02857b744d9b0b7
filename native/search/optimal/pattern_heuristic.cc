#include "search/optimal/pattern_heuristic.h"

#include <algorithm>

namespace pushworld {
namespace {

// About a second of work for one pattern, and ten for all.
constexpr uint64_t kMaxStatesOfPattern = uint64_t{1} << 25;
constexpr uint64_t kMaxStates = uint64_t{1} << 28;
constexpr size_t kMaxPositions = size_t{1} << 16;

}  // namespace

PatternHeuristic::PatternHeuristic(const Dynamics& dynamics, const ObjectClasses& classes,
                                   Minimize minimize, LimitGuard& guard)
    : world_(dynamics.world()),
      classes_(classes),
      minimize_(minimize),
      guard_(guard),
      contacts_(dynamics, classes, guard),
      goals_(static_cast<size_t>(world_.num_goals())) {
  for (int object = 1; object <= world_.num_goals(); ++object) add_tables(object, Pattern::kNone);
  for (int object = 1; object <= world_.num_goals(); ++object) {
    for (int other = 1; other < world_.num_objects(); ++other) {
      if (other != object) add_tables(object, other);
    }
  }
  const bool is_complete =
      std::all_of(goals_.begin(), goals_.end(), [](const Goal& goal) { return goal.is_complete; });
  if (!is_complete && minimize == Minimize::kActions)
    lower_bound_.emplace(dynamics, classes, guard);
}

bool PatternHeuristic::is_affordable(int first, int second) {
  for (const int object : {0, first, second}) {
    if (object != Pattern::kNone && classes_.index_of(object).size() > kMaxPositions) return false;
  }
  const uint64_t states = Pattern::num_states(classes_, first, second);
  // Three tables of bytes, then all in one, or the queue of one of them.
  const uint64_t bytes = 9 * states;
  const MemoryAccount& memory = guard_.memory();
  if (states > kMaxStatesOfPattern || num_states_ + states > kMaxStates) return false;
  if (memory.used() + bytes > memory.limit() / 2) return false;
  num_states_ += states;
  return true;
}

void PatternHeuristic::add_tables(int object, int other) {
  Goal& goal = goals_[static_cast<size_t>(object) - 1];
  const auto goal_of = [&](int of) {
    if (of == Pattern::kNone || of > world_.num_goals()) return kNoPosition;
    return classes_.index_of(of).id(world_.goals()[static_cast<size_t>(of) - 1]);
  };
  for (Tables& known : goal.tables) {
    if (other <= world_.num_goals() || known.others.empty()) continue;
    const int same = known.others[0];
    if (same <= world_.num_goals() || classes_.of(same) != classes_.of(other)) continue;
    known.others.push_back(other);
    return;
  }
  if (!is_affordable(object, other)) {
    goal.is_complete = false;
    return;
  }
  guard_.check();
  const Pattern pattern(world_, classes_, contacts_, object, other, guard_);
  PatternDatabase any(pattern, Pushers::kAll, minimize_, guard_);
  any.add_goals(goal_of(object), goal_of(other));
  any.close();
  PatternDatabase alone(pattern, Pushers::kAgent, minimize_, guard_);
  alone.add_goals(goal_of(object), goal_of(other));
  alone.close();
  PatternDatabase first(pattern, Pushers::kAgent, minimize_, guard_);
  first.add_touches(any);
  first.close();
  const auto& sizes = pattern.sizes();
  const size_t states = sizes[0] * sizes[1] * sizes[2];
  Tables tables{{}, sizes, {states, guard_.memory()}};
  if (other != Pattern::kNone) tables.others.push_back(other);
  for (size_t i = 0; i < states; ++i) {
    guard_.count_work(1);
    tables.costs[i] = {any.remaining()[i], alone.remaining()[i], first.remaining()[i], 0};
  }
  goal.tables.push_back(std::move(tables));
}

int PatternHeuristic::operator()(const PositionId* state) {
  int bound = lower_bound_ ? (*lower_bound_)(state) : 0;
  for (size_t index = 0; index < goals_.size(); ++index) {
    const Goal& goal = goals_[index];
    // Of the remaining costs up to the most that a table holds, so the least is the largest cost.
    uint8_t any = UINT8_MAX;
    uint8_t alone = UINT8_MAX;
    uint8_t first = 0;
    const auto look_up = [&](const Tables& tables, PositionId other) {
      const Costs& costs =
          tables.costs[PatternDatabase::index_in(tables.sizes, state[0], state[index + 1], other)];
      any = std::min(any, costs.any);
      alone = std::min(alone, costs.alone);
      first = std::max(first, costs.first);
    };
    for (const Tables& tables : goal.tables) {
      if (tables.others.empty()) look_up(tables, 0);
      for (const int other : tables.others) look_up(tables, state[other]);
    }
    if (goal.is_complete) any = std::min(any, std::max(alone, first));
    bound = std::max(bound, PatternDatabase::cost_of(any));
  }
  return std::min(bound, kInfinity);
}

}  // namespace pushworld
