// The open lists of a push search.
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

// The values of a state that determine its place in each open list.
struct PushEvaluation {
  std::array<uint32_t, kPushEvaluators.size()> values{};    // of each evaluator
  std::array<SetKey, kPushFeatureInfos.size()> features{};  // of each feature in use
};

// Packs the values of several evaluators into a rank of 32 bits, the first evaluator in the highest
// bits. Each value saturates at the maximum of its bit field.
class RankPacking {
 public:
  explicit RankPacking(const std::vector<EvaluatorId>& evaluators);

  uint32_t operator()(const PushEvaluation& evaluation) const;

 private:
  struct Field {
    EvaluatorId evaluator;
    int bits;
  };
  std::vector<Field> fields_;
};

// Alternates between several open lists (Roeger and Helmert, 2010). Each node is in every list. A
// separate list holds the postponed nodes (see commitment.h), ordered by novelty and then by the
// guided cost. It is used only when all other lists are empty.
class AlternationOpenList {
 public:
  AlternationOpenList(const std::vector<OpenListSpec>& open_lists, MemoryAccount& memory);

  void push(NodeId node, const PushEvaluation& evaluation);
  void postpone(NodeId node, uint64_t novelty, int guided_cost) {
    postponed_.push(novelty << 32 | static_cast<uint32_t>(guided_cost), node);
  }

  struct Next {
    NodeId node;  // kNoNode if all lists are empty
    bool was_postponed;
  };
  // Returns each pushed node once per open list: the caller skips closed nodes.
  Next pop();

 private:
  std::vector<OpenListSpec> specs_;
  std::vector<RankPacking> rankings_;
  std::vector<FeatureBucketOpenList> lists_;  // without features, a single bucket
  OpenList postponed_;
  size_t turn_ = 0;
};

}  // namespace pushworld
