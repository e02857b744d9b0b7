// Beam search over pushes, for short plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// The nodes of a layer that share a value of the feature are a group. Groups take turns.
enum class BeamFeature { kDisplaced, kGoalFactsAndMoved, kOffPlan };
inline constexpr size_t kNumFeaturesFromStart = 2;  // kOffPlan needs a guide

// A beam search whose layers are the numbers of actions so far, walks included. It expands at most
// `width` nodes of each layer: half of them for their novelty (PairNovelty), the others for their
// guided cost, by groups. A node is the positions of the movables and the agent's region, so where
// the agent stands in its region after a push is not optimized.
class PushBeam {
 public:
  virtual ~PushBeam() = default;

  // Searches for a plan that is shorter than the given one. If there is one, writes the shortest
  // that it finds to the plan of the guard's result and returns true.
  virtual bool search(size_t width, BeamFeature feature, const std::vector<uint8_t>& plan) = 0;
  // The same with the feature kOffPlan, from all states of the plan, which is also the guide
  // (PlanGuide). The guide ignores where the plan has the object `free`, so that what the plan does
  // with it may be left out. With `is_still`, the search does not move that object at all. Throws
  // std::bad_alloc if the guide is too large.
  virtual bool search_from_plan(size_t width, const std::vector<uint8_t>& plan, int free,
                                bool is_still) = 0;
  static constexpr int kNoObject = 0;
};

std::unique_ptr<PushBeam> make_push_beam(const Dynamics& dynamics, LimitGuard& guard);

}  // namespace pushworld
