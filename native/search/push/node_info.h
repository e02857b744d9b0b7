// The data of a push search for each node.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#include "search/core/chunked_vector.h"
#include "search/core/node_store.h"

namespace pushworld {

// For each node, in five bytes: the novelty, the closed flag, the number of pushes, and the
// affordances before the first push of the carried set.
class NodeInfo {
 public:
  explicit NodeInfo(MemoryAccount& memory) : entries_(memory) {}

  // Appends the entry of the next node. `affordances_before` is an id of CommitmentTable. Throws
  // std::bad_alloc if it is too large.
  void add(int novelty, int pushes, uint32_t affordances_before) {
    if (affordances_before >> 24) throw std::bad_alloc();
    const int bits = std::min(pushes, kMaxPushes) << kPushesShift | (novelty - 1);
    entries_.push_back({byte(bits), byte(bits >> 8), byte(affordances_before),
                        byte(affordances_before >> 8), byte(affordances_before >> 16)});
  }
  void set_novelty(NodeId node, int novelty) {
    uint8_t& bits = entries_[node][0];
    bits = byte((bits & ~kNoveltyMask) | (novelty - 1));
  }
  void close(NodeId node) { entries_[node][0] |= kClosed; }

  bool is_closed(NodeId node) const { return entries_[node][0] & kClosed; }
  int novelty(NodeId node) const { return (entries_[node][0] & kNoveltyMask) + 1; }
  int pushes(NodeId node) const {
    return (entries_[node][0] | entries_[node][1] << 8) >> kPushesShift;
  }
  uint32_t affordances_before(NodeId node) const {
    const auto& entry = entries_[node];
    return entry[2] | uint32_t{entry[3]} << 8 | uint32_t{entry[4]} << 16;
  }

 private:
  // The first two bytes: the novelty, from 1 to 4, the flag, and the number of pushes.
  static constexpr uint8_t kNoveltyMask = 3;
  static constexpr uint8_t kClosed = 4;
  static constexpr int kPushesShift = 3;
  static constexpr int kMaxPushes = (1 << 13) - 1;

  static uint8_t byte(uint32_t bits) { return static_cast<uint8_t>(bits); }

  ChunkedVector<std::array<uint8_t, 5>> entries_;
};

}  // namespace pushworld
