// The search space whose transitions are single actions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"

namespace pushworld {

// A state holds the position ids of all objects, the agent's first.
class ActionSpace {
 public:
  ActionSpace(const Dynamics& dynamics, LimitGuard& guard);

  const Dynamics& dynamics() const { return dynamics_; }
  const ObjectClasses& classes() const { return classes_; }
  size_t num_objects() const { return sizes_.size(); }
  // The number of positions of each object.
  const std::vector<size_t>& sizes() const { return sizes_; }

  std::vector<PositionId> initial_state() const { return classes_.ids(dynamics_.world().start()); }
  bool is_solved(const PositionId* state) const;

  // Selects the state for `successor`. The array must not change until the last such call.
  void enter(const PositionId* state);
  // Writes the successor by an action to `child` and returns the objects that move.
  std::span<const uint16_t> successor(int action, PositionId* child);

 private:
  const Dynamics& dynamics_;
  LimitGuard& guard_;
  ObjectClasses classes_;
  std::vector<size_t> sizes_;
  std::vector<PositionId> goals_;  // kNoPosition if walls make the goal unreachable
  const PositionId* state_ = nullptr;
  std::vector<Coordinate> coordinates_;
  std::array<uint16_t, kMaxObjects> moving_;
};

// The order in which a search applies the actions. Seed 0 gives 0, 1, 2, 3.
std::array<int, kNumActions> action_order(uint64_t seed);

}  // namespace pushworld
