// The static description of a puzzle: its size, walls, objects and goals.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pushworld {

struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
};

inline constexpr int kMaxObjects = 1024;
inline constexpr int kNumActions = 4;
// Left, right, up, down. The order is part of the public interface.
inline constexpr std::array<Point, kNumActions> kDeltas = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
inline constexpr int opposite(int action) { return action ^ 1; }

// A set of cells of a rectangle. Each row is a sequence of 64-bit words.
class BitGrid {
 public:
  BitGrid() = default;
  BitGrid(int width, int height)
      : width_(width), height_(height), words_((width + 63) / 64), bits_(words_ * height, 0) {}

  int width() const { return width_; }
  int height() const { return height_; }
  const uint64_t* row(int y) const { return bits_.data() + static_cast<size_t>(y) * words_; }
  bool contains(Point p) const { return p.x >= 0 && p.x < width_ && p.y >= 0 && p.y < height_; }
  bool operator[](Point p) const { return row(p.y)[p.x >> 6] >> (p.x & 63) & 1; }
  void set(Point p) {
    bits_[static_cast<size_t>(p.y) * words_ + (p.x >> 6)] |= uint64_t{1} << (p.x & 63);
  }
  // Adds the cells of another grid of any size, moved by `by`. Ignores cells outside this grid.
  void add_moved(const BitGrid& other, Point by);
  // The cells among the first columns and rows that are not in the set.
  BitGrid complement(int columns, int rows) const;
  // Calls visit(cell) for each cell of the set in row-major order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (int y = 0; y < height_; ++y) {
      for (int w = 0; w < words_; ++w) {
        for (uint64_t rest = row(y)[w]; rest; rest &= rest - 1) {
          visit(Point{64 * w + std::countr_zero(rest), y});
        }
      }
    }
  }
  size_t bytes() const { return bits_.size() * sizeof(uint64_t); }

 private:
  int width_ = 0;
  int height_ = 0;
  int words_ = 0;
  std::vector<uint64_t> bits_;
};

// Called often while tables are made, with the bytes that they have grown by since the last call.
// Throws to end the work.
using Checkpoint = std::function<void(size_t bytes)>;
inline void ignore_checkpoint(size_t) {}

// A set of cells, relative to the top-left corner of its bounding box.
struct Shape {
  explicit Shape(std::vector<Point> cells);

  size_t bytes() const { return sizeof(Shape) + cells.size() * sizeof(Point) + bits.bytes(); }

  std::vector<Point> cells;
  int width = 0;
  int height = 0;
  BitGrid bits;
};

// Whether `a` at the origin and `b` at `offset` share a cell.
bool overlap(const Shape& a, const Shape& b, Point offset);
// Whether a shape at a position inside a grid covers one of its cells.
bool covers_any(const Shape& shape, Point at, const BitGrid& cells);
// `overlap` for all offsets: the cell `offset` + (b.width, b.height) of the grid. Its outermost
// rows and columns are empty.
BitGrid overlaps(const Shape& a, const Shape& b, const Checkpoint& checkpoint);

struct ObjectSpec {
  std::vector<Point> cells;
  Point start;
  std::optional<Point> goal;
};

struct WorldSpec {
  int width = 0;
  int height = 0;
  std::vector<Point> walls;
  std::vector<Point> agent_walls;
  std::vector<ObjectSpec> objects;  // the agent, then the objects with goals, then the others
};

// An immutable, valid puzzle. Object 0 is the agent; the objects 1 to num_goals() have goals.
class World {
 public:
  // Throws std::invalid_argument if the specification is not a valid puzzle.
  explicit World(const WorldSpec& spec, const Checkpoint& checkpoint = ignore_checkpoint);

  // A part of a puzzle from a state: those of `walls` become walls, and others that are not `kept`
  // vanish. `kept` is the agent, then the objects with `goals`, then others. `start` holds the
  // positions of all objects.
  World(const World& world, const std::vector<Point>& start, const std::vector<int>& kept,
        std::vector<Point> goals, const std::vector<int>& walls, const Checkpoint& checkpoint);

  int width() const { return width_; }
  int height() const { return height_; }
  int num_objects() const { return static_cast<int>(shape_of_.size()); }
  int num_goals() const { return static_cast<int>(goals_.size()); }
  int num_shapes() const { return static_cast<int>(shapes_.size()); }
  const Shape& shape(int shape_id) const { return shapes_[shape_id]; }
  int shape_id(int object) const { return shape_of_[object]; }
  const Shape& shape_of(int object) const { return shapes_[shape_of_[object]]; }
  const std::vector<Point>& start() const { return start_; }
  // The goal of object i + 1.
  const std::vector<Point>& goals() const { return goals_; }
  // Whether the object at this position is inside the world and overlaps no wall that stops it.
  bool is_legal(int object, Point position) const {
    return legal_[legal_of_[object]].contains(position) && legal_[legal_of_[object]][position];
  }
  const BitGrid& legal(int object) const { return legal_[legal_of_[object]]; }

 private:
  int width_;
  int height_;
  std::vector<Shape> shapes_;
  std::vector<int> shape_of_;
  std::vector<Point> start_;
  std::vector<Point> goals_;
  std::vector<BitGrid> legal_;  // of movables, by shape; the last is the agent's
  std::vector<int> legal_of_;
};

}  // namespace pushworld
