#include "search/action/action_planners.h"

#include "search/action/action_searches.h"
#include "search/action/evaluators.h"

namespace pushworld {
namespace {

// Runs search(space, guard) within the limits and returns its result.
template <typename Search>
SearchResult search_in(const Dynamics& dynamics, Control& control, const Search& search) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    ActionSpace space(dynamics, guard);
    return search(space, guard);
  });
  return guard.result();
}

}  // namespace

SearchResult solve_breadth_first(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control, [&](ActionSpace& space, LimitGuard& guard) {
    return breadth_first_search(space, seed, guard);
  });
}

SearchResult solve_rgd(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control, [&](ActionSpace& space, LimitGuard& guard) {
    RgdEvaluator evaluator(space, guard);
    return best_first_search(space, evaluator, seed, guard);
  });
}

SearchResult solve_novelty_rgd(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control, [&](ActionSpace& space, LimitGuard& guard) {
    NoveltyRgdEvaluator evaluator(space, guard);
    return best_first_search(space, evaluator, seed, guard);
  });
}

SearchResult solve_cea(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control, [&](ActionSpace& space, LimitGuard& guard) {
    CeaEvaluator evaluator(space, guard);
    return best_first_search(space, evaluator, seed, guard);
  });
}

}  // namespace pushworld
