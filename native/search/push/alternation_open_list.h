// The states of a push search that wait for their expansion, in several open lists at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "search/core/open_list.h"
#include "search/push/feature_bucket_open_list.h"
#include "search/push/strategy.h"

namespace pushworld {

// What the place of a state in every open list follows from.
struct PushEvaluation {
  std::array<uint32_t, kEvaluatorNames.size()> values{};  // of each evaluator
  std::array<SetKey, kFeatureNames.size()> features{};    // of each feature that is used

  uint32_t& operator[](PushEvaluator evaluator) { return values[static_cast<size_t>(evaluator)]; }
  SetKey& operator[](PushFeature feature) { return features[static_cast<size_t>(feature)]; }
};

// The values of some evaluators as one number of 32 bits, the first in the highest. Each value has
// a number of bits of its own and stays at the greatest number that they hold.
class RankPacking {
 public:
  explicit RankPacking(const std::vector<PushEvaluator>& evaluators);

  uint32_t operator()(const PushEvaluation& evaluation) const;

 private:
  struct Field {
    size_t evaluator;
    int bits;
  };
  std::vector<Field> fields_;
};

// Open lists that take turns (Roeger and Helmert 2010). Postponed states come when nothing else
// waits: novelty first, then the guided cost.
class AlternationOpenList {
 public:
  AlternationOpenList(const std::vector<OpenListSpec>& open_lists, MemoryAccount& memory);

  void push(NodeId node, const PushEvaluation& evaluation);
  void postpone(NodeId node, uint64_t novelty, int guided_cost) {
    postponed_.push(novelty << 32 | static_cast<uint32_t>(guided_cost), node);
  }

  struct Next {
    NodeId node;  // kNoNode when nothing waits
    bool was_postponed;
  };
  // Each state comes once for every open list.
  Next pop();

 private:
  std::vector<OpenListSpec> specs_;
  std::vector<RankPacking> rankings_;
  // One of both for each open list, of which one stays empty.
  std::vector<OpenList> lists_;
  std::vector<FeatureBucketOpenList> bucket_lists_;
  OpenList postponed_;
  size_t turn_ = 0;
};

}  // namespace pushworld
