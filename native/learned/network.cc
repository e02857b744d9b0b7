#include "learned/network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace pushworld {
namespace {

constexpr size_t kBlockRows = LayerMatrix::kBlockRows;
constexpr float kEpsilon = 1e-5f;
constexpr size_t kActions = 4;

size_t blocks_of(size_t cells) { return (cells + kBlockRows - 1) / kBlockRows; }

// Returns log(sum(exp(values))).
float log_sum(const float* values, size_t count) {
  const float most = *std::max_element(values, values + count);
  float sum = 0;
  for (size_t i = 0; i < count; ++i) sum += std::exp(values[i] - most);
  return most + std::log(sum);
}

[[noreturn]] void throw_wrong_size() {
  throw std::invalid_argument("a layer of the network has weights of a wrong size");
}

const float* checked(const std::vector<float>& weights, size_t size) {
  if (weights.size() != size) throw_wrong_size();
  return weights.data();
}

}  // namespace

Network::Layer::Layer(const std::vector<float>& weights, const std::vector<float>& bias_,
                      size_t taps, size_t inputs, size_t outputs)
    : matrix(checked(weights, taps * inputs * outputs), taps, inputs, outputs),
      bias(LayerMatrix::padded(outputs)) {
  if (bias_.size() > outputs) throw_wrong_size();
  std::copy(bias_.begin(), bias_.end(), bias.begin());
}

Network::Network(Layers layers, size_t width, int repeats, std::vector<float> class_distances)
    : layers_(std::move(layers)),
      width_(width),
      repeats_(repeats),
      class_distances_(std::move(class_distances)) {}

double Network::work_of_cell() const {
  const double repeated = layers_.mix.matrix.work() + layers_.back.matrix.work();
  return layers_.embed.matrix.work() + repeats_ * repeated + layers_.read.matrix.work() +
         layers_.heads.matrix.work();
}

NetworkRun::NetworkRun(const Network& network, int height, int width, LimitGuard& guard)
    : network_(network),
      guard_(guard),
      height_(height),
      width_(width),
      cells_(static_cast<size_t>(height) * width),
      stride_(LayerMatrix::padded(network.width())),
      work_(static_cast<double>(cells_) * network.work_of_cell()),
      zeros_(std::max(LayerMatrix::padded(2 * network.width()), kNumPlanes)),
      planes_(cells_ * kNumPlanes, &guard.memory()),
      embedding_(cells_ * stride_, &guard.memory()),
      hidden_(cells_ * stride_, &guard.memory()),
      normed_(cells_ * stride_, &guard.memory()),
      inner_(cells_ * stride_, &guard.memory()),
      features_(cells_ * LayerMatrix::padded(2 * network.width()), &guard.memory()),
      heads_(cells_ * network.layers_.heads.matrix.padded_outputs(), &guard.memory()),
      policy_(cells_ * kActions, &guard.memory()),
      distances_(cells_, &guard.memory()),
      plane_rows_(rows_of(planes_, kNumPlanes, kTaps)),
      normed_neighbours_(rows_of(normed_, stride_, kTaps)),
      normed_rows_(rows_of(normed_, stride_, 1)),
      inner_rows_(rows_of(inner_, stride_, 1)),
      feature_rows_(rows_of(features_, LayerMatrix::padded(2 * network.width()), 1)),
      pooled_(2 * network.width()),
      everywhere_(stride_) {}

NetworkRun::Pointers NetworkRun::rows_of(const Floats& inputs, size_t stride, size_t taps) const {
  Pointers rows(blocks_of(cells_) * taps * kBlockRows, zeros_.data(), inputs.get_allocator());
  for (size_t cell = 0; cell < cells_; ++cell) {
    const int y = static_cast<int>(cell / width_);
    const int x = static_cast<int>(cell % width_);
    for (size_t tap = 0; tap < taps; ++tap) {
      const int from_y = taps == 1 ? y : y - 1 + static_cast<int>(tap / 3);
      const int from_x = taps == 1 ? x : x - 1 + static_cast<int>(tap % 3);
      if (from_y < 0 || from_x < 0 || from_y >= height_ || from_x >= width_) continue;
      rows[(cell / kBlockRows * taps + tap) * kBlockRows + cell % kBlockRows] =
          inputs.data() + (static_cast<size_t>(from_y) * width_ + from_x) * stride;
    }
    guard_.count_work(taps);
  }
  return rows;
}

void NetworkRun::multiply(const Network::Layer& layer, const Pointers& rows, float* outputs) {
  const LayerMatrix& matrix = layer.matrix;
  for (size_t cell = 0; cell < cells_; cell += kBlockRows) {
    matrix.multiply(&rows[cell * matrix.taps()], std::min(kBlockRows, cells_ - cell),
                    outputs + cell * matrix.padded_outputs());
    guard_.count_work(matrix.taps() * matrix.padded_outputs());
  }
}

void NetworkRun::normalize() {
  const float scale = 1.0f / static_cast<float>(network_.width());
  for (size_t cell = 0; cell < cells_; ++cell) {
    const float* const row = &hidden_[cell * stride_];
    float* const result = &normed_[cell * stride_];
    float sums[LayerMatrix::kBlockColumns] = {};  // the compiler may not reorder a single sum
    for (size_t i = 0; i < stride_; i += LayerMatrix::kBlockColumns) {
      for (size_t j = 0; j < LayerMatrix::kBlockColumns; ++j) sums[j] += row[i + j] * row[i + j];
    }
    float square = 0;
    for (const float each : sums) square += each;
    const float factor = 1.0f / std::sqrt(square * scale + kEpsilon);
    for (size_t i = 0; i < stride_; ++i) result[i] = row[i] * factor;
  }
}

void NetworkRun::pool() {
  const size_t width = network_.width();
  std::fill(pooled_.begin(), pooled_.end(), 0.0f);
  float* const sums = pooled_.data();
  float* const most = sums + width;
  for (size_t cell = 0; cell < cells_; ++cell) {
    const float* const row = &normed_[cell * stride_];
    for (size_t i = 0; i < width; ++i) sums[i] += row[i];
    for (size_t i = 0; i < width; ++i) most[i] = std::max(most[i], row[i]);
  }
  for (size_t i = 0; i < width; ++i) sums[i] /= static_cast<float>(cells_);
  const Network::Layer& world = network_.layers_.world;
  const float* rows[kBlockRows];
  std::fill_n(rows, kBlockRows, pooled_.data());
  world.matrix.multiply(rows, 1, everywhere_.data());
  for (size_t i = 0; i < stride_; ++i) everywhere_[i] += world.bias[i];
}

void NetworkRun::evaluate() {
  const Network::Layers& layers = network_.layers_;
  multiply(layers.embed, plane_rows_, embedding_.data());
  for (size_t cell = 0; cell < cells_; ++cell) {
    for (size_t i = 0; i < stride_; ++i) embedding_[cell * stride_ + i] += layers.embed.bias[i];
  }
  std::copy(embedding_.begin(), embedding_.end(), hidden_.begin());
  for (int repeat = 0; repeat < network_.repeats_; ++repeat) {
    normalize();
    pool();
    multiply(layers.mix, normed_neighbours_, inner_.data());
    for (size_t cell = 0; cell < cells_; ++cell) {
      float* const row = &inner_[cell * stride_];
      const float* const embedded = &embedding_[cell * stride_];
      for (size_t i = 0; i < stride_; ++i) {
        row[i] = std::max(0.0f, row[i] + embedded[i] + everywhere_[i]);
      }
    }
    multiply(layers.back, inner_rows_, normed_.data());
    for (size_t cell = 0; cell < cells_; ++cell) {
      float* const row = &hidden_[cell * stride_];
      const float* const change = &normed_[cell * stride_];
      for (size_t i = 0; i < stride_; ++i) row[i] += change[i] + layers.back.bias[i];
    }
  }
  normalize();
  write_heads();
}

void NetworkRun::write_heads() {
  const Network::Layers& layers = network_.layers_;
  const std::vector<float>& classes = network_.class_distances_;
  multiply(layers.read, normed_rows_, features_.data());
  const size_t width = layers.read.matrix.padded_outputs();
  for (size_t cell = 0; cell < cells_; ++cell) {
    float* const row = &features_[cell * width];
    for (size_t i = 0; i < width; ++i) row[i] = std::max(0.0f, row[i] + layers.read.bias[i]);
  }
  multiply(layers.heads, feature_rows_, heads_.data());
  const size_t outputs = layers.heads.matrix.padded_outputs();
  for (size_t cell = 0; cell < cells_; ++cell) {
    float* const row = &heads_[cell * outputs];
    for (size_t i = 0; i < outputs; ++i) row[i] += layers.heads.bias[i];
    const float actions = log_sum(row, kActions);
    for (size_t i = 0; i < kActions; ++i) policy_[cell * kActions + i] = row[i] - actions;
    const float* const logits = row + kActions;
    const float total = log_sum(logits, classes.size());
    float distance = 0;
    for (size_t i = 0; i < classes.size(); ++i) {
      distance += std::exp(logits[i] - total) * classes[i];
    }
    distances_[cell] = distance;
    guard_.count_work(classes.size());
  }
}

}  // namespace pushworld
