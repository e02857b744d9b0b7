// What compilers and operating systems do differently.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace pushworld {

// Hints that the cache line of an address will be used soon.
inline void prefetch(const void* address) {
#ifdef _MSC_VER
#ifdef _M_ARM64
  __prefetch(address);
#else
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
#else
  __builtin_prefetch(address);
#endif
}

inline void prefetch_for_write(const void* address) {
#ifdef _MSC_VER
  prefetch(address);
#else
  __builtin_prefetch(address, 1);
#endif
}

// The upper half of the 128-bit product.
inline uint64_t multiply_high(uint64_t a, uint64_t b) {
#ifdef _MSC_VER
  return __umulh(a, b);
#else
  __extension__ using Uint128 = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Uint128>(a) * b >> 64);
#endif
}

// Maps zeroed pages of which the system provides each at its first use. Null if there are none.
void* map_pages(size_t bytes);
void unmap_pages(void* memory, size_t bytes);

// Calls the function in each child that this process forks. Systems without `fork` never call it.
void call_in_forked_child(void (*function)());

}  // namespace pushworld
