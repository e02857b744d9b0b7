// The admissible heuristic of the optimal planner: a combination of pattern databases.
#pragma once

#include <array>
#include <cstddef>
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
// Consider a goal object g and what a plan does with it.
// - The pattern of g and another movable k bounds the cost, whatever k is for.
// - If nothing but the agent ever pushes g itself, the patterns in which nothing else can bound it.
// - Otherwise some movable k is the first other one to push g itself. Until then only the agent
//   does, and k must come to g; from then on, the pattern of g and k bounds the rest.
// The last two are a distinction of cases, so the least of them counts; of all the rest, the
// largest. Equal movables share their databases.
class PatternHeuristic {
 public:
  // Leaves out databases that are too large, or for which there is no memory.
  PatternHeuristic(const Dynamics& dynamics, const ObjectClasses& classes, Minimize minimize,
                   LimitGuard& guard);

  int operator()(const PositionId* state);

 private:
  // The costs of the states of a pattern, by what pushes the goal object. They lie together,
  // because each look at memory takes long.
  struct Costs {
    uint8_t any;    // anything
    uint8_t alone;  // the agent alone
    uint8_t first;  // the agent alone, until the other movable does
    uint8_t unused;
  };
  // The databases of a goal object, alone or with other movables of one kind.
  struct Tables {
    std::vector<int> others;  // empty for the object alone
    std::array<size_t, 3> sizes;
    ZeroedArray<Costs> costs;
  };
  struct Goal {
    std::vector<Tables> tables;
    bool is_complete = true;  // there are tables with each other movable
  };

  bool is_affordable(int first, int second);
  void add_tables(int object, int other);

  const World& world_;
  const ObjectClasses& classes_;
  const Minimize minimize_;
  LimitGuard& guard_;
  Contacts contacts_;
  std::vector<Goal> goals_;
  uint64_t num_states_ = 0;                // of all patterns
  std::optional<LowerBound> lower_bound_;  // for goals without all tables
};

}  // namespace pushworld
