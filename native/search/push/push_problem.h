// A puzzle as searches over pushes see it: its space, and what can be said of a state.
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
#include "search/push/push_space.h"

namespace pushworld {

// Searches on one thread share it: what it works out and keeps is the same for all.
template <int RowWords, int SetWords>
class PushProblem {
 public:
  // Goes without the guide where that would take more than a quarter of the memory.
  PushProblem(const Dynamics& dynamics, LimitGuard& guard);
  PushProblem(const PushProblem&) = delete;

  const World& world() const { return world_; }
  const ObjectClasses& classes() const { return classes_; }
  PushSpace<RowWords, SetWords>& space() { return space_; }
  const std::vector<PositionId>& initial_state() const { return initial_; }

  struct Estimate {
    int distance;  // the recursive graph distance
    int pushes;    // by the guide; kInfinity only for a dead end
    int blockers;
  };
  Estimate estimate(const PositionId* state);

  // Whether all goals hold; so they do where there are none.
  bool is_solved(const PositionId* state) const {
    return std::equal(goals_.begin(), goals_.end(), state + 1);
  }

  // The objects that are not where they were at the start.
  ObjectSet<SetWords> displaced(const PositionId* state) const;

  // The numbers of the goal facts that hold. If a set cannot hold all facts, it holds those of
  // single goals and of as many pairs as fit.
  ObjectSet<SetWords> goal_facts(const PositionId* state) const;

 private:
  // Chains of more tools take long to evaluate and seldom matter; that no short chain exists does
  // not prove a dead end.
  static constexpr int kMaxTools = 2;
  static constexpr int kManyTools = 500;

  // An object stands on its goal (`goal` == `other`), or two stand to each other as their goals do.
  struct GoalFact {
    int goal;
    int other;
  };

  const World& world_;
  const int n_;
  ObjectClasses classes_;
  PushSpace<RowWords, SetWords> space_;
  RecursiveGraphDistance distance_;
  std::optional<ManipulationHeuristic<RowWords>> guide_;
  std::vector<PositionId> initial_;
  std::vector<PositionId> goals_;  // kNoPosition for one that walls make unreachable
  std::vector<GoalFact> goal_facts_;
};

extern template class PushProblem<1, 1>;
extern template class PushProblem<4, 1>;
extern template class PushProblem<1, kManyWords>;
extern template class PushProblem<16, kManyWords>;

}  // namespace pushworld
