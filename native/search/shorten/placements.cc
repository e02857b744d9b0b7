#include "search/shorten/placements.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr size_t kChunkArrivals = size_t{1} << 17;

std::vector<size_t> movable_sizes(const World& world, const ObjectClasses& classes) {
  std::vector<size_t> sizes;
  for (int object = 1; object < world.num_objects(); ++object) {
    sizes.push_back(classes.index_of(object).size());
  }
  return sizes;
}

}  // namespace

Placements::Placements(const World& world, const ObjectClasses& classes, LimitGuard& guard)
    : classes_(classes),
      n_(world.num_objects()),
      num_positions_(classes.index(0).size()),
      chunk_placements_(std::max<size_t>(1, kChunkArrivals / num_positions_)),
      guard_(guard),
      store_(movable_sizes(world, classes), guard),
      chunks_(&guard.memory()),
      lower_bounds_(&guard.memory()),
      goal_distances_(&guard.memory()),
      interchangeable_(world, classes) {
  for (int goal = 0; goal < world.num_goals(); ++goal) {
    const PositionIndex& index = classes.index_of(goal + 1);
    guard.check();
    goal_distances_.push_back(index.distances_to(index.id(world.goals()[goal]), guard));
  }
  const Shape& body = world.shape_of(0);
  for (int c = 0; c < classes.count(); ++c) {
    std::vector<Point>& places = obstacles_.emplace_back();
    overlaps(world.shape(classes.shape_id(c)), body, guard.checkpoint()).for_each([&](Point cell) {
      places.push_back(cell - Point{body.width, body.height});
    });
  }
}

NodeStore::Inserted Placements::insert(const PositionId* state) {
  const NodeStore::Inserted inserted = store_.insert(state + 1, kNoNode, 0);
  if (!inserted.is_new) return inserted;
  if (inserted.node == chunks_.size() * chunk_placements_) {
    if (inserted.node + chunk_placements_ > kMaxPlacements) throw std::bad_alloc();
    chunks_.emplace_back(chunk_placements_ * num_positions_, guard_.memory());
  }
  guard_.count_work(num_positions_);
  Arrival* const arrivals = this->arrivals(inserted.node);
  std::fill_n(arrivals, num_positions_,
              Arrival{Arrival::kNowhere, Arrival::kUnreached, Arrival::kMaxDistance, 0});
  const PositionIndex& agent = classes_.index(0);
  for (int object = 1; object < n_; ++object) {
    const Point at = classes_.index_of(object).point(state[object]);
    for (const Point offset : obstacles_[classes_.of(object)]) {
      const PositionId place = agent.id(at + offset);
      if (place != kNoPosition) arrivals[place].cost = Arrival::kOccupied;
    }
  }
  lower_bounds_.push_back(bound(state));
  return inserted;
}

uint32_t Placements::bound(const PositionId* state) const {
  uint32_t largest = 0;
  for (size_t goal = 0; goal < goal_distances_.size(); ++goal) {
    const uint16_t distance = goal_distances_[goal][state[goal + 1]];
    if (distance == kUnreachable) return kDeadEnd;
    largest = std::max<uint32_t>(largest, distance);
  }
  return largest;
}

}  // namespace pushworld
