// The states of a push search that wait for their expansion, in several orders at once.
#pragma once

#include <cstdint>
#include <vector>

#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "search/core/open_list.h"
#include "search/push/feature_bucket_open_list.h"

namespace pushworld {

// The orders in which states may wait. The guided cost is pushes so far + 2 x pushes by the guide +
// 4 x blockers. The goal facts of a state are which objects stand on their goals and which pairs of
// objects stand to each other as their goals do: objects that must be assembled before they can go
// home together look no better by themselves. The objects that the last push moved tell loads from
// single objects: a tool that holds what it carries is a step forward that no other fact shows.
enum class PushOrder {
  kGreedyDistanceBands,  // novelty, then the recursive graph distance
  kDisplacedCells,       // a turn for each set of displaced objects, then the guided cost
  kNovelGoalCells,       // a turn for each set of goal facts, then novelty, then the guided cost
  kMovedGoalCells,  // a turn for each set of goal facts and moved objects, then the guided cost
  kMovedDisplacedCells,  // a turn for each set of displaced and moved objects, then the guided cost
  kAffordanceCells,      // a turn for what the state before the push offered, then the guided cost
};

// What the place of a state in every order follows from.
struct PushRank {
  uint64_t novelty;
  int distance;
  int guided_cost;
  SetKey moved;  // by the push
  SetKey displaced;
  SetKey goal_facts;
  SetKey affordances;  // of all that the state before the push offered; its size counts moves
};

// The orders take turns. Postponed states come when nothing else waits: novelty first, then the
// guided cost.
class AlternationOpenList {
 public:
  AlternationOpenList(const std::vector<PushOrder>& orders, MemoryAccount& memory)
      : orders_(orders), postponed_(memory) {
    for (size_t k = 0; k < orders.size(); ++k) {
      lists_.emplace_back(memory);
      cells_.emplace_back(memory);
    }
  }

  void push(NodeId node, const PushRank& rank);
  void postpone(NodeId node, uint64_t novelty, int guided_cost) {
    postponed_.push(novelty << 32 | static_cast<uint32_t>(guided_cost), node);
  }

  struct Next {
    NodeId node;  // kNoNode when nothing waits
    bool was_postponed;
  };
  // Each state comes once for every order.
  Next pop();

 private:
  std::vector<PushOrder> orders_;
  // One of both for each order, of which one stays empty.
  std::vector<OpenList> lists_;
  std::vector<FeatureBucketOpenList> cells_;
  OpenList postponed_;
  size_t turn_ = 0;
};

}  // namespace pushworld
