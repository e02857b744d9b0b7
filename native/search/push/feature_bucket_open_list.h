// An open list with a bucket for each value of a feature.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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
      : bucket_of_(memory),
        buckets_(&memory),
        places_(&memory),
        levels_(&memory),
        filled_(&memory),
        turns_(&memory),
        next_(memory) {}

  // Nodes must come in ascending order.
  void push(SetKey set, uint32_t rank, NodeId node) {
    while (next_.size() <= node) next_.push_back({});
    const uint32_t bucket = bucket_for(set.value);
    if (bucket == buckets_.size()) {
      if (set.size >= levels_.size()) {
        levels_.resize(set.size + 1);
        filled_.resize(set.size + 1);
        turns_.resize(set.size + 1);
      }
      buckets_.emplace_back();
      places_.push_back(
          {static_cast<uint32_t>(set.size), static_cast<uint32_t>(levels_[set.size].size())});
      levels_[set.size].push_back(bucket);
      filled_[set.size].resize(places_.back().in_level / 64 + 1);
    }
    if (buckets_[bucket].empty()) {
      const Place place = places_[bucket];
      filled_[place.level][place.in_level / 64] |= uint64_t{1} << place.in_level % 64;
    }
    append(buckets_[bucket], rank, node);
  }

  // Returns kNoNode if the list is empty.
  NodeId pop() {
    for (size_t tried = 0; tried < levels_.size(); ++tried) {
      const size_t size = turn_++ % levels_.size();
      const size_t place = next_place(size);
      if (place == kNoPlace) continue;
      Bucket& bucket = buckets_[levels_[size][place]];
      const NodeId node = take_first(bucket);
      if (bucket.empty()) filled_[size][place / 64] &= ~(uint64_t{1} << place % 64);
      return node;
    }
    return kNoNode;
  }

 private:
  // Nodes of a bucket with the same rank: first in, first out. They are linked by `next_`, so a
  // node takes three bytes. A node too far from the last one begins another queue of that rank.
  struct Queue {
    uint32_t rank;
    NodeId first, last;
  };
  using Bucket = std::pmr::vector<Queue>;   // by descending rank, then from the newest on
  using Distance = std::array<uint8_t, 3>;  // to the next node, the lowest byte first
  struct Place {
    uint32_t level, in_level;
  };
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
    // The first queue of at most this rank. Without branches: ranks are hard to predict.
    auto queue = bucket.begin();
    for (size_t size = bucket.size(); size > 0; size /= 2) {
      const size_t half = (size + 1) / 2;
      queue += static_cast<std::ptrdiff_t>(half * size_t{queue[half - 1].rank > rank});
    }
    if (queue != bucket.end() && queue->rank == rank && (node - queue->last) >> 24 == 0) {
      const NodeId distance = node - queue->last;
      next_[queue->last] = {static_cast<uint8_t>(distance), static_cast<uint8_t>(distance >> 8),
                            static_cast<uint8_t>(distance >> 16)};
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
      const Distance& distance = next_[node];
      queue.first += distance[0] | NodeId{distance[1]} << 8 | NodeId{distance[2]} << 16;
      next_.prefetch(queue.first);
    }
    return node;
  }

  static constexpr size_t kNoPlace = SIZE_MAX;

  // Takes the turn of the next bucket of a level that is not empty. Returns its place, or kNoPlace.
  // Most buckets of a long search are empty, so it looks at 64 at a time.
  size_t next_place(size_t size) {
    const std::pmr::vector<uint64_t>& filled = filled_[size];
    if (filled.empty()) return kNoPlace;
    const size_t first = turns_[size] % levels_[size].size();
    uint64_t word = filled[first / 64] & ~uint64_t{0} << first % 64;
    for (size_t k = 0; k <= filled.size(); ++k) {
      const size_t at = (first / 64 + k) % filled.size();
      if (k > 0) word = filled[at];
      if (word == 0) continue;
      const size_t place = 64 * at + static_cast<size_t>(std::countr_zero(word));
      turns_[size] += (place >= first ? place : place + levels_[size].size()) - first + 1;
      return place;
    }
    turns_[size] += levels_[size].size();
    return kNoPlace;
  }

  IdTable<uint64_t, Hash> bucket_of_;
  uint64_t last_value_ = 0;
  uint32_t last_bucket_ = 0;
  std::pmr::vector<Bucket> buckets_;
  std::pmr::vector<Place> places_;                       // of each bucket
  std::pmr::vector<std::pmr::vector<uint32_t>> levels_;  // the buckets by the size of their sets
  std::pmr::vector<std::pmr::vector<uint64_t>> filled_;  // the places that are not empty, as bits
  std::pmr::vector<size_t> turns_;                       // the next place of each level
  size_t turn_ = 0;                                      // the next level
  ChunkedVector<Distance> next_;                         // of each node, in its queue
};

}  // namespace pushworld
