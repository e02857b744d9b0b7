#include "search/core/memory_account.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "util/platform.h"

namespace pushworld {
namespace {

// Blocks of at least this size come directly from the system and return to it when they are freed.
// If they came from malloc, a search that ends would leave unused holes between the blocks of other
// searches.
constexpr size_t kMappedBytes = size_t{1} << 17;

// Blocks of at least this size take milliseconds to fill.
constexpr size_t kLargeBytes = size_t{1} << 20;

// The bytes that a block really takes. The system rounds up to pages; malloc adds a word and rounds
// up to two words.
size_t size_of_block(size_t bytes) {
  constexpr size_t kPage = MemoryAccount::kPageBytes;
  if (bytes >= kMappedBytes) return (bytes + kPage - 1) & ~(kPage - 1);
  return (bytes + 23) & ~size_t{15};
}

}  // namespace

void MemoryAccount::charge(size_t size) {
  while (size > limit_ - used_) {
    if (!make_room_()) throw std::bad_alloc();
  }
  used_ += size;
  peak_ = std::max(peak_, used_);
}

void* MemoryAccount::checked(void* memory, size_t bytes) {
  if (memory) return memory;
  used_ -= size_of_block(bytes);
  throw std::bad_alloc();
}

void* MemoryAccount::allocate_zeroed(size_t bytes) {
  charge(size_of_block(bytes));
  return checked(bytes >= kMappedBytes ? map_pages(bytes) : std::calloc(bytes, 1), bytes);
}

void* MemoryAccount::reserve_zeroed(size_t bytes) {
  void* const memory = map_pages(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void MemoryAccount::release(void* memory, size_t bytes, size_t charged_pages) {
  unmap_pages(memory, bytes);
  used_ -= charged_pages * kPageBytes;
}

void* MemoryAccount::do_allocate(size_t bytes, size_t) {
  if (bytes >= kLargeBytes) before_block_(bytes);
  charge(size_of_block(bytes));
  return checked(bytes >= kMappedBytes ? map_pages(bytes) : std::malloc(bytes), bytes);
}

void MemoryAccount::do_deallocate(void* memory, size_t bytes, size_t) {
  if (bytes >= kMappedBytes) {
    unmap_pages(memory, bytes);
  } else {
    std::free(memory);
  }
  used_ -= size_of_block(bytes);
}

}  // namespace pushworld
