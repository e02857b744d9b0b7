#include "learned/observer.h"

#include <algorithm>

namespace pushworld {
namespace {

// As in `pushworld.learned.observation`.
enum Plane : size_t {
  kAgentFits = 1,
  kToObject = 6,
  kObstacle = 8,
  kTarget = 9,
  kBonds = 10,
  kBlocked = 14,
  kToGoal = 18,
  kGoalSigns = 20,
  kAtGoal = 22,
  kAgentHits = 23,
  kAgentHitsTarget = 24,
};
constexpr float kOffsetScale = 8;

float scaled(int offset) {
  return std::clamp(static_cast<float>(offset) / kOffsetScale, -2.f, 2.f);
}
float sign(int offset) { return static_cast<float>((offset > 0) - (offset < 0)); }

}  // namespace

Observer::Observer(const World& world, const Frame& frame, LimitGuard& guard)
    : world_(world),
      frame_(frame),
      guard_(guard),
      taken_(static_cast<size_t>(frame.width) * frame.height) {
  targets_ = taken_;
  for (int id = 0; id < world.num_shapes(); ++id) {
    const Shape& shape = world.shape(id);
    std::vector<ShapeCell>& cells = shapes_.emplace_back();
    for (const Point place : shape.cells) {
      ShapeCell& cell = cells.emplace_back(ShapeCell{place, {}});
      for (int action = 0; action < kNumActions; ++action) {
        const Point next = place + kDeltas[action];
        cell.bonds[action] = shape.bits.contains(next) && shape.bits[next] ? 1.0f : 0.0f;
      }
    }
  }
  for (int goal = 0; goal < world.num_goals(); ++goal) {
    std::vector<size_t>& outline = outlines_.emplace_back();
    for (const Point place : world.shape_of(goal + 1).cells) {
      const Point shown = world.goals()[goal] + place - Point{frame.left, frame.top};
      if (shown.x < 0 || shown.y < 0 || shown.x >= frame.width || shown.y >= frame.height) continue;
      outline.push_back(static_cast<size_t>(shown.y) * frame.width + shown.x);
    }
  }
}

void Observer::draw(const Point* positions, float* planes) {
  std::copy(frame_.planes.begin(), frame_.planes.end(), planes);
  std::fill(taken_.begin(), taken_.end(), uint8_t{0});
  std::fill(targets_.begin(), targets_.end(), uint8_t{0});
  for (int object = 1; object < world_.num_objects(); ++object) {
    const Point at = positions[object];
    const bool has_goal = object <= world_.num_goals();
    float blocked[kNumActions];
    for (int action = 0; action < kNumActions; ++action) {
      blocked[action] = world_.is_legal(object, at + kDeltas[action]) ? 0.0f : 1.0f;
    }
    const Point offset = has_goal ? world_.goals()[object - 1] - at : Point{};
    for (const ShapeCell& part : shapes_[world_.shape_id(object)]) {
      const size_t where = cell(at + part.place);
      float* const here = planes + where * kNumPlanes;
      taken_[where] = 1;
      here[has_goal ? kTarget : kObstacle] = 1;
      std::copy_n(part.bonds, kNumActions, here + kBonds);
      std::copy_n(blocked, kNumActions, here + kBlocked);
      if (!has_goal) continue;
      targets_[where] = 1;
      here[kToGoal] = scaled(offset.x);
      here[kToGoal + 1] = scaled(offset.y);
      here[kGoalSigns] = sign(offset.x);
      here[kGoalSigns + 1] = sign(offset.y);
      here[kAtGoal] = offset == Point{} ? 1.0f : 0.0f;
    }
    if (!has_goal) continue;
    for (const size_t where : outlines_[object - 1]) {
      planes[where * kNumPlanes + kToObject] = -scaled(offset.x);
      planes[where * kNumPlanes + kToObject + 1] = -scaled(offset.y);
    }
  }
  draw_hits(taken_, kAgentHits, planes);
  draw_hits(targets_, kAgentHitsTarget, planes);
}

void Observer::draw_hits(const std::vector<uint8_t>& cells, size_t plane, float* planes) const {
  const Shape& agent = world_.shape_of(0);
  for (int y = 0; y < frame_.height; ++y) {
    guard_.count_work(agent.cells.size() * static_cast<size_t>(frame_.width));
    for (int x = 0; x < frame_.width; ++x) {
      float* const here = planes + (static_cast<size_t>(y) * frame_.width + x) * kNumPlanes;
      if (here[kAgentFits] == 0.0f) continue;
      const bool hits = std::any_of(agent.cells.begin(), agent.cells.end(), [&](Point part) {
        const int row = y + part.y;
        const int column = x + part.x;
        return row < frame_.height && column < frame_.width &&
               cells[static_cast<size_t>(row) * frame_.width + column];
      });
      here[plane] = hits ? 1.0f : 0.0f;
    }
  }
}

}  // namespace pushworld
