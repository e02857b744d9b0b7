#include "search/push/alternation_open_list.h"

#include <algorithm>

#include "util/hash.h"

namespace pushworld {
namespace {

constexpr int kRankBits = 32;

// The key of the combined value of several features.
SetKey combined_key(const PushEvaluation& evaluation, const std::vector<FeatureId>& features) {
  SetKey key{};
  for (size_t k = 0; k < features.size(); ++k) {
    const SetKey& set = evaluation.features[features[k]];
    key = k == 0 ? set : SetKey{key.size + set.size, mix(mix(key.value) ^ set.value)};
  }
  return key;
}

}  // namespace

RankPacking::RankPacking(const std::vector<EvaluatorId>& evaluators) {
  int left = kRankBits;
  int sharing = 0;  // what is left
  for (const EvaluatorId id : evaluators) {
    fields_.push_back({id, kPushEvaluators[id].bits});
    left -= kPushEvaluators[id].bits;
    sharing += kPushEvaluators[id].bits == 0;
  }
  for (Field& field : fields_) {
    if (field.bits == 0) field.bits = left / sharing;
  }
}

uint32_t RankPacking::operator()(const PushEvaluation& evaluation) const {
  uint64_t rank = 0;
  for (const Field& field : fields_) {
    const uint64_t greatest = (uint64_t{1} << field.bits) - 1;
    rank = rank << field.bits | std::min<uint64_t>(evaluation.values[field.evaluator], greatest);
  }
  return static_cast<uint32_t>(rank);
}

AlternationOpenList::AlternationOpenList(const std::vector<OpenListSpec>& open_lists,
                                         MemoryAccount& memory)
    : specs_(open_lists), postponed_(memory) {
  for (const OpenListSpec& spec : specs_) {
    rankings_.emplace_back(spec.evaluators);
    lists_.emplace_back(memory);
  }
}

void AlternationOpenList::push(NodeId node, const PushEvaluation& evaluation) {
  for (size_t k = 0; k < specs_.size(); ++k) {
    lists_[k].push(combined_key(evaluation, specs_[k].features), rankings_[k](evaluation), node);
  }
}

AlternationOpenList::Next AlternationOpenList::pop() {
  for (size_t tried = 0; tried < specs_.size(); ++tried) {
    const size_t k = turn_++ % specs_.size();
    const NodeId node = lists_[k].pop();
    if (node != kNoNode) return {node, false};
  }
  if (!postponed_.empty()) return {postponed_.pop().second, true};
  return {kNoNode, false};
}

}  // namespace pushworld
