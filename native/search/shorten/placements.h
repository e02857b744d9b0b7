// The placements of the movables around a plan, each with how the agent's positions are reached.
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

// How a state (a placement and a position of the agent) is reached.
struct Arrival {
  static constexpr uint32_t kMaxCost = (1u << 19) - 3;
  static constexpr uint32_t kUnreached = kMaxCost + 1;
  static constexpr uint32_t kOccupied = kMaxCost + 2;  // the agent would overlap a movable
  static constexpr uint32_t kMaxDistance = (1u << 12) - 1;
  static constexpr uint32_t kNowhere = UINT32_MAX;

  uint32_t via;        // the placement before the last action, and that action; kNowhere if none
  uint32_t cost : 19;  // actions from the start, at most
  uint32_t distance : 12;  // from the plan
  uint32_t waiting : 1;    // for its expansion
};

// Movables of one shape without goals may trade places, so placements that differ in nothing else
// are one.
class Placements {
 public:
  Placements(const World& world, const ObjectClasses& classes, LimitGuard& guard);

  size_t size() const { return store_.size(); }

  // Whether the next new placement takes more memory.
  bool is_full() const { return size() == chunks_.size() * chunk_placements_; }

  // Brings the positions of interchangeable movables into their order. `state[0]` is the agent's.
  void normalise(PositionId* state) { interchangeable_.canonicalize(state); }
  // Finds or adds the placement of a normalised state. Throws std::bad_alloc, also where no number
  // is left.
  NodeStore::Inserted insert(const PositionId* state);
  // Writes the positions of the movables to state[1], state[2], ...
  void read(PlacementId placement, PositionId* state) const { store_.read(placement, state + 1); }

  Arrival* arrivals(PlacementId placement) {
    return chunks_[placement / chunk_placements_].get() +
           placement % chunk_placements_ * num_positions_;
  }
  // No plan from the placement has fewer actions; 0 means that it is a goal, kDeadEnd no plan at
  // all.
  uint32_t lower_bound(PlacementId placement) const { return lower_bounds_[placement]; }
  static constexpr uint32_t kDeadEnd = UINT32_MAX / 2;

 private:
  static constexpr size_t kMaxPlacements = size_t{1} << 30;  // `Arrival::via` adds two bits

  uint32_t bound(const PositionId* state) const;

  const ObjectClasses& classes_;
  const int n_;
  const size_t num_positions_;  // of the agent
  const size_t chunk_placements_;
  MemoryAccount& memory_;
  NodeStore store_;
  std::pmr::vector<ZeroedArray<Arrival>> chunks_;
  std::pmr::vector<uint32_t> lower_bounds_;
  std::pmr::vector<std::pmr::vector<uint16_t>> goal_distances_;
  std::vector<std::vector<Point>> obstacles_;  // for each class, the agent's places that overlap it
  InterchangeableObjects interchangeable_;
};

}  // namespace pushworld
