// A search around a plan: the closest states to the plan first.
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

// The generated states with a shortest known path to each, and an open list. The open list is
// ordered by the distance from the best plan. A shorter path to a state reopens it, so the gain
// propagates to its successors. Paths that cannot be part of a plan shorter than the best are
// pruned. So the best plan is a shortest plan when the open list is empty.
class PlanGraph {
 public:
  // Counts states and pushes in the result of `guard`. Walks add to the distance from the plan
  // unless they are free.
  PlanGraph(const Dynamics& dynamics, bool are_walks_free, LimitGuard& guard);

  LimitGuard& guard() { return guard_; }
  const PositionIndex& agent() const { return agent_; }
  const World& world() const { return space_.dynamics().world(); }
  size_t num_placements() const { return placements_.size(); }
  // Writes the positions of the movables to state[1], state[2], ...
  void read(PlacementId placement, PositionId* state) const { placements_.read(placement, state); }
  // The length of the shortest known path to the state.
  uint32_t cost(PlanState state) { return arrival(state).cost; }

  // Records the path of a plan that solves the puzzle, up to its first solved state.
  void enter_plan(const std::vector<uint8_t>& plan);

  // Replaces `state` by its successor and records the path. Returns false and leaves `state`
  // unchanged if nothing moves or if the path is pruned.
  bool act(PlanState& state, int action);
  // Does the same for a shortest walk of the agent to a position. Returns false if there is no walk
  // or if it is pruned; then `state` is some state on the walk.
  bool walk(PlanState& state, PositionId to);

  // Takes the next state at the current distance from the open list. If there is none, increments
  // the distance and returns false.
  bool pop(PlanState& state);
  bool is_exhausted() const { return distance_ >= open_.size(); }

  uint32_t best_length() const { return best_length_; }
  // Returns the best plan. Writes the states that it visits to `states`.
  std::vector<uint8_t> best_plan(std::vector<PlanState>& states);
  // Sets the distance of these states to 0 and opens them.
  void centre_on(const std::vector<PlanState>& states);

 private:
  // The distance that an action adds. A placement has many states, which differ only by walks, so
  // pushes count more.
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

  const uint32_t walk_distance_;
  LimitGuard& guard_;
  ActionSpace space_;
  const PositionIndex& agent_;
  Placements placements_;
  size_t work_ = 0;
  uint32_t best_length_ = UINT32_MAX;
  PlanState best_end_{};
  std::pmr::vector<std::pmr::vector<PlanState>> open_;  // queues by distance
  std::pmr::vector<size_t> heads_;                      // of each queue in `open_`
  size_t distance_ = 0;
  WalkFinder walk_;
  std::vector<PositionId> parent_, child_;
};

}  // namespace pushworld
