// All states that a search has seen, packed into bits, each with its parent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/core/position_index.h"

namespace pushworld {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

class NodeStore {
 public:
  // `sizes[i]` is the number of values that entry i of a state can take.
  explicit NodeStore(const std::vector<size_t>& sizes);

  size_t size() const { return size_; }
  size_t bytes() const {
    return chunks_.size() * kChunkNodes * record_words_ * 8 + slots_.size() * 8;
  }

  // What `bytes` and the copies made on the way can amount to while `more` nodes are added; more
  // than any memory holds where there are no numbers left for them.
  size_t bytes_while_adding(size_t more) const {
    if (size_ + more >= kMaxNodes) return SIZE_MAX / 2;
    const size_t chunks = (size_ + more + kChunkNodes - 1) / kChunkNodes;
    const bool grows = (size_ + more) * 10 > slots_.size() * 7;
    return chunks * kChunkNodes * record_words_ * 8 + slots_.size() * (grows ? 24 : 8);
  }

  struct Inserted {
    NodeId node;
    bool is_new;
  };
  // `label` is 32 bits of the caller's.
  Inserted insert(const PositionId* state, NodeId parent, uint32_t label);
  bool contains(const PositionId* state);
  void read(NodeId node, PositionId* state) const;
  NodeId parent(NodeId node) const { return static_cast<NodeId>(record(node)[state_words_]); }
  uint32_t label(NodeId node) const {
    return static_cast<uint32_t>(record(node)[state_words_] >> 32);
  }
  // The nodes from the root to a node, both included.
  std::vector<NodeId> path_to(NodeId node) const;
  // The actions on that path, of a store whose labels hold the last action in their lowest two
  // bits.
  std::vector<uint8_t> actions_to(NodeId node) const;
  static int action_of(uint32_t label) { return static_cast<int>(label & 3); }
  void set_parent(NodeId node, NodeId parent, uint32_t label) {
    record(node)[state_words_] = uint64_t{label} << 32 | parent;
  }

 private:
  static constexpr size_t kChunkNodes = size_t{1} << 14;
  static constexpr size_t kMaxNodes = kNoNode;

  struct Field {
    uint16_t word;
    uint8_t shift;
    uint8_t bits;
  };
  uint64_t* record(NodeId node) {
    return chunks_[node / kChunkNodes].get() + (node % kChunkNodes) * record_words_;
  }
  const uint64_t* record(NodeId node) const {
    return chunks_[node / kChunkNodes].get() + (node % kChunkNodes) * record_words_;
  }
  // Packs the state into `packed_` and returns its hash.
  uint64_t pack(const PositionId* state);
  // The slot that holds the state in `packed_`, or the empty one where it belongs.
  size_t find(uint64_t hash) const;
  void grow();

  std::vector<Field> fields_;  // no field crosses a word
  size_t state_words_ = 0;
  size_t record_words_ = 0;
  size_t size_ = 0;
  std::vector<std::unique_ptr<uint64_t[]>> chunks_;
  std::vector<uint64_t> slots_;  // node in the low half, hash in the high half
  std::vector<uint64_t> packed_;
};

}  // namespace pushworld
