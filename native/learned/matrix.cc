#include "learned/matrix.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr size_t kRows = LayerMatrix::kBlockRows;
constexpr size_t kColumns = LayerMatrix::kBlockColumns;

// The accumulators of a block stay in registers: vectors of the compiler where it has them.
#if defined(__GNUC__)
#if defined(__x86_64__)
constexpr size_t kLanes = 8;
#else
constexpr size_t kLanes = 4;
#endif
typedef float Vector __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
#else
constexpr size_t kLanes = 1;
using Vector = float;
#endif
constexpr size_t kVectors = kColumns / kLanes;

// Wheels are built for the oldest x86-64; the loader chooses the version for the machine.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
void multiply_block(const float* const* rows, size_t taps, size_t inputs, const float* weights,
                    float* block) {
  Vector sums[kRows][kVectors] = {};
  for (size_t tap = 0; tap < taps; ++tap, rows += kRows) {
    for (size_t input = 0; input < inputs; ++input, weights += kColumns) {
      const Vector* const vectors = reinterpret_cast<const Vector*>(weights);
      for (size_t row = 0; row < kRows; ++row) {
        const float value = rows[row][input];
        for (size_t i = 0; i < kVectors; ++i) sums[row][i] += value * vectors[i];
      }
    }
  }
  for (size_t row = 0; row < kRows; ++row) {
    for (size_t i = 0; i < kVectors; ++i) {
      reinterpret_cast<Vector*>(block)[row * kVectors + i] = sums[row][i];
    }
  }
}

}  // namespace

LayerMatrix::LayerMatrix(const float* weights, size_t taps, size_t inputs, size_t outputs)
    : taps_(taps),
      inputs_(inputs),
      blocks_((outputs + kColumns - 1) / kColumns),
      packed_(blocks_ * taps * inputs * kColumns) {
  for (size_t tap_input = 0; tap_input < taps * inputs; ++tap_input) {
    for (size_t output = 0; output < outputs; ++output) {
      const size_t row = output / kColumns * taps * inputs + tap_input;
      packed_[row * kColumns + output % kColumns] = weights[tap_input * outputs + output];
    }
  }
}

void LayerMatrix::multiply(const float* const* rows, size_t count, float* outputs) const {
  float block[kRows * kColumns];
  for (size_t i = 0; i < blocks_; ++i) {
    multiply_block(rows, taps_, inputs_, &packed_[i * taps_ * inputs_ * kColumns], block);
    for (size_t row = 0; row < count; ++row) {
      std::copy_n(block + row * kColumns, kColumns,
                  outputs + row * padded_outputs() + i * kColumns);
    }
  }
}

}  // namespace pushworld
