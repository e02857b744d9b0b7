// The evaluators of open lists. This is the place to add one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/world.h"
#include "search/core/position_index.h"

namespace pushworld {

// What evaluators know about a state right after a push.
struct PushedState {
  const World& world;
  const ObjectClasses& classes;
  const PositionId* positions;  // of the agent and the movables
  uint32_t pushes;              // so far
  uint32_t remaining;           // pushes that the manipulation heuristic counts
  uint32_t blockers;            // likewise
  uint32_t distance;            // the recursive graph distance, at most 500
  uint32_t novelty;             // 1 to 4, see pair_novelty.h
  uint32_t guided_cost;         // pushes, remaining pushes and blockers, with weights
};

// Orders the states of an open list or of a bucket, the lowest value first.
struct PushEvaluator {
  std::string_view name, meaning;
  int bits;             // of its values, which saturate; 0 for what the others leave of 32
  bool needs_distance;  // which takes a good part of the time
  uint32_t (*value)(const PushedState& state);
};

inline constexpr auto kPushEvaluators = std::to_array<PushEvaluator>({
    {"novelty", "pair novelty", 3, false, [](const PushedState& state) { return state.novelty; }},
    {"rgd", "the recursive graph distance with at most two tools", 9, true,
     [](const PushedState& state) { return state.distance; }},
    {"cost", "the guided cost: pushes so far + 2 x pushes still needed + 4 x blockers", 0, false,
     [](const PushedState& state) { return state.guided_cost; }},
});

// An evaluator by its place in the table.
using EvaluatorId = size_t;

}  // namespace pushworld
