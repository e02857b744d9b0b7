#include "search/push/strategy.h"

#include <algorithm>
#include <stdexcept>

namespace pushworld {
namespace {

template <typename Value>
bool has_duplicate(const std::vector<Value>& values) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) != value) return true;
  }
  return false;
}

void require(bool condition, const Strategy& strategy, const char* problem) {
  if (!condition) {
    throw std::invalid_argument("the strategy '" + strategy.name + "' has " + problem);
  }
}

}  // namespace

OpenListSpec open_list(const std::vector<std::string>& features,
                       const std::vector<std::string>& evaluators) {
  OpenListSpec list;
  for (const std::string& each : features) {
    list.features.push_back(place_of(each, kPushFeatureInfos));
  }
  for (const std::string& each : evaluators) {
    list.evaluators.push_back(place_of(each, kPushEvaluators));
  }
  return list;
}

bool Strategy::uses(FeatureId feature) const {
  return std::any_of(open_lists.begin(), open_lists.end(), [&](const OpenListSpec& list) {
    return std::find(list.features.begin(), list.features.end(), feature) != list.features.end();
  });
}

bool Strategy::needs_distance() const {
  return std::any_of(open_lists.begin(), open_lists.end(), [](const OpenListSpec& list) {
    return std::any_of(list.evaluators.begin(), list.evaluators.end(),
                       [](EvaluatorId id) { return kPushEvaluators[id].needs_distance; });
  });
}

bool Strategy::needs_affordances() const {
  if (commitment != Commitment::kNone) return true;
  for (FeatureId id = 0; id < kPushFeatureInfos.size(); ++id) {
    if (kPushFeatureInfos[id].needs_affordances && uses(id)) return true;
  }
  return false;
}

const std::vector<Strategy>& default_strategies() {
  using enum Commitment;
  static const OpenListSpec kNovel = open_list({}, {"novelty", "cost"});
  static const OpenListSpec kNovelRgd = open_list({}, {"novelty", "rgd"});
  static const OpenListSpec kAffordanceBuckets = open_list({"affordances"}, {"cost"});
  static const OpenListSpec kDisplacedBuckets = open_list({"displaced"}, {"cost"});
  static const OpenListSpec kDisplacedMovedBuckets = open_list({"displaced", "moved"}, {"cost"});
  static const OpenListSpec kGoalMovedBuckets = open_list({"goal-facts", "moved"}, {"cost"});
  static const OpenListSpec kNovelGoalBuckets = open_list({"goal-facts"}, {"novelty", "cost"});
  // With two threads, the second begins with goals in turn, or with few objects if there is one
  // goal. Where goal objects need tools, RGD takes a good part of the time, so only one strategy of
  // each commitment has it. Three that solve different puzzles have the largest shares; the last
  // two solve few puzzles that the others do not.
  static const std::vector<Strategy> kStrategies = {
      {"affordances", {kNovelRgd, kAffordanceBuckets, kNovelGoalBuckets}, kAnyObjects, 8},
      {"goals-in-turn",
       {kNovel, kAffordanceBuckets, kNovelGoalBuckets},
       kAnyObjects,
       4,
       true,
       true},
      {"few-objects", {kNovel, kAffordanceBuckets, kNovelGoalBuckets}, kAnyObjects, 8, true},
      {"affordances-single", {kNovel, kAffordanceBuckets, kDisplacedBuckets}, kSingleObjects, 2},
      {"goals-moved", {kNovel, kGoalMovedBuckets, kNovelGoalBuckets}, kAnyObjects, 4},
      {"goals-moved-single", {kNovelRgd, kGoalMovedBuckets, kDisplacedBuckets}, kSingleObjects, 8},
      {"uncommitted", {kNovelRgd, kNovelGoalBuckets, kDisplacedBuckets}, kNone, 2},
      {"displaced-moved", {kNovel, kDisplacedMovedBuckets, kNovelGoalBuckets}, kAnyObjects, 1},
      {"few-objects-single",
       {kNovel, kAffordanceBuckets, kDisplacedBuckets},
       kSingleObjects,
       1,
       true},
  };
  return kStrategies;
}

void check_strategies(const std::vector<Strategy>& strategies) {
  if (strategies.empty()) throw std::invalid_argument("there must be at least one strategy");
  for (const Strategy& strategy : strategies) {
    require(!strategy.open_lists.empty(), strategy, "no open list");
    require(!has_duplicate(strategy.open_lists), strategy, "the same open list twice");
    require(strategy.share >= 1 && strategy.share <= kMaxShare, strategy,
            "a share that is out of range");
    for (const PushOption& option : kPushOptions) {
      const uint64_t value = strategy.options.*option.member;
      require(option.least <= value && value <= option.most, strategy,
              "an option that is out of range");
    }
    for (const OpenListSpec& list : strategy.open_lists) {
      require(!has_duplicate(list.features), strategy, "the same feature twice in an open list");
      require(std::is_sorted(list.features.begin(), list.features.end()), strategy,
              "an open list with its features out of order");
      require(!has_duplicate(list.evaluators), strategy,
              "the same evaluator twice in an open list");
    }
  }
}

}  // namespace pushworld
