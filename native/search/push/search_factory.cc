#include "search/push/search_factory.h"

#include <algorithm>
#include <new>
#include <utility>

#include "search/core/object_set.h"

namespace pushworld {
namespace {

bool is_plain(const Strategy& strategy) { return !strategy.goals_in_turn && !strategy.few_objects; }

}  // namespace

SearchFactory::Made SearchFactory::plain(const Dynamics& dynamics, const BitGrid* way) const {
  PushSearches searches = make_plain_searches(dynamics, {*strategy_}, 1, seed_, guard_, way);
  if (searches.empty()) throw std::bad_alloc();
  return std::move(searches[0]);
}

SearchFactory::Made SearchFactory::together(const Dynamics& dynamics, const BitGrid* way) const {
  const bool leaves_out = strategy_->few_objects && can_leave_out(dynamics.world());
  return leaves_out ? few_objects(dynamics, way) : plain(dynamics, way);
}

SearchFactory::Made SearchFactory::whole(const Dynamics& dynamics) const {
  if (!strategy_->goals_in_turn) return few_objects(dynamics);
  return with_layouts(in_turn(dynamics, 0), dynamics, options().layouts);
}

bool is_small(const World& world) {
  constexpr int kMaxSide = 64;
  return world.num_objects() <= kFewObjects && std::max(world.width(), world.height()) <= kMaxSide;
}

bool can_leave_out(const World& world) {
  return is_small(world) && world.num_objects() - 1 > world.num_goals();
}

Applicable applicable(std::vector<Strategy> strategies, const World& world, LimitGuard& guard) {
  Applicable result;
  for (const Strategy& strategy : strategies) {
    const bool suits = strategy.goals_in_turn ? (is_small(world) && world.num_goals() > 1) ||
                                                    needs_layouts(world, strategy.options, guard)
                                              : !strategy.few_objects || can_leave_out(world);
    if (suits) result.strategies.push_back(strategy);
    if (!suits) result.unsuitable.push_back(strategy.name);
  }
  if (!result.strategies.empty()) return result;
  for (Strategy& strategy : strategies) strategy.few_objects = strategy.goals_in_turn = false;
  result.strategies = std::move(strategies);
  return result;
}

PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, LimitGuard& guard) {
  std::vector<Strategy> plain;
  std::copy_if(strategies.begin(), strategies.end(), std::back_inserter(plain), is_plain);
  PushSearches shared;
  if (!plain.empty()) {
    shared = make_plain_searches(dynamics, plain, strategies.size(), seed, guard);
  }
  PushSearches searches;
  size_t next = 0;
  try {
    for (const Strategy& strategy : strategies) {
      if (is_plain(strategy) && next == shared.size()) break;
      searches.push_back(is_plain(strategy) ? std::move(shared[next++])
                                            : SearchFactory(strategy, seed, guard).whole(dynamics));
    }
  } catch (const std::bad_alloc&) {
    // There is no memory for the other strategies.
  }
  return searches;
}

}  // namespace pushworld
