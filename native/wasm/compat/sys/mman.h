// WebAssembly has no pages to map: memory for large tables comes from malloc, zeroed.
#pragma once

#include <cstddef>
#include <cstdlib>

inline constexpr int PROT_READ = 1, PROT_WRITE = 2, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32;
inline void* const MAP_FAILED = nullptr;

inline void* mmap(void*, size_t bytes, int, int, int, long) { return std::calloc(bytes, 1); }
inline int munmap(void* memory, size_t) {
  std::free(memory);
  return 0;
}
