#include "search/optimal/pattern_heuristic.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr uint64_t kMaxStates = uint64_t{1} << 28;  // of a pattern
constexpr int kMaxObjectsOfPatterns = 40;           // the work grows with the square of it
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
  for (int object = 0; object < world_.num_objects(); ++object) {
    from_start_.push_back(find_distances_from_start(object));
  }
  for (int object = 1; object <= world_.num_goals(); ++object) {
    add_member(object, Pattern::kNone);
    for (int other = 1; other < world_.num_objects(); ++other) {
      if (other != object) add_member(object, other);
    }
  }
  const bool is_complete =
      std::all_of(goals_.begin(), goals_.end(), [](const Goal& goal) { return goal.is_complete; });
  if (!is_complete && minimize == Minimize::kActions) {
    lower_bound_.emplace(dynamics, classes, guard);
  }
}

bool PatternHeuristic::is_affordable(int first, int second) const {
  if (world_.num_objects() > kMaxObjectsOfPatterns) return false;
  for (const int object : {0, first, second}) {
    if (object != Pattern::kNone && classes_.index_of(object).size() > kMaxPositions) return false;
  }
  // All tables, and the sets that find the pushes through other movables, take a part of the
  // memory.
  const uint64_t limit = guard_.memory().limit();
  if (guard_.memory().used() + reserved_ > limit / 4) return false;
  uint64_t positions = 0, most = 0;
  for (int c = 1; c < classes_.count(); ++c) positions += classes_.index(c).size();
  for (const int object : {0, first, second}) {
    if (object != Pattern::kNone) most = std::max<uint64_t>(most, classes_.index_of(object).size());
  }
  if (positions * most / 2 > std::min<uint64_t>(kMaxStates, limit / 8)) return false;
  return Pattern::num_states(classes_, first, second) <= std::min<uint64_t>(kMaxStates, limit / 8);
}

std::pmr::vector<uint16_t> PatternHeuristic::find_distances_from_start(int object) {
  // Equal movables without goals may have been renamed, and the first of them stands for all.
  std::vector<PositionId> starts;
  bool is_first = true;
  for (int equal = 1; equal < world_.num_objects(); ++equal) {
    const bool have_no_goals = object > world_.num_goals() && equal > world_.num_goals();
    if (equal != object && !(have_no_goals && classes_.of(equal) == classes_.of(object))) continue;
    is_first &= equal >= object;
    starts.push_back(classes_.index_of(equal).id(world_.start()[static_cast<size_t>(equal)]));
  }
  if (object == 0 || !is_first || !is_affordable(object, Pattern::kNone)) {
    return std::pmr::vector<uint16_t>(&guard_.memory());
  }
  const Pattern pattern(world_, classes_, contacts_, object, Pattern::kNone, guard_);
  return distances_from_start(pattern, classes_.index(0).id(world_.start()[0]), starts, minimize_,
                              guard_);
}

void PatternHeuristic::add_member(int object, int other) {
  Goal& goal = goals_[static_cast<size_t>(object) - 1];
  for (Member& known : goal.members) {
    if (other <= world_.num_goals() || known.others.empty()) continue;
    const int same = known.others[0];
    if (same <= world_.num_goals() || classes_.of(same) != classes_.of(other)) continue;
    known.others.push_back(other);
    return;
  }
  const auto from_start = [&](int of) -> std::span<const uint16_t> {
    if (of == Pattern::kNone) return {};
    return from_start_[static_cast<size_t>(of)];
  };
  const bool has_distances =
      !from_start(object).empty() && (other == Pattern::kNone || !from_start(other).empty());
  if (!has_distances || !is_affordable(object, other)) {
    goal.is_complete = false;
    return;
  }
  const auto goal_of = [&](int of) {
    if (of == Pattern::kNone || of > world_.num_goals()) return kNoPosition;
    return classes_.index_of(of).id(world_.goals()[static_cast<size_t>(of) - 1]);
  };
  guard_.check();
  if (sizeof(size_t) < 8) reserved_ += 4 * Pattern::num_states(classes_, object, other);
  const PatternDatabase::Setting setting{minimize_, goal_of(object), goal_of(other),
                                         from_start(object), from_start(other)};
  const std::vector<int> others(other == Pattern::kNone ? 0 : 1, other);
  goal.members.push_back(
      {others, {{world_, classes_, contacts_, object, other, guard_}, setting, guard_}});
}

void PatternHeuristic::extend(int bound, uint64_t max_steps) {
  for (; bound_ < bound && steps_ < max_steps; ++bound_) {
    const uint64_t allowed = max_steps - steps_;
    uint64_t left = allowed;
    for (Goal& goal : goals_) {
      for (Member& member : goal.members) {
        member.database.extend(bound_ + 1, left, guard_.memory().limit() / 2);
      }
    }
    steps_ += allowed - left;
    if (left == 0) return;
  }
}

int PatternHeuristic::operator()(const PositionId* state) {
  int bound = lower_bound_ ? (*lower_bound_)(state) : 0;
  for (size_t index = 0; index < goals_.size(); ++index) {
    const Goal& goal = goals_[index];
    int alone = 0;
    int first = kInfinity;
    const auto look_up = [&](const Member& member, PositionId other) {
      const auto bounds = member.database(state[0], state[index + 1], other);
      bound = std::max(bound, bounds[PatternDatabase::kAll]);
      alone = std::max(alone, bounds[PatternDatabase::kAgentAlone]);
      if (member.others.empty()) return;
      first = std::min(first, bounds[PatternDatabase::kOtherFirst]);
    };
    for (const Member& member : goal.members) {
      if (member.others.empty()) look_up(member, 0);
      for (const int other : member.others) look_up(member, state[other]);
    }
    if (goal.is_complete) bound = std::max(bound, std::min(alone, first));
  }
  return std::min(bound, kInfinity);
}

}  // namespace pushworld
