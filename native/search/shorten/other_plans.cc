#include "search/shorten/other_plans.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "search/shorten/neighbourhood_search.h"

namespace pushworld {
namespace {

// The puzzle from the state after the first actions of a plan.
std::shared_ptr<World> world_after(const Dynamics& dynamics, const std::vector<uint8_t>& beginning,
                                   LimitGuard& guard) {
  const World& world = dynamics.world();
  if (!is_small(world)) throw std::invalid_argument("the world is too large");
  std::vector<int> all(static_cast<size_t>(world.num_objects()));
  std::iota(all.begin(), all.end(), 0);
  return guard.make<World>(world, points_of(state_after(dynamics, world.start(), beginning)), all,
                           world.goals(), std::vector<int>{});
}

}  // namespace

OtherPlans::OtherPlans(const Dynamics& dynamics, std::vector<uint8_t> beginning, uint64_t seed,
                       LimitGuard& guard)
    : dynamics_(dynamics),
      beginning_(std::move(beginning)),
      guard_(guard),
      rest_(guard.make<Dynamics>(world_after(dynamics, beginning_, guard))),
      strategies_(applicable(default_strategies(), rest_->world(), guard).strategies),
      searches_(make_push_searches(*rest_, strategies_, seed, guard)) {
  if (searches_.empty()) throw std::bad_alloc();
}

bool OtherPlans::is_finished() const {
  return std::all_of(searches_.begin(), searches_.end(), [](const auto& each) { return !each; });
}

bool OtherPlans::advance(uint64_t pushes, size_t length) {
  while (pushes > 0 && !is_finished()) {
    const size_t which = turn_++ % searches_.size();
    if (!searches_[which]) continue;
    const uint64_t turn = kTurn * static_cast<uint64_t>(strategies_[which].share);
    pushes -= std::min(turn, pushes);
    Outcome outcome = searches_[which]->advance(turn);
    if (outcome.status == Status::kUnknown) continue;
    searches_[which].reset();
    if (outcome.status != Status::kSolved) continue;
    std::vector<uint8_t>& plan = guard_.result().plan;
    plan = std::move(outcome.plan);
    shorten_quickly(*rest_, kStatesAround, guard_);
    plan.insert(plan.begin(), beginning_.begin(), beginning_.end());
    if (plan.size() < kMuchLonger * static_cast<double>(length)) {
      shorten_quickly(dynamics_, 2 * kStatesAround, guard_);
    }
    return true;
  }
  return false;
}

}  // namespace pushworld
