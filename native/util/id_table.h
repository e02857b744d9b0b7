// Interning: each different value gets a small id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <vector>

namespace pushworld {

template <typename Value, typename Hash>
class IdTable {
 public:
  // Value{} gets the id 0.
  explicit IdTable(std::pmr::memory_resource& memory) : ids_(&memory), values_(&memory) {
    id_of(Value{});
  }

  uint32_t id_of(const Value& value) {
    const auto [entry, is_new] = ids_.try_emplace(value, static_cast<uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return entry->second;
  }
  const Value& operator[](uint32_t id) const { return values_[id]; }

  size_t size() const { return values_.size(); }

 private:
  std::pmr::unordered_map<Value, uint32_t, Hash> ids_;
  std::pmr::vector<Value> values_;
};

}  // namespace pushworld
