// The costs to the goal of the states of a pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/heuristics/contact_distances.h"
#include "search/optimal/pattern.h"

namespace pushworld {

// Lower bounds on the cost of a plan from the states of a pattern of a goal object and another
// movable, for three kinds of plans by what pushes the goal object.
//
// The costs are found backward from the goals, in the order of an estimate of the whole plan: the
// cost to the goal plus a lower bound on the cost from the start. `extend` finds those of all
// states with an estimate up to a bound. So the search for a plan of some cost needs only the part
// of a database that plans of this cost can visit.
class PatternDatabase {
 public:
  enum Plans {
    kAll,         // all
    kAgentAlone,  // only the agent ever pushes the goal object itself
    kOtherFirst,  // only the agent does, until the other movable does
  };
  static constexpr size_t kNumPlans = 3;

  struct Setting {
    Minimize minimize;
    PositionId first_goal;
    PositionId second_goal;  // kNoPosition if the other movable has none
    // The costs from the start of a movable and the agent. The second are empty for a pattern of
    // one movable.
    std::span<const uint16_t> first_from_start;
    std::span<const uint16_t> second_from_start;
  };

  PatternDatabase(Pattern pattern, const Setting& setting, LimitGuard& guard);

  // Finds the costs of all states with an estimate up to `bound`. Takes the number of states from
  // `steps`; without steps, or at its share of the memory, it ends early, and the bounds of the
  // other states stay low.
  void extend(int bound, uint64_t& steps, size_t max_memory);

  // A lower bound for each kind of plans. kInfinity if there is none.
  std::array<int, kNumPlans> operator()(PositionId agent, PositionId first,
                                        PositionId second) const;

 private:
  static constexpr int kMost = 254;  // costs above are not stored

  // The cost + 1 for each kind of plans; 0 if there is none yet. They lie together, because each
  // look at memory takes long.
  using Costs = std::array<uint8_t, 4>;
  struct Entry {
    uint16_t agent, first, second, plans;
  };

  int from_start(PositionId agent, PositionId first, PositionId second) const;
  void add_goals();
  void reach(Plans plans, PositionId agent, PositionId first, PositionId second, int cost);
  // Reaches all states from which one action leads to this one.
  void reach_before(const Entry& state, int cost);

  Pattern pattern_;
  const Setting setting_;
  const int cost_of_step_;
  LimitGuard& guard_;
  SparseArray<Costs> costs_;
  std::vector<std::pmr::vector<Entry>> open_;  // by estimate
  size_t num_open_ = 0;
  int bound_ = -1;          // the costs of all states with an estimate up to it are known
  bool is_frozen_ = false;  // it is not extended any more
  bool is_capped_ = false;  // there are costs above kMost
};

}  // namespace pushworld
