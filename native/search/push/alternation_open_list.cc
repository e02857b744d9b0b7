#include "search/push/alternation_open_list.h"

#include <algorithm>

#include "util/hash.h"

namespace pushworld {
namespace {

// Costs within a band of novelty are less.
constexpr uint32_t kBand = uint32_t{1} << 24;

SetKey both(SetKey set, SetKey other) {
  return {set.size + other.size, mix(mix(set.value) ^ other.value)};
}

}  // namespace

void AlternationOpenList::push(NodeId node, const PushRank& rank) {
  const uint32_t guided_cost = std::min<uint32_t>(rank.guided_cost, kBand - 1);
  for (size_t k = 0; k < orders_.size(); ++k) {
    switch (orders_[k]) {
      case PushOrder::kGreedyDistanceBands:
        lists_[k].push(rank.novelty << 32 | static_cast<uint32_t>(rank.distance), node);
        break;
      case PushOrder::kDisplacedCells:
        cells_[k].push(rank.displaced, guided_cost, node);
        break;
      case PushOrder::kNovelGoalCells:
        cells_[k].push(rank.goal_facts, static_cast<uint32_t>(rank.novelty) * kBand | guided_cost,
                       node);
        break;
      case PushOrder::kMovedGoalCells:
        cells_[k].push(both(rank.goal_facts, rank.moved), guided_cost, node);
        break;
      case PushOrder::kMovedDisplacedCells:
        cells_[k].push(both(rank.displaced, rank.moved), guided_cost, node);
        break;
      case PushOrder::kAffordanceCells:
        cells_[k].push(rank.affordances, guided_cost, node);
        break;
    }
  }
}

AlternationOpenList::Next AlternationOpenList::pop() {
  for (size_t tried = 0; tried < orders_.size(); ++tried) {
    const size_t k = turn_++ % orders_.size();
    const NodeId node = lists_[k].empty() ? cells_[k].pop() : lists_[k].pop().second;
    if (node != kNoNode) return {node, false};
  }
  if (!postponed_.empty()) return {postponed_.pop().second, true};
  return {kNoNode, false};
}

}  // namespace pushworld
