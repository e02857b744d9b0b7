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

bool Strategy::uses(PushFeature feature) const {
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

const std::vector<Strategy>& default_strategies() {
  using enum PushFeature;
  const EvaluatorId kNovelty = evaluator_id("novelty");
  const EvaluatorId kRgd = evaluator_id("rgd");
  const EvaluatorId kGuidedCost = evaluator_id("cost");
  using enum Commitment;
  static const OpenListSpec kNovel = {{}, {kNovelty, kGuidedCost}};
  static const OpenListSpec kNovelRgd = {{}, {kNovelty, kRgd}};
  static const OpenListSpec kAffordanceBuckets = {{kAffordances}, {kGuidedCost}};
  static const OpenListSpec kDisplacedBuckets = {{kDisplaced}, {kGuidedCost}};
  static const OpenListSpec kDisplacedMovedBuckets = {{kDisplaced, kMoved}, {kGuidedCost}};
  static const OpenListSpec kGoalMovedBuckets = {{kGoalFacts, kMoved}, {kGuidedCost}};
  static const OpenListSpec kNovelGoalBuckets = {{kGoalFacts}, {kNovelty, kGuidedCost}};
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
