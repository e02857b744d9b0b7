// A counter-based random number generator. Portable.
#pragma once

#include <cstdint>

#include "util/hash.h"

namespace pushworld {

// The numbers of a stream depend on the key and the stream's number only.
class Random {
 public:
  Random(uint64_t key, uint64_t stream) : key_(mix(key ^ mix(stream + kIncrement))) {}

  uint64_t next() {
    counter_ += kIncrement;
    return mix(key_ + counter_);
  }

  // A uniform number in 0 .. count - 1. Rejection sampling avoids a bias to small numbers.
  uint32_t below(uint32_t count) {
    const uint64_t limit = UINT64_MAX - UINT64_MAX % count;
    uint64_t drawn = next();
    while (drawn >= limit) drawn = next();
    return static_cast<uint32_t>(drawn % count);
  }

  // A uniform number in first .. last.
  int between(int first, int last) {
    return first + static_cast<int>(below(static_cast<uint32_t>(last - first + 1)));
  }

 private:
  static constexpr uint64_t kIncrement = 0x9e3779b97f4a7c15u;

  uint64_t key_;
  uint64_t counter_ = 0;
};

}  // namespace pushworld
