// Interning: each different value gets a small id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace pushworld {

// The hash function must mix well: its lowest bits choose the slot.
template <typename Value, typename Hash>
class IdTable {
 public:
  explicit IdTable(std::pmr::memory_resource& memory)
      : slots_(size_t{16}, kFree, &memory), values_(&memory) {}

  // Returns the id of the value: that of an equal one, or the next of 0, 1, ...
  uint32_t id_of(const Value& value) {
    const size_t slot = find(value);
    if (slots_[slot] != kFree) return slots_[slot];
    const uint32_t id = static_cast<uint32_t>(values_.size());
    values_.push_back(value);
    slots_[slot] = id;
    if (values_.size() * 3 > slots_.size() * 2) grow();
    return id;
  }
  const Value& operator[](uint32_t id) const { return values_[id]; }

  size_t size() const { return values_.size(); }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  // The slot that holds the id of the value, or the free slot where it belongs.
  size_t find(const Value& value) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = Hash{}(value)&mask;
    while (slots_[slot] != kFree && !(values_[slots_[slot]] == value)) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (uint32_t id = 0; id < values_.size(); ++id) slots_[find(values_[id])] = id;
  }

  std::pmr::vector<uint32_t> slots_;
  std::pmr::vector<Value> values_;
};

}  // namespace pushworld
