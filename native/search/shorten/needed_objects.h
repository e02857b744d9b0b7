// The part of a puzzle that a plan needs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// Most plans need few of the objects, and a search without the others has far fewer states. What a
// plan does not need is gone, until it is in the way of a plan of such a part (abstraction
// refinement). From then on it is a wall, or a movable if the plan moves it.
class NeededObjects {
 public:
  // Objects in ascending order. The rest of them are gone.
  struct Part {
    std::vector<int> movables;  // and the agent
    std::vector<int> walls;
    bool operator==(const Part&) const = default;
  };

  NeededObjects(const Dynamics& dynamics, LimitGuard& guard)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        guard_(guard),
        was_in_the_way_(static_cast<size_t>(world_.num_objects())) {}

  // A part that the plan solves.
  Part part_for(const std::vector<uint8_t>& plan);
  std::shared_ptr<Dynamics> dynamics_of(const Part& part) {
    return guard_.make<Dynamics>(
        guard_.make<World>(world_, world_.start(), part.movables, world_.goals(), part.walls));
  }

  // Whether the plan solves the whole puzzle.
  bool is_plan(const std::vector<uint8_t>& plan) const;
  // Remembers what is in the way of a plan that solves only the part. Returns whether there is
  // something new.
  bool note_obstacles(const Part& part, const Dynamics& of_part, const std::vector<uint8_t>& plan);

 private:
  std::vector<bool> moved_by(const std::vector<uint8_t>& plan);

  const Dynamics& dynamics_;
  const World& world_;
  LimitGuard& guard_;
  std::vector<bool> was_in_the_way_;  // by object
};

}  // namespace pushworld
