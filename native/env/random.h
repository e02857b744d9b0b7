// Random numbers of episodes. The generator of an environment draws a 64-bit seed for each episode.
// All random choices of the episode depend on this seed only.
#pragma once

#include <bit>
#include <cstdint>

#include "util/platform.h"

namespace pushworld {

// NumPy's PCG64 (O'Neill, 2014): a 128-bit linear congruential generator with the output function
// XSL-RR. So an environment draws the same seeds here and in Python.
class Pcg64 {
 public:
  struct Words {
    uint64_t high, low;
  };

  Pcg64() = default;
  Pcg64(Words state, Words increment) : state_(state), increment_(increment) {}

  uint64_t next() {
    const Words product = {state_.high * kMultiplier.low + state_.low * kMultiplier.high +
                               multiply_high(state_.low, kMultiplier.low),
                           state_.low * kMultiplier.low};
    state_.low = product.low + increment_.low;
    state_.high = product.high + increment_.high + (state_.low < product.low);
    return std::rotr(state_.high ^ state_.low, static_cast<int>(state_.high >> 58));
  }

 private:
  static constexpr Words kMultiplier = {0x2360ed051fc65da4, 0x4385df649fccf645};
  Words state_ = {0, 0};
  Words increment_ = {0, 1};
};

// SplitMix64 (Steele, Lea and Flood, 2014). Makes the random choices of one episode.
class EpisodeRandom {
 public:
  explicit EpisodeRandom(uint64_t seed) : state_(seed) {}

  // A number from 0 to count - 1.
  int below(int count) {
    return static_cast<int>(multiply_high(next(), static_cast<uint64_t>(count)));
  }

 private:
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  uint64_t state_;
};

}  // namespace pushworld
