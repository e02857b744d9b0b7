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

bool Strategy::uses(PushEvaluator evaluator) const {
  return std::any_of(open_lists.begin(), open_lists.end(), [&](const OpenListSpec& list) {
    return std::find(list.evaluators.begin(), list.evaluators.end(), evaluator) !=
           list.evaluators.end();
  });
}

const std::vector<Strategy>& default_strategies() {
  using enum PushFeature;
  using enum PushEvaluator;
  using enum Commitment;
  static const OpenListSpec kGreedy = {{}, {kNovelty, kRgd}};
  static const OpenListSpec kAffordanceBuckets = {{kAffordances}, {kGuidedCost}};
  static const OpenListSpec kDisplacedBuckets = {{kDisplaced}, {kGuidedCost}};
  static const OpenListSpec kDisplacedMovedBuckets = {{kDisplaced, kMoved}, {kGuidedCost}};
  static const OpenListSpec kGoalMovedBuckets = {{kGoalFacts, kMoved}, {kGuidedCost}};
  static const OpenListSpec kNovelGoalBuckets = {{kGoalFacts}, {kNovelty, kGuidedCost}};
  // With two threads, the second begins with goals in turn, or with few objects if there is one
  // goal. Each of the later strategies solves some puzzles that the earlier ones do not.
  static const std::vector<Strategy> kStrategies = {
      {"affordances", {kGreedy, kAffordanceBuckets, kNovelGoalBuckets}, kAnyObjects, 2},
      {"goals-in-turn",
       {kGreedy, kAffordanceBuckets, kNovelGoalBuckets},
       kAnyObjects,
       2,
       true,
       true},
      {"few-objects", {kGreedy, kAffordanceBuckets, kNovelGoalBuckets}, kAnyObjects, 2, true},
      {"affordances-single", {kGreedy, kAffordanceBuckets, kDisplacedBuckets}, kSingleObjects, 2},
      {"few-objects-single",
       {kGreedy, kAffordanceBuckets, kDisplacedBuckets},
       kSingleObjects,
       2,
       true},
      {"displaced-moved", {kGreedy, kDisplacedMovedBuckets, kNovelGoalBuckets}, kAnyObjects, 1},
      {"goals-moved-single", {kGreedy, kGoalMovedBuckets, kDisplacedBuckets}, kSingleObjects, 1},
      {"uncommitted", {kGreedy, kNovelGoalBuckets, kDisplacedBuckets}, kNone, 1},
      {"goals-moved", {kGreedy, kGoalMovedBuckets, kNovelGoalBuckets}, kAnyObjects, 1},
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
