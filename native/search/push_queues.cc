#include "search/push_queues.h"

#include <bit>

namespace pushworld {

void PushQueues::push(NodeId node, const PushRank& rank) {
  const uint64_t band = rank.novelty << 32;
  const uint32_t guided_cost = static_cast<uint32_t>(rank.guided_cost);
  for (size_t k = 0; k < orders_.size(); ++k) {
    switch (orders_[k]) {
      case PushOrder::kDistanceBands:
        lists_[k].push(band | static_cast<uint32_t>(rank.pushes + 2 * rank.distance), node);
        break;
      case PushOrder::kGreedyDistanceBands:
        lists_[k].push(band | static_cast<uint32_t>(rank.distance), node);
        break;
      case PushOrder::kDisplacedCells:
        cells_[k].push(std::popcount(rank.displaced), rank.displaced, guided_cost, node);
        break;
      case PushOrder::kGoalCells:
        cells_[k].push(std::popcount(rank.goal_facts), rank.goal_facts, guided_cost, node);
        break;
      case PushOrder::kNovelGoalCells:
        cells_[k].push(std::popcount(rank.goal_facts), rank.goal_facts, band | guided_cost, node);
        break;
      case PushOrder::kProspectCells:
        cells_[k].push(rank.offers, rank.prospects, guided_cost, node);
        break;
    }
  }
}

PushQueues::Next PushQueues::pop() {
  for (size_t tried = 0; tried < turns_; ++tried) {
    const size_t k = turn_++ % turns_;
    if (k == orders_.size()) {
      if (!postponed_.empty()) return {postponed_.pop().second, true};
      continue;
    }
    const NodeId node = lists_[k].empty() ? cells_[k].pop() : lists_[k].pop().second;
    if (node != kNoNode) return {node, false};
  }
  if (!postponed_.empty()) return {postponed_.pop().second, true};
  return {kNoNode, false};
}

size_t PushQueues::bytes() const {
  size_t total = postponed_.bytes();
  for (const OpenList& list : lists_) total += list.bytes();
  for (const CellList& cells : cells_) total += cells.bytes();
  return total;
}

}  // namespace pushworld
