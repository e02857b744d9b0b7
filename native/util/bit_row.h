// A fixed-width bit set: the cells of one row of a grid, or a set of object indices.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pushworld {

template <int Words>
struct BitRow {
  std::array<uint64_t, Words> word{};

  static constexpr int kWidth = 64 * Words;

  bool operator[](int x) const { return word[x >> 6] >> (x & 63) & 1; }
  void clear(int x) { word[x >> 6] &= ~(uint64_t{1} << (x & 63)); }
  void set(int x) { word[x >> 6] |= uint64_t{1} << (x & 63); }
  bool any() const {
    uint64_t all = 0;
    for (const uint64_t w : word) all |= w;
    return all != 0;
  }
  size_t count() const {
    size_t bits = 0;
    for (const uint64_t w : word) bits += std::popcount(w);
    return bits;
  }
  // The lowest set bit; the row must not be empty.
  int first() const {
    const int k = first_word();
    return 64 * k + std::countr_zero(word[k]);
  }
  void clear_first() {
    const int k = first_word();
    word[k] &= word[k] - 1;
  }
  // Calls visit(bit) for every set bit in ascending order. `visit` may clear that bit.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (int k = 0; k < Words; ++k) {
      for (uint64_t rest = word[k]; rest; rest &= rest - 1) visit(64 * k + std::countr_zero(rest));
    }
  }
  // Shifts the cells by `distance` to the right, or to the left if it is negative. Drops the cells
  // that leave the row.
  BitRow shifted(int distance) const {
    if constexpr (Words == 1) {
      return {{distance >= 0 ? word[0] << distance : word[0] >> -distance}};
    } else {
      BitRow result;
      const int by = distance >= 0 ? distance : -distance;
      const int words = by >> 6;
      const int bits = by & 63;
      for (int k = 0; k < Words; ++k) {
        const int near = distance >= 0 ? k - words : k + words;
        const int far = distance >= 0 ? near - 1 : near + 1;
        const uint64_t low = near >= 0 && near < Words ? word[near] : 0;
        const uint64_t high = bits && far >= 0 && far < Words ? word[far] : 0;
        if (distance >= 0) {
          result.word[k] = low << bits | (bits ? high >> (64 - bits) : 0);
        } else {
          result.word[k] = low >> bits | (bits ? high << (64 - bits) : 0);
        }
      }
      return result;
    }
  }

  friend BitRow operator&(BitRow a, const BitRow& b) { return a &= b; }
  friend BitRow operator|(BitRow a, const BitRow& b) { return a |= b; }
  friend BitRow operator~(BitRow a) {
    for (uint64_t& w : a.word) w = ~w;
    return a;
  }
  BitRow& operator&=(const BitRow& b) {
    for (int k = 0; k < Words; ++k) word[k] &= b.word[k];
    return *this;
  }
  BitRow& operator|=(const BitRow& b) {
    for (int k = 0; k < Words; ++k) word[k] |= b.word[k];
    return *this;
  }
  friend bool operator==(const BitRow&, const BitRow&) = default;

  // The runs of adjacent cells of `free` that contain a cell of this row. This row must be a subset
  // of `free`.
  BitRow filled(const BitRow& free) const {
    if constexpr (Words == 1) {
      const uint64_t f = free.word[0];
      uint64_t cells = word[0];
      cells |= f & ~(f + cells);  // a carry runs up from each cell to the end of its run
#if defined(__aarch64__) && defined(__GNUC__)
      const uint64_t reversed = reverse_bits(f);  // one instruction; now it runs down
      cells |= reverse_bits(reversed & ~(reversed + reverse_bits(cells)));
#else
      uint64_t open = f;
      for (int by = 1; by < 64; by *= 2) {
        cells |= open & (cells >> by);
        open &= open >> by;
      }
#endif
      return {{cells}};
    } else {
      BitRow cells = *this;
      BitRow up = free;
      BitRow down = free;
      for (int by = 1; by < kWidth; by *= 2) {
        cells |= (up & cells.shifted(by)) | (down & cells.shifted(-by));
        up &= up.shifted(by);
        down &= down.shifted(-by);
      }
      return cells;
    }
  }

 private:
#if defined(__aarch64__) && defined(__GNUC__)
  static uint64_t reverse_bits(uint64_t x) {
    uint64_t result;
    asm("rbit %0, %1" : "=r"(result) : "r"(x));
    return result;
  }
#endif
  // The index of the first nonzero word.
  int first_word() const {
    int k = 0;
    while (Words > 1 && word[k] == 0) ++k;
    return k;
  }
};

}  // namespace pushworld
