// Sets of objects, by their numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/world.h"
#include "util/bit_row.h"
#include "util/hash.h"

namespace pushworld {

// Nearly all puzzles have at most 64 objects, whose sets are single words.
template <int Words>
using ObjectSet = BitRow<Words>;

inline constexpr int kFewObjects = ObjectSet<1>::kWidth;
inline constexpr int kManyWords = kMaxObjects / 64;

// The objects `first`, `first` + 1, ..., `end` - 1.
template <int Words>
ObjectSet<Words> objects_from(int first, int end) {
  ObjectSet<Words> set;
  for (int object = first; object < end; ++object) set.set(object);
  return set;
}

// What lists keep of a set: its size, and a number that tells it from others. That is the set
// itself if it is a word.
struct SetKey {
  size_t size;
  uint64_t value;
};

template <int Words>
struct SetHash {
  size_t operator()(const ObjectSet<Words>& set) const {
    uint64_t hash = 0;
    for (const uint64_t word : set.word) hash = mix(hash ^ word);
    return hash;
  }
};

template <int Words>
SetKey key_of(const ObjectSet<Words>& set) {
  if constexpr (Words == 1) return {set.count(), set.word[0]};
  return {set.count(), SetHash<Words>{}(set)};
}

}  // namespace pushworld
