// The features of open lists. This is the place to add one.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "search/core/object_set.h"

namespace pushworld {

struct PushFeatureInfo {
  std::string_view name, meaning;
  bool needs_affordances = false;
};

// A function of a state right after a push, whose value is a set. It is called with the members
// `problem` (push_problem.h), `positions` of the agent and the movables, `moved`, the movables that
// moved, and `affordances` of the state before (commitment.h).
template <typename Value>
struct PushFeature : PushFeatureInfo {
  Value value;
};
template <typename Value>
constexpr PushFeature<Value> push_feature(PushFeatureInfo info, Value value) {
  return {info, value};
}

inline constexpr auto kPushFeatures = std::tuple(
    push_feature(
        {"displaced", "objects that are not where they were at the start"},
        [](const auto& state) { return key_of(state.problem.displaced(state.positions)); }),
    push_feature(
        {"goal-facts", "goals that hold, and pairs of goal objects that stand as their goals do"},
        [](const auto& state) { return key_of(state.problem.goal_facts(state.positions)); }),
    push_feature({"moved", "objects that the last push moved"},
                 [](const auto& state) { return key_of(state.moved); }),
    push_feature({"affordances", "what the state before the last push offered", true},
                 [](const auto& state) { return key_of(state.affordances); }));

// A feature by its place in the table.
using FeatureId = size_t;

inline constexpr auto kPushFeatureInfos = std::apply(
    [](const auto&... each) { return std::to_array<PushFeatureInfo>({each...}); }, kPushFeatures);

}  // namespace pushworld
