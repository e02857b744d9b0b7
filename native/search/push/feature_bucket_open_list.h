// An open list with a bucket for each value of a feature.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/core/chunked_vector.h"
#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "util/hash.h"
#include "util/id_table.h"

namespace pushworld {

// The value of the feature is a set. The list alternates between the sizes of sets, and for each
// size between the sets of that size. Similar to type-based open lists (Xie et al., 2014). So
// states with a rare value are expanded early, however many other states there are. For example,
// most plans displace few objects, and few states have a small set of displaced objects.
class FeatureBucketOpenList {
 public:
  explicit FeatureBucketOpenList(MemoryAccount& memory)
      : bucket_of_(memory), buckets_(&memory), levels_(&memory), turns_(&memory), next_(memory) {}

  // Nodes must come in ascending order.
  void push(SetKey set, uint32_t rank, NodeId node) {
    while (next_.size() <= node) next_.push_back(kNoNode);
    const uint32_t bucket = bucket_for(set.value);
    if (bucket == buckets_.size()) {
      buckets_.emplace_back();
      if (set.size >= levels_.size()) {
        levels_.resize(set.size + 1);
        turns_.resize(set.size + 1);
      }
      levels_[set.size].push_back(bucket);
    }
    append(buckets_[bucket], rank, node);
  }

  // Returns kNoNode if the list is empty.
  NodeId pop() {
    for (size_t tried = 0; tried < levels_.size(); ++tried) {
      const size_t size = turn_++ % levels_.size();
      const std::pmr::vector<uint32_t>& level = levels_[size];
      for (size_t k = 0; k < level.size(); ++k) {
        Bucket& bucket = buckets_[level[turns_[size]++ % level.size()]];
        if (!bucket.empty()) return take_first(bucket);
      }
    }
    return kNoNode;
  }

 private:
  // The nodes of a bucket with the same rank: first in, first out. They are linked by `next_`, so a
  // node takes four bytes.
  struct Queue {
    uint32_t rank;
    NodeId first, last;
  };
  using Bucket = std::pmr::vector<Queue>;  // by descending rank
  struct Hash {
    size_t operator()(uint64_t value) const { return mix(value); }
  };

  // The children of a node often have the same value.
  uint32_t bucket_for(uint64_t value) {
    if (value != last_value_ || buckets_.empty()) {
      last_bucket_ = bucket_of_.id_of(value);
      last_value_ = value;
    }
    return last_bucket_;
  }

  void append(Bucket& bucket, uint32_t rank, NodeId node) {
    const auto queue =
        std::lower_bound(bucket.begin(), bucket.end(), rank,
                         [](const Queue& queue, uint32_t rank) { return queue.rank > rank; });
    if (queue != bucket.end() && queue->rank == rank) {
      next_[queue->last] = node;
      queue->last = node;
    } else {
      bucket.insert(queue, {rank, node, node});
    }
  }

  NodeId take_first(Bucket& bucket) {
    Queue& queue = bucket.back();
    const NodeId node = queue.first;
    if (node == queue.last) {
      bucket.pop_back();
    } else {
      queue.first = next_[node];
      next_.prefetch(queue.first);
    }
    return node;
  }

  IdTable<uint64_t, Hash> bucket_of_;
  uint64_t last_value_ = 0;
  uint32_t last_bucket_ = 0;
  std::pmr::vector<Bucket> buckets_;
  std::pmr::vector<std::pmr::vector<uint32_t>> levels_;  // the buckets by the size of their sets
  std::pmr::vector<size_t> turns_;                       // the next bucket of each level
  size_t turn_ = 0;                                      // the next level
  ChunkedVector<NodeId> next_;                           // of each node, in its queue
};

}  // namespace pushworld
