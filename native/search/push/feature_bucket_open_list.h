// An open list with a bucket (cell) of states for each value of a feature.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "search/core/node_store.h"
#include "search/core/object_set.h"

namespace pushworld {

// The value of the feature is a set. The sizes of sets take turns, and so do the sets of each size.
// So states with a rare value are expanded early, however many other states there are. Most
// puzzles, for example, are solved by moving few objects, and a small set of displaced objects has
// few states.
class FeatureBucketOpenList {
 public:
  void push(SetKey set, uint32_t rank, NodeId node) {
    const auto [entry, is_new] = cell_of_.try_emplace(set.value, cells_.size());
    if (is_new) {
      cells_.emplace_back();
      if (set.size >= levels_.size()) levels_.resize(set.size + 1);
      levels_[set.size].cells.push_back(entry->second);
    }
    cells_[entry->second].push(uint64_t{rank} << 32 | node);
    ++entries_;
  }

  // Returns kNoNode if nothing waits.
  NodeId pop() {
    for (size_t tried = 0; tried < levels_.size(); ++tried) {
      Level& level = levels_[turn_++ % levels_.size()];
      for (size_t k = 0; k < level.cells.size(); ++k) {
        Cell& cell = cells_[level.cells[level.turn++ % level.cells.size()]];
        if (cell.empty()) continue;
        const NodeId node = static_cast<NodeId>(cell.top());
        cell.pop();
        --entries_;
        return node;
      }
    }
    return kNoNode;
  }

  size_t bytes() const { return 2 * entries_ * sizeof(Entry) + cells_.size() * kCellBytes; }

 private:
  using Entry = uint64_t;  // rank, then node: among equal ranks, the oldest node comes first
  using Cell = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;
  static constexpr size_t kCellBytes = 100;

  struct Level {
    std::vector<size_t> cells;
    size_t turn = 0;
  };

  std::unordered_map<uint64_t, size_t> cell_of_;
  std::vector<Cell> cells_;
  std::vector<Level> levels_;
  size_t turn_ = 0;
  size_t entries_ = 0;
};

}  // namespace pushworld
