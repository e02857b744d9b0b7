// Hashes of 64 bits.
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

// The hash of a row of values, one value after the other, from 0 on.
inline uint64_t combine(uint64_t hash, uint64_t value) {
  return mix(hash ^ value) + 0x9e3779b97f4a7c15u;
}

}  // namespace pushworld
