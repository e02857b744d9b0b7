// Accounting for the memory of a search: the limit, the current use and the peak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <utility>

namespace pushworld {

// All tables that grow with the world or with the search allocate from an account. So it also
// counts the copies that exist while a table grows. An allocation beyond the limit throws
// std::bad_alloc. Not thread-safe.
class MemoryAccount final : public std::pmr::memory_resource {
 public:
  explicit MemoryAccount(size_t limit) : limit_(limit) {}

  size_t limit() const { return limit_; }
  size_t used() const { return used_; }
  size_t peak() const { return peak_; }

  // Sets a callback for allocations that would exceed the limit. It frees memory of this account
  // and returns true, or returns false if it cannot.
  void set_make_room(std::function<bool()> make_room) { make_room_ = std::move(make_room); }

  // Sets a callback for large blocks that are about to be allocated and filled. It may throw.
  void set_before_block(std::function<void(size_t)> before) { before_block_ = std::move(before); }

  // Allocates zeroed memory; `deallocate` frees it.
  void* allocate_zeroed(size_t bytes);

  // Allocates zeroed memory without counting it; `release` frees it. The caller counts each page of
  // it before its first use: `charge_page` throws std::bad_alloc beyond the limit.
  void* reserve_zeroed(size_t bytes);
  void charge_page() { charge(kPageBytes); }
  void release(void* memory, size_t bytes, size_t charged_pages);

  // Counts memory that others allocate, until `refund`. Throws std::bad_alloc beyond the limit.
  void charge(size_t size);
  void refund(size_t size) { used_ -= size; }

  static constexpr size_t kPageBytes = 4096;

 private:
  // Both ignore the alignment: no table needs an extended one.
  void* do_allocate(size_t bytes, size_t alignment) override;
  void do_deallocate(void* memory, size_t bytes, size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  // Returns `memory`. If it is null, reverts the charge and throws std::bad_alloc.
  void* checked(void* memory, size_t bytes);

  const size_t limit_;
  size_t used_ = 0;
  size_t peak_ = 0;
  std::function<bool()> make_room_ = [] { return false; };
  std::function<void(size_t)> before_block_ = [](size_t) {};
};

// An array of zeros. A large one costs nothing to create: the system provides each page at its
// first use.
template <typename T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  ZeroedArray(size_t size, MemoryAccount& memory)
      : array_(static_cast<T*>(memory.allocate_zeroed(size * sizeof(T))),
               {&memory, size * sizeof(T)}) {}

  explicit operator bool() const { return array_ != nullptr; }
  T* get() const { return array_.get(); }
  T& operator[](size_t index) const { return array_[index]; }

 private:
  struct Free {
    MemoryAccount* memory;
    size_t bytes;
    void operator()(T* array) const { memory->deallocate(array, bytes); }
  };
  std::unique_ptr<T[], Free> array_{nullptr, Free{}};
};

// An array of zeros of which few pages are used. Only those count: entries are written through
// `at`, which counts their page.
template <typename T>
class SparseArray {
 public:
  SparseArray() = default;
  SparseArray(size_t size, MemoryAccount& memory)
      : is_used_(size / kPageEntries + 1, memory),
        array_(static_cast<T*>(memory.reserve_zeroed(size * sizeof(T))),
               {&memory, size * sizeof(T)}) {}

  explicit operator bool() const { return array_ != nullptr; }
  const T* get() const { return array_.get(); }
  const T& operator[](size_t index) const { return array_[index]; }
  T& at(size_t index) {
    uint8_t& is_used = is_used_[index / kPageEntries];
    if (!is_used) {
      array_.get_deleter().memory->charge_page();
      ++array_.get_deleter().pages;
      is_used = 1;
    }
    return array_[index];
  }

 private:
  static constexpr size_t kPageEntries = MemoryAccount::kPageBytes / sizeof(T);

  struct Free {
    MemoryAccount* memory;
    size_t bytes;
    size_t pages = 0;
    void operator()(T* array) const { memory->release(array, bytes, pages); }
  };
  ZeroedArray<uint8_t> is_used_;  // of each page
  std::unique_ptr<T[], Free> array_{nullptr, Free{}};
};

}  // namespace pushworld
