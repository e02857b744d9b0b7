// 64-bit hash functions.
#pragma once

#include <cstdint>

namespace pushworld {

// A bit mixer: every input bit affects every output bit. Portable.
inline uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

// Adds a value to the hash of a sequence. The empty sequence has the hash 0.
inline uint64_t combine(uint64_t hash, uint64_t value) {
  return mix(hash ^ value) + 0x9e3779b97f4a7c15u;
}

}  // namespace pushworld
