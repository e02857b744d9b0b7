// Numbers for values that occur again and again.
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
  // The value that is all zeros has the number 0.
  explicit IdTable(std::pmr::memory_resource& memory) : numbers_(&memory), values_(&memory) {
    number(Value{});
  }

  uint32_t number(const Value& value) {
    const auto [entry, is_new] = numbers_.try_emplace(value, static_cast<uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return entry->second;
  }
  const Value& operator[](uint32_t number) const { return values_[number]; }

  size_t size() const { return values_.size(); }

 private:
  std::pmr::unordered_map<Value, uint32_t, Hash> numbers_;
  std::pmr::vector<Value> values_;
};

}  // namespace pushworld
