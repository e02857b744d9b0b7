// The open list of a best-first search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <utility>

#include "search/core/node_store.h"

namespace pushworld {

// A priority queue of nodes: the lowest rank first, first in first out among equal ranks.
class OpenList {
 public:
  using Rank = uint64_t;

  explicit OpenList(MemoryAccount& memory) : queues_(&memory), spare_(&memory) {}

  bool empty() const { return queues_.empty(); }

  void push(Rank rank, NodeId node) {
    Queue& queue = queues_.try_emplace(rank, spare_.get_allocator()).first->second;
    if (queue.blocks.empty() || queue.end == kBlockNodes) append_block(queue);
    queue.blocks.back().nodes[queue.end++] = node;
  }

  std::pair<Rank, NodeId> pop() {
    const auto first = queues_.begin();
    Queue& queue = first->second;
    const std::pair<Rank, NodeId> result{first->first, queue.blocks.front().nodes[queue.begin++]};
    const bool is_last = queue.blocks.size() == 1 && queue.begin == queue.end;
    if (queue.begin == kBlockNodes || is_last) remove_block(queue);
    if (is_last) queues_.erase(first);
    return result;
  }

 private:
  static constexpr size_t kBlockNodes = 62;

  struct Block {
    Block() {}  // does not initialize the nodes
    std::array<NodeId, kBlockNodes> nodes;
  };
  using Blocks = std::pmr::list<Block>;
  struct Queue {
    explicit Queue(Blocks::allocator_type memory) : blocks(memory) {}

    Blocks blocks;
    size_t begin = 0;  // in the first block
    size_t end = 0;    // in the last block
  };

  void append_block(Queue& queue) {
    if (spare_.empty()) {
      queue.blocks.emplace_back();
    } else {
      queue.blocks.splice(queue.blocks.end(), spare_);
    }
    queue.end = 0;
  }
  void remove_block(Queue& queue) {
    if (spare_.empty()) {
      spare_.splice(spare_.begin(), queue.blocks, queue.blocks.begin());
    } else {
      queue.blocks.pop_front();
    }
    queue.begin = 0;
  }

  std::pmr::map<Rank, Queue> queues_;
  Blocks spare_;  // at most one block, for reuse
};

}  // namespace pushworld
