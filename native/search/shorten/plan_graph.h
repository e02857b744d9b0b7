// The states around a plan, the shortest known way to each, and the order of their expansion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/action/action_space.h"
#include "search/shorten/placements.h"

namespace pushworld {

struct PlanState {
  PlacementId placement;
  PositionId agent;
};

// States wait for their expansion with those closest to the best plan first. When a shorter way to
// a state is found it waits again, so what is gained spreads to everything that follows from it.
// Ways that cannot lead to a plan shorter than the best are dropped: when nothing waits any more,
// no plan is shorter.
class PlanGraph {
 public:
  // Counts states and pushes in the result of `guard`.
  PlanGraph(const Dynamics& dynamics, LimitGuard& guard);

  MemoryAccount& memory() { return guard_.memory(); }
  const PositionIndex& agent() const { return agent_; }
  const World& world() const { return space_.dynamics().world(); }
  size_t num_placements() const { return placements_.size(); }
  // Writes the positions of the movables to state[1], state[2], ...
  void read(PlacementId placement, PositionId* state) const { placements_.read(placement, state); }
  // Actions to the state on the shortest known way.
  uint32_t cost(PlanState state) { return arrival(state).cost; }

  // Walks a plan that solves the puzzle, up to the first state where it is solved.
  void enter_plan(const std::vector<uint8_t>& plan);

  // Moves `state` on by an action and notes the way. Returns false, with `state` as it was, if
  // nothing moves or no plan shorter than the best goes that way.
  bool act(PlanState& state, int action);
  // The same for a shortest walk of the agent to a position; false if there is none. `state` is
  // then anywhere on the way.
  bool walk(PlanState& state, PositionId to);

  // Takes the next state from those that wait. Returns false when none is left that is not farther
  // from the plan than all before, and advances the distance.
  bool pop(PlanState& state);
  bool is_exhausted() const { return distance_ >= waiting_.size(); }

  // The length of the best plan.
  uint32_t best_length() const { return best_length_; }
  // Returns the actions of the best plan; writes the states it visits.
  std::vector<uint8_t> best_plan(std::vector<PlanState>& states);
  // Makes these states the ones from which distances to the plan are counted, too.
  void centre_on(const std::vector<PlanState>& states);

 private:
  // An action away from the plan counts as so much distance. Each placement has many states that
  // differ by walks, so pushes count for more.
  static constexpr uint32_t kWalkDistance = 1;
  static constexpr uint32_t kPushDistance = 3;
  static constexpr size_t kWorkBetweenChecks = 256;

  Arrival& arrival(PlanState state) { return placements_.arrivals(state.placement)[state.agent]; }
  // The placement after a push; kNoNode if a wall stops it.
  PlacementId push(PlanState state, int action);
  PlacementId insert(PositionId* state);
  bool reach(PlanState state, uint32_t cost, uint32_t distance, uint32_t via);
  void enqueue(PlanState state, Arrival& there);
  void count_work(size_t amount) {
    work_ += amount;
    if (work_ < kWorkBetweenChecks) return;
    work_ = 0;
    guard_.check();
  }

  LimitGuard& guard_;
  ActionSpace space_;
  const PositionIndex& agent_;
  Placements placements_;
  size_t work_ = 0;
  uint32_t best_length_ = UINT32_MAX;
  PlanState best_end_{};
  std::pmr::vector<std::pmr::vector<PlanState>> waiting_;  // by distance
  std::pmr::vector<size_t> heads_;                         // of each queue in `waiting_`
  size_t distance_ = 0;
  std::vector<PositionId> parent_, child_;
  std::vector<uint8_t> walk_actions_;
  std::vector<PositionId> walk_queue_;
};

}  // namespace pushworld
