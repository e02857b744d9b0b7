#include "search/shorten/placements.h"

#include <algorithm>

namespace pushworld {
namespace {

constexpr size_t kChunkArrivals = size_t{1} << 17;

std::vector<size_t> movable_sizes(const ObjectClasses& classes) {
  std::vector<size_t> sizes = classes.sizes();
  sizes.erase(sizes.begin());
  return sizes;
}

}  // namespace

Placements::Placements(const World& world, const ObjectClasses& classes, LimitGuard& guard)
    : classes_(classes),
      n_(world.num_objects()),
      num_positions_(classes.index(0).size()),
      chunk_placements_(std::max<size_t>(1, kChunkArrivals / num_positions_)),
      guard_(guard),
      store_(movable_sizes(classes), guard),
      chunks_(&guard.memory()),
      lower_bounds_(&guard.memory()),
      goal_distances_(world, classes, guard),
      interchangeable_(world, classes) {
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
  const uint32_t distance = goal_distances_.largest(state);
  lower_bounds_.push_back(distance == kUnreachable ? kDeadEnd : distance);
  return inserted;
}

}  // namespace pushworld
