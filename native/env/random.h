// Random numbers of episodes. The generator of an environment draws a 64-bit seed for each episode.
// All random choices of the episode depend on this seed only.
#pragma once

#include <bit>
#include <cstdint>

namespace pushworld {

using Uint128 = unsigned __int128;

// NumPy's PCG64 (O'Neill, 2014): a 128-bit linear congruential generator with the output function
// XSL-RR. So an environment draws the same seeds here and in Python.
class Pcg64 {
 public:
  Pcg64() = default;
  Pcg64(Uint128 state, Uint128 increment) : state_(state), increment_(increment) {}

  uint64_t next() {
    state_ = state_ * kMultiplier + increment_;
    const uint64_t high = static_cast<uint64_t>(state_ >> 64);
    return std::rotr(high ^ static_cast<uint64_t>(state_), static_cast<int>(high >> 58));
  }

 private:
  static constexpr Uint128 kMultiplier = Uint128{0x2360ed051fc65da4} << 64 | 0x4385df649fccf645;
  Uint128 state_ = 0;
  Uint128 increment_ = 1;
};

// SplitMix64 (Steele, Lea and Flood, 2014). Makes the random choices of one episode.
class EpisodeRandom {
 public:
  explicit EpisodeRandom(uint64_t seed) : state_(seed) {}

  // A number from 0 to count - 1.
  int below(int count) {
    return static_cast<int>(Uint128{next()} * static_cast<Uint128>(count) >> 64);
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
