// The node table of SmallSearch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "util/hash.h"

namespace pushworld {

// A hash table of states, each with its cost, its parent and its last action.
class StateTable {
 public:
  using Key = std::array<uint64_t, 2>;

  struct Node {
    Key key;
    uint32_t parent;
    uint16_t cost;
    uint8_t action;
    bool closed;
  };

  static constexpr uint32_t kNone = UINT32_MAX;

  // Removes all states but keeps the memory.
  void clear() {
    nodes_.clear();
    slots_.assign(kFirstSlots, kNone);
  }

  size_t size() const { return nodes_.size(); }
  Node& operator[](uint32_t node) { return nodes_[node]; }

  // Returns the node of a state. Adds it with the cost UINT16_MAX if it is new.
  uint32_t find_or_add(const Key& key) {
    if (2 * (nodes_.size() + 1) > slots_.size()) grow();
    uint32_t& slot = slot_of(key);
    if (slot == kNone) {
      slot = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({key, kNone, UINT16_MAX, 0, false});
    }
    return slot;
  }

 private:
  static constexpr size_t kFirstSlots = 1024;

  uint32_t& slot_of(const Key& key) {
    const size_t mask = slots_.size() - 1;
    size_t place = mix(key[0] + mix(key[1])) & mask;
    while (slots_[place] != kNone && !is_at(slots_[place], key)) place = (place + 1) & mask;
    return slots_[place];
  }

  bool is_at(uint32_t node, const Key& key) const {
    return nodes_[node].key[0] == key[0] && nodes_[node].key[1] == key[1];
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kNone);
    for (uint32_t node = 0; node < nodes_.size(); ++node) slot_of(nodes_[node].key) = node;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> slots_;
};

}  // namespace pushworld
