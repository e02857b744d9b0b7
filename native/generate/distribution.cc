#include "generate/distribution.h"

#include <algorithm>
#include <utility>

namespace pushworld {
namespace {

// The free cells of the interior.
class Room {
 public:
  Room(int width, int height) : width_(width), height_(height), taken_(width * height, 0) {}

  // Draws a uniform free position for a shape, at least `margin` cells away from the border, and
  // occupies it. Returns false if there is none.
  bool place(const Cells& shape, int margin, Random& random, Point& position) {
    places_.clear();
    for (int y = 1 + margin; y < height_ - 1; ++y) {
      for (int x = 1 + margin; x < width_ - 1; ++x) {
        if (is_free(shape, {x, y}, margin)) places_.push_back({x, y});
      }
    }
    if (places_.empty()) return false;
    position = places_[random.below(static_cast<uint32_t>(places_.size()))];
    for (const Point cell : shape) taken_[index(position + cell)] = 1;
    return true;
  }

 private:
  size_t index(Point p) const { return static_cast<size_t>(p.y) * width_ + p.x; }
  bool is_free(const Cells& shape, Point position, int margin) const {
    return std::all_of(shape.begin(), shape.end(), [&](Point cell) {
      const Point p = position + cell;
      return p.x < width_ - 1 - margin && p.y < height_ - 1 - margin && !taken_[index(p)];
    });
  }

  int width_, height_;
  std::vector<uint8_t> taken_;
  std::vector<Point> places_;
};

const Cells& choose(const std::vector<Cells>& shapes, Random& random) {
  return shapes[random.below(static_cast<uint32_t>(shapes.size()))];
}

void choose_shapes(const Distribution& distribution, Random& random, Draft& draft) {
  draft.objects[0].shape = &choose(distribution.agent_shapes, random);
  std::vector<const Cells*> used;
  for (int i = 1; i < static_cast<int>(draft.objects.size()); ++i) {
    const Cells*& shape = draft.objects[i].shape;
    if (i > draft.num_goals) {
      shape = &choose(distribution.obstacle_shapes, random);
      continue;
    }
    const size_t list = std::min<size_t>(i, distribution.goal_shapes.size()) - 1;
    do {
      shape = &choose(distribution.goal_shapes[list], random);
    } while (distribution.different_goal_shapes &&
             std::any_of(used.begin(), used.end(),
                         [&](const Cells* other) { return *other == *shape; }));
    used.push_back(shape);
  }
}

enum Role : uint64_t { kWallCell = 1, kAgentCell, kMovableCell, kGoalCell };

// Of a draft. Adds up the hashes of the parts, so the result does not depend on the order of
// objects.
uint64_t hash_after(int symmetry, const Draft& draft) {
  int width = draft.width, height = draft.height;
  if (symmetry & 4) std::swap(width, height);
  const auto hash_cell = [&](Role role, Point p) {
    if (symmetry & 1) p.x = draft.width - 1 - p.x;
    if (symmetry & 2) p.y = draft.height - 1 - p.y;
    if (symmetry & 4) std::swap(p.x, p.y);
    return mix(role << 48 | static_cast<uint64_t>(p.y) << 24 | static_cast<uint64_t>(p.x));
  };
  const auto hash_shape = [&](Role role, const Cells& shape, Point position) {
    uint64_t sum = 0;
    for (const Point cell : shape) sum += hash_cell(role, position + cell);
    return sum;
  };
  uint64_t sum = mix(static_cast<uint64_t>(height) << 24 | static_cast<uint64_t>(width));
  for (const Point wall : draft.walls) sum += hash_cell(kWallCell, wall);
  sum += mix(hash_shape(kAgentCell, *draft.objects[0].shape, draft.objects[0].start));
  for (int i = 1; i < static_cast<int>(draft.objects.size()); ++i) {
    const DraftObject& object = draft.objects[i];
    uint64_t hash = hash_shape(kMovableCell, *object.shape, object.start);
    if (i <= draft.num_goals) hash += hash_shape(kGoalCell, *object.shape, object.goal);
    sum += mix(hash);
  }
  return mix(sum);
}

int draw_number(Range range, Random& random) { return random.between(range.first, range.last); }

}  // namespace

int Distribution::max_cells() const {
  size_t most = 0;
  const auto include = [&](const std::vector<Cells>& shapes) {
    for (const Cells& shape : shapes) most = std::max(most, shape.size());
  };
  include(agent_shapes);
  for (const auto& shapes : goal_shapes) include(shapes);
  include(obstacle_shapes);
  return static_cast<int>(most);
}

uint64_t Distribution::fingerprint() const {
  uint64_t hash = 0;
  const auto add = [&](uint64_t value) { hash = mix(hash + value + 1); };
  const auto add_shapes = [&](const std::vector<Cells>& shapes) {
    add(shapes.size());
    for (const Cells& shape : shapes) {
      add(shape.size());
      for (const Point cell : shape) add(static_cast<uint64_t>(cell.y) << 32 | cell.x);
    }
  };
  for (const Range range : {width, height, walls, goals, obstacles}) {
    add(range.first);
    add(range.last);
  }
  add_shapes(agent_shapes);
  add(goal_shapes.size());
  for (const auto& shapes : goal_shapes) add_shapes(shapes);
  add_shapes(obstacle_shapes);
  add(different_goal_shapes);
  add(goal_object_margin);
  return hash;
}

bool draw(const Distribution& distribution, Random& random, Draft& draft) {
  static const Cells kSingleCell = {{0, 0}};
  draft.width = 2 + draw_number(distribution.width, random);
  draft.height = 2 + draw_number(distribution.height, random);
  draft.walls.resize(draw_number(distribution.walls, random));
  draft.num_goals = draw_number(distribution.goals, random);
  draft.objects.resize(1 + draft.num_goals + draw_number(distribution.obstacles, random));
  choose_shapes(distribution, random, draft);

  Room room(draft.width, draft.height);
  const auto place = [&](const Cells& shape, int margin, Point& position) {
    return room.place(shape, margin, random, position);
  };
  for (int i = 1; i <= draft.num_goals; ++i) {
    DraftObject& object = draft.objects[i];
    if (!place(*object.shape, distribution.goal_object_margin, object.start)) return false;
    if (!place(*object.shape, 0, object.goal)) return false;
  }
  if (!place(*draft.objects[0].shape, 0, draft.objects[0].start)) return false;
  for (size_t i = draft.num_goals + 1; i < draft.objects.size(); ++i) {
    if (!place(*draft.objects[i].shape, 0, draft.objects[i].start)) return false;
  }
  return std::all_of(draft.walls.begin(), draft.walls.end(),
                     [&](Point& wall) { return place(kSingleCell, 0, wall); });
}

uint64_t canonical_hash(const Draft& draft) {
  uint64_t smallest = UINT64_MAX;
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    smallest = std::min(smallest, hash_after(symmetry, draft));
  }
  return smallest;
}

}  // namespace pushworld
