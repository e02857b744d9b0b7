// Puzzles of different sizes as padded arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generate/stream.h"

namespace pushworld {

// Row-major arrays. The first dimension of each is the number of puzzles. A puzzle occupies the
// top-left corner of its grid; the padding is wall. The padding of other arrays is -1, or 255 in
// `plans`.
struct PackedPuzzles {
  PackedPuzzles(const std::vector<GeneratedPuzzle>& puzzles, const Distribution& distribution);

  size_t count, height, width, num_objects, num_cells, plan_length;
  std::vector<int16_t> sizes;      // width and height, the border included
  std::vector<uint8_t> walls;      // height x width
  std::vector<int16_t> cells;      // objects x cells x (x, y), relative to the position
  std::vector<int16_t> positions;  // objects x (x, y)
  std::vector<int16_t> goals;      // objects x (x, y)
  std::vector<uint8_t> plans;      // plan_length, the length of the longest plan
  std::vector<int32_t> lengths;
  std::vector<uint64_t> candidates;
  std::vector<uint64_t> hashes;

 private:
  void pack(size_t i, const GeneratedPuzzle& puzzle);
};

}  // namespace pushworld
