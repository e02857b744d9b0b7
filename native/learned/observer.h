// Observations for the network: planes of cells that show an arrangement of the movables.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "learned/network.h"
#include "search/core/limit_guard.h"

namespace pushworld {

// The part of a world that observations show, with the planes that are equal for all arrangements.
// The package computes them, and documents all planes (`pushworld.learned.observation`).
struct Frame {
  int left, top, width, height;
  std::vector<float> planes;  // (height, width, kNumPlanes)
};

// Draws observations of one world.
class Observer {
 public:
  Observer(const World& world, const Frame& frame, LimitGuard& guard);

  // Writes the planes of an arrangement, which is the positions of all objects. The agent's does
  // not matter.
  void draw(const Point* positions, float* planes);

  // The cell of a position, row by row.
  size_t cell(Point position) const {
    return static_cast<size_t>(position.y - frame_.top) * frame_.width + position.x - frame_.left;
  }

 private:
  struct ShapeCell {
    Point place;
    float bonds[kNumActions];  // whether the neighbours belong to the shape
  };

  // Sets a plane to whether the agent would overlap one of the cells, where it fits.
  void draw_hits(const std::vector<uint8_t>& cells, size_t plane, float* planes) const;

  const World& world_;
  const Frame& frame_;
  LimitGuard& guard_;
  std::vector<std::vector<ShapeCell>> shapes_;  // of each shape id
  std::vector<std::vector<size_t>> outlines_;   // of each goal, its cells
  std::vector<uint8_t> taken_, targets_;
};

}  // namespace pushworld
