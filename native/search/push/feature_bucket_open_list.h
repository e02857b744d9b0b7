// An open list with a bucket for each value of a feature.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "search/core/node_store.h"
#include "search/core/object_set.h"

namespace pushworld {

// The value of the feature is a set. The list alternates between the sizes of sets, and for each
// size between the sets of that size. Similar to type-based open lists (Xie et al., 2014). So
// states with a rare value are expanded early, however many other states there are. For example,
// most plans displace few objects, and few states have a small set of displaced objects.
class FeatureBucketOpenList {
 public:
  explicit FeatureBucketOpenList(MemoryAccount& memory)
      : bucket_of_(&memory), buckets_(&memory), levels_(&memory), turns_(&memory) {}

  void push(SetKey set, uint32_t rank, NodeId node) {
    const auto [entry, is_new] = bucket_of_.try_emplace(set.value, buckets_.size());
    if (is_new) {
      buckets_.emplace_back();
      if (set.size >= levels_.size()) {
        levels_.resize(set.size + 1);
        turns_.resize(set.size + 1);
      }
      levels_[set.size].push_back(entry->second);
    }
    buckets_[entry->second].push(uint64_t{rank} << 32 | node);
  }

  // Returns kNoNode if the list is empty.
  NodeId pop() {
    for (size_t tried = 0; tried < levels_.size(); ++tried) {
      const size_t size = turn_++ % levels_.size();
      const std::pmr::vector<size_t>& level = levels_[size];
      for (size_t k = 0; k < level.size(); ++k) {
        Bucket& bucket = buckets_[level[turns_[size]++ % level.size()]];
        if (bucket.empty()) continue;
        const NodeId node = static_cast<NodeId>(bucket.top());
        bucket.pop();
        return node;
      }
    }
    return kNoNode;
  }

 private:
  using Entry = uint64_t;  // rank, then node: first in, first out among equal ranks
  using Bucket = std::priority_queue<Entry, std::pmr::vector<Entry>, std::greater<>>;

  std::pmr::unordered_map<uint64_t, size_t> bucket_of_;
  std::pmr::vector<Bucket> buckets_;
  std::pmr::vector<std::pmr::vector<size_t>> levels_;  // the buckets by the size of their sets
  std::pmr::vector<size_t> turns_;                     // the next bucket of each level
  size_t turn_ = 0;                                    // the next level
};

}  // namespace pushworld
