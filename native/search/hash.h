// A hash of 64 bits.
#pragma once

#include <cstdint>

namespace pushworld {

// Spreads every bit over all others; the same on every machine.
inline uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

}  // namespace pushworld
