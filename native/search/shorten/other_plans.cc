#include "search/shorten/other_plans.h"

#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>

#include "search/push/push_search.h"

namespace pushworld {
namespace {

// The number of pushes that a search of share 1 generates in a turn.
constexpr uint64_t kTurn = 1000;

// The puzzle from the state after the first actions of a plan.
std::shared_ptr<const World> world_after(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                                         size_t kept, const Checkpoint& checkpoint) {
  const World& world = dynamics.world();
  std::vector<Coordinate> state = coordinates_of(world.start());
  for (size_t i = 0; i < kept; ++i) dynamics.step(state.data(), plan[i]);
  std::vector<int> all(static_cast<size_t>(world.num_objects()));
  std::iota(all.begin(), all.end(), 0);
  return std::make_shared<const World>(world, points_of(state), all, world.num_goals(),
                                       World::Others::kVanish, checkpoint);
}

}  // namespace

bool find_other_ending(const Dynamics& dynamics, const std::vector<uint8_t>& plan, size_t kept,
                       uint64_t seed, uint64_t max_pushes, LimitGuard& guard) {
  SearchResult& result = guard.result();
  if (!is_small(dynamics.world())) throw std::invalid_argument("the world is too large");
  const Dynamics rest(world_after(dynamics, plan, kept, guard.checkpoint()), guard.checkpoint());
  const std::vector<Strategy> strategies = applicable(default_strategies(), rest.world());
  PushSearches searches = make_push_searches(rest, strategies, seed, guard);
  if (searches.empty()) throw std::bad_alloc();
  size_t running = searches.size();
  const uint64_t end = result.generated + max_pushes;
  for (size_t turn = 0; running > 0 && result.generated < end; ++turn) {
    const size_t which = turn % searches.size();
    if (!searches[which]) continue;
    const Status status =
        searches[which]->advance(kTurn * static_cast<uint64_t>(strategies[which].share));
    if (status == Status::kSolved) {
      result.plan.insert(result.plan.begin(), plan.begin(),
                         plan.begin() + static_cast<ptrdiff_t>(kept));
      return true;
    }
    if (status == Status::kUnknown) continue;
    searches[which].reset();
    --running;
  }
  return false;
}

}  // namespace pushworld
