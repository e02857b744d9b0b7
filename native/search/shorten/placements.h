// Placements: states without the agent, each with a table over the agent's positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/core/position_index.h"

namespace pushworld {

using PlacementId = NodeId;

// The search data of a state, which is a placement and a position of the agent.
struct Arrival {
  static constexpr uint32_t kMaxCost = (1u << 19) - 3;
  static constexpr uint32_t kUnreached = kMaxCost + 1;
  static constexpr uint32_t kOccupied = kMaxCost + 2;  // the agent would overlap a movable
  static constexpr uint32_t kMaxDistance = (1u << 12) - 1;
  static constexpr uint32_t kNowhere = UINT32_MAX;

  uint32_t via;        // the parent's placement and the last action; kNowhere for the initial state
  uint32_t cost : 19;  // the length of the shortest known path to the state
  uint32_t distance : 12;  // from the plan
  uint32_t open : 1;       // whether the state is open
};

// A placement is the positions of all movables, in canonical form (see interchangeable_objects.h).
// This table holds an Arrival for each placement and each position of the agent.
class Placements {
 public:
  Placements(const World& world, const ObjectClasses& classes, LimitGuard& guard);

  size_t size() const { return store_.size(); }

  // Whether the next new placement allocates memory.
  bool is_full() const { return size() == chunks_.size() * chunk_placements_; }

  // Replaces the state by its canonical form. `state[0]` is the agent's position.
  void canonicalize(PositionId* state) { interchangeable_.canonicalize(state); }
  // Returns the placement of a state in canonical form; adds it if it is new. Throws std::bad_alloc
  // if there is no memory or no id left.
  NodeStore::Inserted insert(const PositionId* state);
  // Writes the positions of the movables to state[1], state[2], ...
  void read(PlacementId placement, PositionId* state) const { store_.read(placement, state + 1); }

  Arrival* arrivals(PlacementId placement) {
    return chunks_[placement / chunk_placements_].get() +
           placement % chunk_placements_ * num_positions_;
  }
  // A lower bound on the number of actions to the goal: 0 if all goals hold, kDeadEnd for a dead
  // end.
  uint32_t lower_bound(PlacementId placement) const { return lower_bounds_[placement]; }
  static constexpr uint32_t kDeadEnd = UINT32_MAX / 2;

 private:
  static constexpr size_t kMaxPlacements = size_t{1} << 30;  // `Arrival::via` has 2 more bits

  const ObjectClasses& classes_;
  const int n_;
  const size_t num_positions_;  // of the agent
  const size_t chunk_placements_;
  LimitGuard& guard_;
  NodeStore store_;
  std::pmr::vector<ZeroedArray<Arrival>> chunks_;
  std::pmr::vector<uint32_t> lower_bounds_;
  const GoalDistances goal_distances_;
  std::vector<std::vector<Point>> obstacles_;  // by class: the agent's offsets that overlap it
  InterchangeableObjects interchangeable_;
};

}  // namespace pushworld
