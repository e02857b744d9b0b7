// The view of a puzzle that push searches share: the search space and the evaluation of states.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"
#include "search/heuristics/rgd.h"
#include "search/push/manipulation_heuristic.h"
#include "search/push/options.h"
#include "search/push/push_space.h"

namespace pushworld {

// Searches of a thread with the same options share one problem, and so the tables that it caches.
template <int RowWords, int SetWords>
class PushProblem {
 public:
  // Leaves out the manipulation heuristic if it would take more than a quarter of the memory.
  // With a `way`, the goal is that fewer movables cover cells of it than at the start.
  PushProblem(const Dynamics& dynamics, const PushOptions& options, LimitGuard& guard,
              const BitGrid* way = nullptr);
  PushProblem(const PushProblem&) = delete;

  const PushOptions& options() const { return options_; }
  const World& world() const { return world_; }
  const ObjectClasses& classes() const { return classes_; }
  PushSpace<RowWords, SetWords>& space() { return space_; }
  const std::vector<PositionId>& initial_state() const { return initial_; }

  struct Estimate {
    int distance;  // the recursive graph distance
    int pushes;    // the manipulation heuristic; kInfinity only for a dead end
    int blockers;
  };
  // Without the manipulation heuristic, `pushes` is `distance` and `blockers` is 0.
  Estimate estimate(const PositionId* state);
  // The same with 0 for `distance`, which takes a good part of the time.
  Estimate estimate_pushes(const PositionId* state) {
    if (!manipulation_) return estimate(state);
    const auto [pushes, blockers] = (*manipulation_)(state);
    return {0, pushes, blockers};
  }
  // The same for states that differ from that of `enter` in the moved objects and in the agent.
  void enter(const PositionId* state) {
    if (manipulation_) manipulation_->enter(state);
  }
  Estimate estimate_after_push(const PositionId* state, const ObjectSet<SetWords>& moved,
                               bool with_distance) {
    if (!manipulation_) return estimate(state);
    const int distance = with_distance ? std::min(distance_(state), kMaxDistance) : 0;
    const auto [pushes, blockers] = manipulation_->after_push(state, moved);
    return {distance, pushes, blockers};
  }

  bool clears_a_way() const { return !is_in_way_.empty(); }

  // Whether all goals hold. True if there are no goals.
  bool is_solved(const PositionId* state) const {
    if (clears_a_way()) return count_in_way(state) < count_in_way(initial_.data());
    return std::equal(goals_.begin(), goals_.end(), state + 1);
  }

  // The movables that are not at their initial positions.
  ObjectSet<SetWords> displaced(const PositionId* state) const;

  // The indices of the goal facts that hold. A goal fact is that an object is at its goal, or that
  // two objects have the same offset as their goals. If a set has no room for all facts, there are
  // facts for all single goals and for as many pairs as fit.
  ObjectSet<SetWords> goal_facts(const PositionId* state) const;

 private:
  int count_in_way(const PositionId* state) const;

  // If no short chain of tools exists, the state need not be a dead end, so the distance is capped.
  static constexpr int kMaxDistance = 500;

  // `goal` == `other` for the fact of a single goal.
  struct GoalFact {
    int goal;
    int other;
  };

  const PushOptions options_;
  const World& world_;
  const int n_;
  ObjectClasses classes_;
  PushSpace<RowWords, SetWords> space_;
  RecursiveGraphDistance distance_;
  std::optional<ManipulationHeuristic<RowWords>> manipulation_;
  std::vector<PositionId> initial_;
  std::vector<PositionId> goals_;  // kNoPosition if walls make the goal unreachable
  std::vector<GoalFact> goal_facts_;
  std::vector<std::vector<bool>> is_in_way_;  // [class][position]; empty without a way
};

}  // namespace pushworld
