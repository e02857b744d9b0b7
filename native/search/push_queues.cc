#include "search/push_queues.h"

#include <algorithm>
#include <bit>

#include "search/hash.h"

namespace pushworld {
namespace {

// Costs within a band of novelty are less.
constexpr uint32_t kBand = uint32_t{1} << 24;

size_t size_of(uint64_t set, uint64_t other) { return std::popcount(set) + std::popcount(other); }

uint64_t value_of(uint64_t set, uint64_t other) { return mix(mix(set) ^ other); }

}  // namespace

void PushQueues::push(NodeId node, const PushRank& rank) {
  const uint32_t guided_cost = std::min<uint32_t>(rank.guided_cost, kBand - 1);
  for (size_t k = 0; k < orders_.size(); ++k) {
    switch (orders_[k]) {
      case PushOrder::kGreedyDistanceBands:
        lists_[k].push(rank.novelty << 32 | static_cast<uint32_t>(rank.distance), node);
        break;
      case PushOrder::kDisplacedCells:
        cells_[k].push(std::popcount(rank.displaced), rank.displaced, guided_cost, node);
        break;
      case PushOrder::kNovelGoalCells:
        cells_[k].push(std::popcount(rank.goal_facts), rank.goal_facts,
                       static_cast<uint32_t>(rank.novelty) * kBand | guided_cost, node);
        break;
      case PushOrder::kCargoGoalCells:
        cells_[k].push(size_of(rank.goal_facts, rank.moved), value_of(rank.goal_facts, rank.moved),
                       guided_cost, node);
        break;
      case PushOrder::kCargoDisplacedCells:
        cells_[k].push(size_of(rank.displaced, rank.moved), value_of(rank.displaced, rank.moved),
                       guided_cost, node);
        break;
      case PushOrder::kProspectCells:
        cells_[k].push(rank.offers, rank.prospects, guided_cost, node);
        break;
    }
  }
}

PushQueues::Next PushQueues::pop() {
  for (size_t tried = 0; tried < orders_.size(); ++tried) {
    const size_t k = turn_++ % orders_.size();
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
