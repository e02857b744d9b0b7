#include "search/shorten/needed_objects.h"

#include <algorithm>
#include <utility>

#include "search/push/relaxed_replay.h"

namespace pushworld {
namespace {

bool solves(const Dynamics& dynamics, const std::vector<uint8_t>& plan) {
  return dynamics.is_solved(state_after(dynamics, dynamics.world().start(), plan).data());
}

}  // namespace

NeededObjects::Part NeededObjects::part_for(const std::vector<uint8_t>& plan) {
  const std::vector<bool> is_moved = moved_by(plan);
  Part part;
  for (int object = 0; object < world_.num_objects(); ++object) {
    const auto i = static_cast<size_t>(object);
    if (object <= world_.num_goals() || is_moved[i]) {
      part.movables.push_back(object);
    } else if (was_in_the_way_[i]) {
      part.walls.push_back(object);
    }
  }
  for (size_t i = part.movables.size(); i-- > static_cast<size_t>(world_.num_goals()) + 1;) {
    if (was_in_the_way_[static_cast<size_t>(part.movables[i])]) continue;
    Part smaller = part;
    smaller.movables.erase(smaller.movables.begin() + static_cast<ptrdiff_t>(i));
    guard_.count_work(plan.size());
    if (solves(*dynamics_of(smaller), plan)) part = std::move(smaller);
  }
  return part;
}

bool NeededObjects::is_plan(const std::vector<uint8_t>& plan) const {
  return solves(dynamics_, plan);
}

bool NeededObjects::note_obstacles(const Part& part, const Dynamics& of_part,
                                   const std::vector<uint8_t>& plan) {
  std::vector<Coordinate> state = coordinates_of(world_.start());
  std::vector<Coordinate> expected = coordinates_of(of_part.world().start());
  guard_.count_work(plan.size());
  for (const uint8_t action : plan) {
    const std::vector<Point> before = points_of(state);
    dynamics_.step(state.data(), action);
    of_part.step(expected.data(), action);
    bool is_equal = true;
    for (size_t i = 0; i < part.movables.size(); ++i) {
      const auto object = static_cast<size_t>(part.movables[i]);
      is_equal &= std::equal(&expected[2 * i], &expected[2 * i] + 2, &state[2 * object]);
    }
    if (is_equal) continue;
    bool is_new = false;
    for (const int object : pushed_without_walls(world_, before, action)) {
      if (std::binary_search(part.movables.begin(), part.movables.end(), object)) continue;
      is_new |= !was_in_the_way_[static_cast<size_t>(object)];
      was_in_the_way_[static_cast<size_t>(object)] = true;
    }
    return is_new;
  }
  return false;
}

std::vector<bool> NeededObjects::moved_by(const std::vector<uint8_t>& plan) {
  std::vector<Coordinate> state = coordinates_of(world_.start());
  std::vector<uint16_t> moving(kMaxObjects);
  std::vector<bool> is_moved(was_in_the_way_.size());
  for (const uint8_t action : plan) {
    guard_.count_work(state.size());
    const int count = dynamics_.moving_objects(state.data(), action, moving.data());
    for (int i = 0; i < count; ++i) is_moved[moving[static_cast<size_t>(i)]] = true;
    dynamics_.step(state.data(), action);
  }
  return is_moved;
}

}  // namespace pushworld
