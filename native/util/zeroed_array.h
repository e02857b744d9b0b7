// Arrays of zeros that take no time to make.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace pushworld {

// The system provides the pages of a large one when they are first written, so that one of which
// little is used takes little memory.
template <typename T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  // Throws std::bad_alloc.
  explicit ZeroedArray(size_t size) : array_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (!array_ && size > 0) throw std::bad_alloc();
  }

  explicit operator bool() const { return array_ != nullptr; }
  T* get() const { return array_.get(); }
  T& operator[](size_t index) const { return array_[index]; }

 private:
  struct Free {
    void operator()(T* array) const { std::free(array); }
  };
  std::unique_ptr<T[], Free> array_;
};

}  // namespace pushworld
