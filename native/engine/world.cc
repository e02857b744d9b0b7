#include "engine/world.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace pushworld {
namespace {

constexpr int kMaxSide = 16384;

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

BitGrid legal_positions(const Shape& shape, const BitGrid& stops, const Checkpoint& checkpoint) {
  BitGrid hits(stops.width(), stops.height());
  checkpoint(hits.bytes());
  for (const Point cell : shape.cells) {
    hits.add_moved(stops, Point{} - cell);
    checkpoint(0);
  }
  return hits.complement(stops.width() - shape.width + 1, stops.height() - shape.height + 1);
}

}  // namespace

void BitGrid::add_moved(const BitGrid& other, Point by) {
  const int words = std::abs(by.x) / 64;
  const int bits = std::abs(by.x) % 64;
  const uint64_t last = ~uint64_t{0} >> (-width_ & 63);
  const int end = std::min(height_, other.height_ + by.y);
  for (int y = std::max(0, by.y); y < end; ++y) {
    const uint64_t* from = other.row(y - by.y);
    const auto word = [&](int w) { return w >= 0 && w < other.words_ ? from[w] : 0; };
    uint64_t* to = bits_.data() + static_cast<size_t>(y) * words_;
    for (int w = 0; w < words_; ++w) {
      const int near = by.x >= 0 ? w - words : w + words;
      uint64_t cells = by.x >= 0 ? word(near) << bits : word(near) >> bits;
      if (bits != 0) {
        cells |= by.x >= 0 ? word(near - 1) >> (64 - bits) : word(near + 1) << (64 - bits);
      }
      to[w] |= w + 1 == words_ ? cells & last : cells;
    }
  }
}

BitGrid BitGrid::complement(int columns, int rows) const {
  BitGrid result(width_, height_);
  for (int y = 0; y < rows; ++y) {
    uint64_t* const to = result.bits_.data() + static_cast<size_t>(y) * words_;
    for (int w = 0; 64 * w < columns; ++w) {
      const uint64_t inside =
          columns - 64 * w >= 64 ? ~uint64_t{0} : ~(~uint64_t{0} << columns % 64);
      to[w] = ~row(y)[w] & inside;
    }
  }
  return result;
}

Shape::Shape(std::vector<Point> cells_) : cells(std::move(cells_)) {
  require(!cells.empty(), "a shape has no cells");
  for (const Point cell : cells) {
    require(cell.x >= 0 && cell.y >= 0 && cell.x < kMaxSide && cell.y < kMaxSide,
            "a shape has a cell outside its bounding box");
    width = std::max(width, cell.x + 1);
    height = std::max(height, cell.y + 1);
  }
  bits = BitGrid(width, height);
  for (const Point cell : cells) bits.set(cell);
}

bool overlap(const Shape& a, const Shape& b, Point offset) {
  const Shape& small = a.cells.size() < b.cells.size() ? a : b;
  const Shape& large = a.cells.size() < b.cells.size() ? b : a;
  const Point shift = &small == &a ? Point{-offset.x, -offset.y} : offset;
  return std::any_of(small.cells.begin(), small.cells.end(), [&](Point cell) {
    const Point p = cell + shift;
    return large.bits.contains(p) && large.bits[p];
  });
}

bool covers_any(const Shape& shape, Point at, const BitGrid& cells) {
  return std::any_of(shape.cells.begin(), shape.cells.end(),
                     [&](Point cell) { return cells[at + cell]; });
}

BitGrid overlaps(const Shape& a, const Shape& b, const Checkpoint& checkpoint) {
  BitGrid result(a.width + b.width + 1, a.height + b.height + 1);
  for (const Point cell : b.cells) {
    result.add_moved(a.bits, Point{b.width, b.height} - cell);
    checkpoint(0);
  }
  return result;
}

World::World(const WorldSpec& spec, const Checkpoint& checkpoint)
    : width_(spec.width), height_(spec.height) {
  require(width_ > 0 && height_ > 0 && width_ <= kMaxSide && height_ <= kMaxSide,
          "the size of the world is out of range");
  require(!spec.objects.empty(), "the puzzle has no agent");
  require(spec.objects.size() <= kMaxObjects, "the puzzle has too many objects");
  BitGrid walls(width_, height_);
  for (const Point wall : spec.walls) {
    require(walls.contains(wall), "a wall is outside the world");
    walls.set(wall);
  }
  BitGrid agent_stops = walls;
  for (const Point wall : spec.agent_walls) {
    require(walls.contains(wall), "an agent wall is outside the world");
    agent_stops.set(wall);
  }

  bool goals_may_follow = true;
  for (size_t i = 0; i < spec.objects.size(); ++i) {
    checkpoint(0);
    const ObjectSpec& object = spec.objects[i];
    const auto same = std::find_if(shapes_.begin(), shapes_.end(),
                                   [&](const Shape& shape) { return shape.cells == object.cells; });
    shape_of_.push_back(static_cast<int>(same - shapes_.begin()));
    if (same == shapes_.end()) {
      shapes_.emplace_back(object.cells);
      checkpoint(shapes_.back().bytes());
    }
    start_.push_back(object.start);
    if (object.goal) {
      require(i > 0 && goals_may_follow, "objects with goals must come right after the agent");
      require(walls.contains(*object.goal), "a goal is outside the world");
      goals_.push_back(*object.goal);
    } else if (i > 0) {
      goals_may_follow = false;
    }
  }
  legal_.reserve(shapes_.size() + 1);
  for (const Shape& shape : shapes_) legal_.push_back(legal_positions(shape, walls, checkpoint));
  legal_.push_back(legal_positions(shapes_[shape_of_[0]], agent_stops, checkpoint));
  legal_of_ = shape_of_;
  legal_of_[0] = num_shapes();

  BitGrid occupied(width_, height_);
  for (int i = 0; i < num_objects(); ++i) {
    checkpoint(0);
    require(is_legal(i, start_[i]), "an object starts outside the world or in a wall");
    for (const Point cell : shape_of(i).cells) {
      require(!occupied[start_[i] + cell], "two objects overlap");
      occupied.set(start_[i] + cell);
    }
  }
}

World::World(const World& world, const std::vector<Point>& start, const std::vector<int>& kept,
             std::vector<Point> goals, const std::vector<int>& walls, const Checkpoint& checkpoint)
    : width_(world.width_), height_(world.height_), goals_(std::move(goals)) {
  std::vector<int> new_id(world.num_shapes(), -1);
  const auto legal = [&](int object) {
    checkpoint(world.legal(object).bytes());
    if (walls.empty()) return world.legal(object);
    const Shape& shape = world.shape_of(object);
    BitGrid hits = world.legal(object).complement(width_, height_);
    for (const int wall : walls) {
      hits.add_moved(overlaps(world.shape_of(wall), shape, checkpoint),
                     start[wall] - Point{shape.width, shape.height});
    }
    return hits.complement(width_ - shape.width + 1, height_ - shape.height + 1);
  };
  for (const int object : kept) {
    int& id = new_id[world.shape_id(object)];
    if (id < 0) {
      id = num_shapes();
      shapes_.push_back(world.shape_of(object));
      checkpoint(shapes_.back().bytes());
      legal_.push_back(legal(object));
    } else if (id == shape_of_[0]) {
      legal_[id] = legal(object);  // agent walls do not stop a movable of the agent's shape
    }
    shape_of_.push_back(id);
    start_.push_back(start[object]);
  }
  legal_.push_back(legal(0));
  legal_of_ = shape_of_;
  legal_of_[0] = num_shapes();
}

}  // namespace pushworld
