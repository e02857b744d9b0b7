// The node table of a search: all generated states with their parents.
#pragma once

#include <cstdint>
#include <vector>

#include "search/core/memory_account.h"
#include "search/core/position_index.h"

namespace pushworld {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

// A hash table of bit-packed states without duplicates. Node ids are 0, 1, ... in order of
// insertion.
class NodeStore {
 public:
  // `sizes[i]` is the number of values that entry i of a state can take.
  NodeStore(const std::vector<size_t>& sizes, LimitGuard& guard);

  size_t size() const { return size_; }

  struct Inserted {
    NodeId node;
    bool is_new;
  };
  // Returns the node of a state; adds it if it is new. `label` is the caller's data. Throws
  // std::bad_alloc if there is no memory or no node id left.
  Inserted insert(const PositionId* state, NodeId parent, uint32_t label);
  bool contains(const PositionId* state);
  void read(NodeId node, PositionId* state) const;
  NodeId parent(NodeId node) const { return static_cast<NodeId>(record(node)[state_words_]); }
  uint32_t label(NodeId node) const {
    return static_cast<uint32_t>(record(node)[state_words_] >> 32);
  }
  // The nodes from the root to a node, both included.
  std::vector<NodeId> path_to(NodeId node) const;
  // The actions on that path. Requires that the lowest two bits of each label are the last action.
  std::vector<uint8_t> actions_to(NodeId node) const;
  static int action_of(uint32_t label) { return static_cast<int>(label & 3); }
  void set_parent(NodeId node, NodeId parent, uint32_t label) {
    record(node)[state_words_] = uint64_t{label} << 32 | parent;
  }

 private:
  // A chunk holds 2^14 nodes, or fewer if they would take more than this.
  static constexpr int kMaxChunkBits = 14;
  static constexpr size_t kMaxChunkBytes = size_t{1} << 20;

  struct Field {
    uint16_t word;
    uint8_t shift;
    uint8_t bits;
  };
  size_t chunk_nodes() const { return size_t{1} << chunk_bits_; }
  uint64_t* record(NodeId node) const {
    return chunks_[node >> chunk_bits_].get() + (node & (chunk_nodes() - 1)) * record_words_;
  }
  // Packs the state into `packed_` and returns its hash.
  uint64_t pack(const PositionId* state);
  // The slot that holds the state in `packed_`, or the empty slot where it belongs.
  size_t find(uint64_t hash) const;
  void add_chunk();
  void grow();

  LimitGuard& guard_;
  int chunk_bits_ = kMaxChunkBits;
  std::vector<Field> fields_;  // no field crosses a word
  size_t state_words_ = 0;
  size_t record_words_ = 0;
  size_t size_ = 0;
  std::pmr::vector<ZeroedArray<uint64_t>> chunks_;
  std::pmr::vector<uint64_t> slots_;  // low half: the node; high half: bits of the hash
  std::vector<uint64_t> packed_;
};

}  // namespace pushworld
