// Matrix products of a small network, on one core.
#pragma once

#include <cstddef>
#include <vector>

namespace pushworld {

// The weights of a layer, in the order in which a product reads them. A layer reads one row of
// inputs for each of its taps: one for a dense layer, nine for a 3x3 convolution.
class LayerMatrix {
 public:
  static constexpr size_t kBlockRows = 6;      // rows of outputs that are computed together
  static constexpr size_t kBlockColumns = 16;  // columns of outputs that are computed together

  // `weights` has the shape (taps, inputs, outputs).
  LayerMatrix(const float* weights, size_t taps, size_t inputs, size_t outputs);

  size_t taps() const { return taps_; }
  // The multiplications of a row of outputs.
  double work() const { return static_cast<double>(packed_.size()); }
  // The number of outputs, rounded up to whole blocks. The outputs beyond the layer's are zero.
  size_t padded_outputs() const { return blocks_ * kBlockColumns; }
  static size_t padded(size_t outputs) {
    return (outputs + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
  }

  // Writes kBlockRows rows of outputs. `rows` holds the inputs of all rows for the first tap, then
  // for the second, and so on. Only the first `count` rows are written.
  void multiply(const float* const* rows, size_t count, float* outputs) const;

 private:
  size_t taps_, inputs_, blocks_;
  std::vector<float> packed_;  // by block of columns, tap, input, column
};

}  // namespace pushworld
