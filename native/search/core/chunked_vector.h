// A vector that grows without copies.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <type_traits>
#include <vector>

#include "search/core/memory_account.h"
#include "util/platform.h"

namespace pushworld {

// Holds its entries in chunks of equal size, so it never takes more memory than one chunk beyond
// what it needs, and references stay valid.
template <typename T>
class ChunkedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ChunkedVector(MemoryAccount& memory) : memory_(memory), chunks_(&memory) {}

  size_t size() const { return size_; }
  void push_back(T value) {
    if (size_ >> kChunkBits == chunks_.size()) chunks_.emplace_back(kChunkEntries, memory_);
    (*this)[size_++] = value;
  }
  T& operator[](size_t index) { return chunks_[index >> kChunkBits][index & (kChunkEntries - 1)]; }
  const T& operator[](size_t index) const {
    return chunks_[index >> kChunkBits][index & (kChunkEntries - 1)];
  }
  void prefetch(size_t index) const { pushworld::prefetch(&(*this)[index]); }

 private:
  static constexpr int kChunkBits = 12;
  static constexpr size_t kChunkEntries = size_t{1} << kChunkBits;

  MemoryAccount& memory_;
  std::pmr::vector<ZeroedArray<T>> chunks_;
  size_t size_ = 0;
};

}  // namespace pushworld
