// The states that wait for their expansion: lowest rank first, oldest first among equals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "search/core/node_store.h"

namespace pushworld {

class OpenList {
 public:
  using Rank = uint64_t;

  bool empty() const { return queues_.empty(); }

  void push(Rank rank, NodeId node) {
    Queue& queue = queues_[rank];
    if (!queue.tail || queue.end == kBlockNodes) append_block(queue);
    queue.tail->nodes[queue.end++] = node;
  }

  std::pair<Rank, NodeId> pop() {
    const auto first = queues_.begin();
    Queue& queue = first->second;
    const std::pair<Rank, NodeId> result{first->first, queue.head->nodes[queue.begin++]};
    if (queue.begin == kBlockNodes ||
        (queue.head.get() == queue.tail && queue.begin == queue.end)) {
      recycle_head(queue);
    }
    if (!queue.head) queues_.erase(first);
    return result;
  }

  size_t bytes() const { return blocks_ * sizeof(Block) + queues_.size() * kQueueBytes; }

 private:
  static constexpr size_t kBlockNodes = 254;
  static constexpr size_t kQueueBytes = 96;  // of a node of the map, about

  struct Block {
    std::unique_ptr<Block> next;
    std::array<NodeId, kBlockNodes> nodes;
  };
  struct Queue {
    std::unique_ptr<Block> head;
    Block* tail = nullptr;
    size_t begin = 0;  // in the head
    size_t end = 0;    // in the tail

    // Long lists of blocks must not be destroyed by recursion.
    ~Queue() {
      while (head) head = std::move(head->next);
    }
  };

  void append_block(Queue& queue) {
    std::unique_ptr<Block> block = std::move(spare_);
    if (!block) {
      block = std::make_unique<Block>();
      ++blocks_;
    }
    Block* const added = block.get();
    (queue.tail ? queue.tail->next : queue.head) = std::move(block);
    queue.tail = added;
    queue.end = 0;
  }
  void recycle_head(Queue& queue) {
    std::unique_ptr<Block> block = std::move(queue.head);
    queue.head = std::move(block->next);
    queue.begin = 0;
    if (!queue.head) queue.tail = nullptr;
    if (spare_) {
      --blocks_;
    } else {
      spare_ = std::move(block);
    }
  }

  std::map<Rank, Queue> queues_;
  std::unique_ptr<Block> spare_;
  size_t blocks_ = 0;
};

}  // namespace pushworld
