#include "search/action/action_space.h"

#include <algorithm>
#include <numeric>

namespace pushworld {

ActionSpace::ActionSpace(const Dynamics& dynamics, LimitGuard& guard)
    : dynamics_(dynamics),
      guard_(guard),
      classes_(dynamics.world(), guard),
      sizes_(classes_.sizes()),
      goals_(classes_.ids(dynamics.world().goals(), 1)),
      coordinates_(dynamics.state_size()) {}

bool ActionSpace::is_solved(const PositionId* state) const {
  return !goals_.empty() && std::equal(goals_.begin(), goals_.end(), state + 1);
}

void ActionSpace::enter(const PositionId* state) {
  state_ = state;
  for (size_t object = 0; object < num_objects(); ++object) {
    const Point p = classes_.index_of(static_cast<int>(object)).point(state[object]);
    coordinates_[2 * object] = static_cast<Coordinate>(p.x);
    coordinates_[2 * object + 1] = static_cast<Coordinate>(p.y);
  }
}

std::span<const uint16_t> ActionSpace::successor(int action, PositionId* child) {
  const int count = dynamics_.moving_objects(coordinates_.data(), action, moving_.data());
  guard_.count_work(num_objects() * static_cast<size_t>(count + 1));
  std::copy_n(state_, num_objects(), child);
  for (int i = 0; i < count; ++i) {
    const int object = moving_[i];
    child[object] = classes_.index_of(object).neighbour(state_[object], action);
  }
  return {moving_.data(), static_cast<size_t>(count)};
}

std::array<int, kNumActions> action_order(uint64_t seed) {
  std::array<int, kNumActions> order;
  std::iota(order.begin(), order.end(), 0);
  constexpr uint64_t kPermutations = 24;
  for (uint64_t i = 0; i < seed % kPermutations; ++i) {
    std::next_permutation(order.begin(), order.end());
  }
  return order;
}

}  // namespace pushworld
