// Sets of objects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/world.h"
#include "util/bit_row.h"
#include "util/hash.h"

namespace pushworld {

// A set of object indices. Almost all puzzles have at most 64 objects, so a set is one word.
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

// Identifies a set in an open list. `value` is the set itself if it is one word, otherwise its
// hash.
struct SetKey {
  size_t size;
  uint64_t value;
};

template <int Words>
uint64_t hash_of(const ObjectSet<Words>& set) {
  uint64_t hash = 0;
  for (const uint64_t word : set.word) hash = mix(hash ^ word);
  return hash;
}

template <int Words>
struct SetHash {
  size_t operator()(const ObjectSet<Words>& set) const { return hash_of(set); }
};

template <int Words>
SetKey key_of(const ObjectSet<Words>& set) {
  if constexpr (Words == 1) return {set.count(), set.word[0]};
  return {set.count(), hash_of(set)};
}

}  // namespace pushworld
