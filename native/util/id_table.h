// Numbers for values that occur again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pushworld {

template <typename Value, typename Hash>
class IdTable {
 public:
  // The value that is all zeros has the number 0.
  IdTable() { number(Value{}); }

  uint32_t number(const Value& value) {
    const auto [entry, is_new] = numbers_.try_emplace(value, static_cast<uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return entry->second;
  }
  const Value& operator[](uint32_t number) const { return values_[number]; }

  size_t size() const { return values_.size(); }
  size_t bytes() const { return values_.size() * (2 * sizeof(Value) + kEntryBytes); }

 private:
  static constexpr size_t kEntryBytes = 40;

  std::unordered_map<Value, uint32_t, Hash> numbers_;
  std::vector<Value> values_;
};

}  // namespace pushworld
