// The node table of a search: all generated states with their parents.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "search/core/memory_account.h"
#include "search/core/position_index.h"
#include "util/platform.h"

namespace pushworld {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

// A hash table of bit-packed states without duplicates. Node ids are 0, 1, ... in order of
// insertion.
class NodeStore {
 public:
  // `sizes[i]` is the number of values that entry i of a state can take. Labels are smaller than
  // 2 ^ `label_bits`; without bits there are no labels.
  NodeStore(const std::vector<size_t>& sizes, LimitGuard& guard, int label_bits = 32);

  size_t size() const { return size_; }
  size_t entries_of_state() const { return fields_.size(); }

  struct Inserted {
    NodeId node;
    bool is_new;
  };
  // Returns the node of a state; adds it if it is new. `label` is the caller's data. Throws
  // std::bad_alloc if there is no memory or no node id left.
  Inserted insert(const PositionId* state, NodeId parent, uint32_t label) {
    const uint64_t hash = pack(state, scratch_.data());
    return insert(scratch_.data(), hash, parent, label);
  }
  // kNoNode if there is no node for the state.
  NodeId find(const PositionId* state) {
    const uint64_t hash = pack(state, scratch_.data());
    return find(scratch_.data(), hash);
  }

  // `insert` in two steps: other work between them hides the time that memory takes. Writes
  // `packed_size()` words and returns the hash.
  uint64_t pack(const PositionId* state, uint64_t* packed) const;
  // `pack` of a state that differs from a packed one in few entries: changes one of them from one
  // value to another. `hash` comes last.
  void change(uint64_t* packed, int entry, PositionId from, PositionId to) const {
    const Field field = fields_[static_cast<size_t>(entry)];
    packed[field.word] ^= uint64_t{from ^ to} << field.shift;
  }
  uint64_t hash(const uint64_t* packed) const;
  Inserted insert(const uint64_t* packed, uint64_t hash, NodeId parent, uint32_t label);
  size_t packed_size() const { return key_words_; }
  NodeId find(const uint64_t* packed, uint64_t hash) const;
  void prefetch(uint64_t hash) const { pushworld::prefetch(&buckets_[bucket_of(hash)]); }

  void read(NodeId node, PositionId* state) const;
  NodeId parent(NodeId node) const {
    NodeId parent;
    std::memcpy(&parent, record(node) + parent_at_, sizeof(parent));
    return parent;
  }
  uint32_t label(NodeId node) const {
    return static_cast<uint32_t>(word(record(node), label_word_) >> label_shift_ & label_mask_);
  }
  // The nodes from the root to a node, both included.
  std::vector<NodeId> path_to(NodeId node) const;
  // The actions on that path. Requires that the lowest two bits of each label are the last action.
  std::vector<uint8_t> actions_to(NodeId node) const;
  static int action_of(uint32_t label) { return static_cast<int>(label & 3); }
  void set_parent(NodeId node, NodeId parent, uint32_t label);

 private:
  // A chunk holds 2^13 nodes, or fewer if they would take more than this.
  static constexpr int kMaxChunkBits = 13;
  static constexpr size_t kMaxChunkBytes = size_t{1} << 20;

  struct Field {
    uint16_t word;
    uint8_t shift;
    uint8_t bits;
  };
  // A bucket of the hash table fills a cache line. The lowest byte of a node's hash is its tag.
  struct Bucket {
    static constexpr uint32_t kNodes = 12;
    std::array<uint64_t, 2> tags;  // eight in a word
    std::array<NodeId, kNodes> nodes;

    uint32_t count() const { return static_cast<uint32_t>(tags[1] >> 32); }
    void add(NodeId node, uint64_t tag) {
      const uint32_t at = count();
      nodes[at] = node;
      tags[at / 8] |= tag << at % 8 * 8;
      tags[1] += uint64_t{1} << 32;
    }
  };
  static_assert(sizeof(Bucket) == 64);

  size_t chunk_nodes() const { return size_t{1} << chunk_bits_; }
  uint8_t* record(NodeId node) const {
    return chunks_[node >> chunk_bits_].get() + (node & (chunk_nodes() - 1)) * record_bytes_;
  }
  // A word of a record. Its upper bytes may belong to what follows.
  static uint64_t word(const uint8_t* record, size_t k) {
    uint64_t word;
    std::memcpy(&word, record + 8 * k, sizeof(word));
    return word;
  }
  uint64_t mask_of_word(size_t k) const { return k + 1 < key_words_ ? UINT64_MAX : last_key_mask_; }
  uint64_t hash_of(const uint8_t* record) const;
  size_t bucket_of(uint64_t hash) const { return multiply_high(hash, num_buckets_); }
  void add_to_table(NodeId node, uint64_t hash);
  void grow_table();
  void add_chunk();

  LimitGuard& guard_;
  int chunk_bits_ = kMaxChunkBits;
  std::vector<Field> fields_;  // no field crosses a word of 64 bits
  // A record is the packed state, the label and the parent. It takes as many bytes as it needs, the
  // lowest byte of a word first.
  size_t key_words_ = 0;
  uint64_t last_key_mask_ = 0;  // the bits of the last word of the state
  size_t label_word_ = 0;
  int label_shift_ = 0;
  uint64_t label_mask_ = 0;
  size_t parent_at_ = 0;  // the bytes before the parent
  size_t record_bytes_ = 0;
  size_t size_ = 0;
  std::pmr::vector<ZeroedArray<uint8_t>> chunks_;
  size_t num_buckets_;
  ZeroedArray<Bucket> buckets_;
  std::vector<uint64_t> scratch_;
};

}  // namespace pushworld
