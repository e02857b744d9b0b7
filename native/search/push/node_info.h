// The data of a push search for each node.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/core/chunked_vector.h"
#include "search/core/node_store.h"

namespace pushworld {

// Parallel arrays, indexed by node: the novelty, the closed flag, the number of pushes, and the
// affordances before the first push of the carried set.
class NodeInfo {
 public:
  explicit NodeInfo(MemoryAccount& memory)
      : marks_(memory), pushes_(memory), affordances_before_(memory) {}

  // Appends the entry of the next node. `affordances_before` is an id of CommitmentTable.
  void add(int novelty, int pushes, uint32_t affordances_before) {
    marks_.push_back(static_cast<uint8_t>(novelty));
    pushes_.push_back(static_cast<uint16_t>(std::min(pushes, int{UINT16_MAX})));
    affordances_before_.push_back(affordances_before);
  }
  void set_novelty(NodeId node, int novelty) { marks_[node] = static_cast<uint8_t>(novelty); }
  void close(NodeId node) { marks_[node] |= kClosed; }

  bool is_closed(NodeId node) const { return marks_[node] & kClosed; }
  int novelty(NodeId node) const { return marks_[node] & ~kClosed; }
  int pushes(NodeId node) const { return pushes_[node]; }
  uint32_t affordances_before(NodeId node) const { return affordances_before_[node]; }

 private:
  static constexpr uint8_t kClosed = 0x80;

  ChunkedVector<uint8_t> marks_;  // the novelty and the closed flag
  ChunkedVector<uint16_t> pushes_;
  ChunkedVector<uint32_t> affordances_before_;
};

}  // namespace pushworld
