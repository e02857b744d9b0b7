// The admissible heuristic of the optimal planner: a combination of pattern databases.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"
#include "search/heuristics/lower_bound.h"
#include "search/optimal/pattern_database.h"

namespace pushworld {

// A lower bound on the cost to the goals; kInfinity proves a dead end.
//
// Consider a goal object and what a plan does with it.
// - The patterns of the object and another movable bound the cost, whatever the other is for.
// - If nothing but the agent ever pushes the object itself, they do so for such plans.
// - Otherwise one of the movables is the first to push the object itself. Until then only the agent
//   does, and the movable must come to the object; from then on, the pattern bounds the rest.
// The last two are a distinction of cases, so the least of them counts; of all the rest, the
// largest. Equal movables share their databases.
class PatternHeuristic {
 public:
  // Leaves out databases that are too large.
  PatternHeuristic(const Dynamics& dynamics, const ObjectClasses& classes, Minimize minimize,
                   LimitGuard& guard);
  PatternHeuristic(const PatternHeuristic&) = delete;

  // Makes the bounds exact, as far as the databases tell, of states that plans with a cost up to
  // `bound` visit. All calls together take at most `max_steps` states of databases: with too few,
  // bounds stay lower.
  void extend(int bound, uint64_t max_steps);

  // Valid for states that can be reached from the start. Never falls if the databases are extended.
  int operator()(const PositionId* state);

 private:
  // A goal object, alone or with other movables of one kind.
  struct Member {
    std::vector<int> others;  // empty for the object alone
    PatternDatabase database;
  };
  struct Goal {
    std::vector<Member> members;
    bool is_complete = true;  // there are databases with each other movable
  };

  bool is_affordable(int first, int second) const;
  std::pmr::vector<uint16_t> find_distances_from_start(int object);
  void add_member(int object, int other);

  const World& world_;
  const ObjectClasses& classes_;
  const Minimize minimize_;
  LimitGuard& guard_;
  Contacts contacts_;
  std::vector<std::pmr::vector<uint16_t>> from_start_;  // by object; empty if it is too large
  std::vector<Goal> goals_;
  std::optional<LowerBound> lower_bound_;  // for goals without all databases
  int bound_ = -1;
  uint64_t steps_ = 0;     // taken
  uint64_t reserved_ = 0;  // bytes, where a reservation is memory: in 32 bits
};

}  // namespace pushworld
