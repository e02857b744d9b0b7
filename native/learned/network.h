// The network of the learned planner: a recurrent convolutional block, on grids of any size.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "learned/matrix.h"
#include "search/core/limit_guard.h"

namespace pushworld {

inline constexpr size_t kNumPlanes = 25;
inline constexpr size_t kTaps = 9;

// The weights, which all puzzles share.
class Network {
 public:
  // A layer of weights (taps, inputs, outputs) and its bias, which may be empty.
  struct Layer {
    Layer(const std::vector<float>& weights, const std::vector<float>& bias, size_t taps,
          size_t inputs, size_t outputs);

    LayerMatrix matrix;
    std::vector<float> bias;  // as long as a padded row of outputs
  };

  struct Layers {
    Layer embed, mix, world, back, read, heads;
  };

  // `class_distances` are the distances that the classes of the distance head stand for. The
  // outputs of `heads` are four actions and the classes.
  Network(Layers layers, size_t width, int repeats, std::vector<float> class_distances);

  size_t width() const { return width_; }
  // The multiplications of an evaluation for each cell.
  double work_of_cell() const;

 private:
  friend class NetworkRun;

  Layers layers_;
  size_t width_;
  int repeats_;
  std::vector<float> class_distances_;
};

// Evaluates the network on grids of one size.
class NetworkRun {
 public:
  NetworkRun(const Network& network, int height, int width, LimitGuard& guard);
  NetworkRun(const NetworkRun&) = delete;

  // The planes of all cells, row by row. The caller fills them before `evaluate`.
  float* planes() { return planes_.data(); }

  // Evaluates the planes.
  void evaluate();
  // The multiplications of an evaluation.
  double work() const { return work_; }

  // The log probabilities of the four actions with the agent in a cell.
  const float* policy(size_t cell) const { return &policy_[4 * cell]; }
  // The estimated number of actions to the goal with the agent in a cell.
  float distance(size_t cell) const { return distances_[cell]; }

 private:
  using Floats = std::pmr::vector<float>;
  using Pointers = std::pmr::vector<const float*>;

  // The rows of inputs that a layer reads, block by block.
  Pointers rows_of(const Floats& inputs, size_t stride, size_t taps) const;
  // Writes the product of a layer and its inputs, without the bias.
  void multiply(const Network::Layer& layer, const Pointers& rows, float* outputs);
  // Writes the rows of `hidden_` to `normed_`, each scaled to a root mean square of 1.
  void normalize();
  // Writes what the block reads of all cells together.
  void pool();
  void write_heads();

  const Network& network_;
  LimitGuard& guard_;
  const int height_, width_;
  const size_t cells_, stride_;  // the stride of a row of channels
  const double work_;
  const std::vector<float> zeros_;  // as long as the longest row of inputs
  Floats planes_, embedding_, hidden_, normed_, inner_, features_, heads_, policy_, distances_;
  Pointers plane_rows_, normed_neighbours_, normed_rows_, inner_rows_, feature_rows_;
  std::vector<float> pooled_, everywhere_;
};

}  // namespace pushworld
