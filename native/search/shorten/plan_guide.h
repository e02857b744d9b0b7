// A plan as the guide of a search for a shorter one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/action/action_space.h"
#include "search/core/interchangeable_objects.h"

namespace pushworld {

// Rates states by how far along a plan they are. A step of the plan is the placement between two
// pushes, with the agent where it begins the second one. A state leads by the number of actions
// before a step, less the distance to the step: the sum of the distances of the objects that the
// rest of the plan needs, each without the others. What counts is the best step. So a state that is
// ahead of the plan leads by more than its own number of actions.
class PlanGuide {
 public:
  // A placement of the plan, with the agent where it is when the plan gets there.
  struct Entry {
    std::vector<PositionId> state;  // in canonical form
    uint32_t cost;                  // the number of actions before it
  };

  // Ignores the positions of the movable `ignored`; 0 if there is none.
  PlanGuide(ActionSpace& space, InterchangeableObjects& interchangeable,
            const std::vector<uint8_t>& plan, int ignored, LimitGuard& guard);

  // Whether the tables fit into `max_bytes`.
  static bool is_affordable(const ActionSpace& space, const std::vector<uint8_t>& plan,
                            size_t max_bytes);

  // All but the last, which solves the puzzle.
  const std::vector<Entry>& entries() const { return entries_; }

  // Selects the state that the next states differ little from. All states are in canonical form.
  void enter(const PositionId* state);

  struct Rating {
    int lead;
    uint64_t off_plan;  // the hash of the set of objects that are away from the best step
  };
  Rating rate(const PositionId* state);

 private:
  static constexpr uint32_t kMaxDistance = 1000;
  // The actions that a push away from the plan counts: it takes a walk, too.
  static constexpr uint32_t kActionsPerPush = 2;

  void replay(ActionSpace& space, InterchangeableObjects& interchangeable,
              const std::vector<uint8_t>& plan);
  // The first `needed` steps need the object where it is; the others do not.
  void add_table(const PositionIndex& index, size_t object, size_t needed);
  const uint16_t* distances(size_t object, PositionId at) const {
    return tables_[object].data() + at * steps_.size();
  }

  LimitGuard& guard_;
  std::vector<Entry> entries_;
  std::vector<Entry> steps_;
  std::vector<std::pmr::vector<uint16_t>> tables_;  // by object, position and step
  std::vector<PositionId> entered_;
  std::vector<int> leads_, scratch_;  // for each step; of the entered state without its agent
};

}  // namespace pushworld
