#include "search/action/action_planners.h"

#include <functional>

#include "search/action/a_star.h"
#include "search/action/best_first.h"
#include "search/action/breadth_first.h"
#include "search/action/evaluators.h"
#include "search/core/limit_guard.h"

namespace pushworld {
namespace {

// Runs a search unless the positions of the world, and what else it makes for each of them before
// it begins, are more than memory may hold.
SearchResult search_in(const Dynamics& dynamics, Control& control,
                       const std::function<SearchResult(ActionSpace&)>& search,
                       size_t more_bytes = 0) {
  SearchResult result;
  try {
    LimitGuard guard(control, result, ObjectClasses::max_bytes(dynamics.world()) + more_bytes);
    guard.check();
    ActionSpace space(dynamics, [&] { guard.check(); });
    return search(space);
  } catch (const SearchStopped&) {
    return result;
  }
}

}  // namespace

SearchResult solve_breadth_first(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control,
                   [&](ActionSpace& space) { return breadth_first_search(space, seed, control); });
}

SearchResult solve_a_star(const Dynamics& dynamics, uint64_t seed, Control& control) {
  return search_in(dynamics, control,
                   [&](ActionSpace& space) { return a_star_search(space, seed, control); });
}

SearchResult solve_rgd(const Dynamics& dynamics, uint64_t seed, Control& control,
                       bool fewest_tools_first) {
  return search_in(dynamics, control, [&](ActionSpace& space) {
    RgdEvaluator evaluator(space, fewest_tools_first);
    return best_first_search(space, evaluator, seed, control);
  });
}

SearchResult solve_novelty_rgd(const Dynamics& dynamics, uint64_t seed, Control& control,
                               bool fewest_tools_first) {
  return search_in(dynamics, control, [&](ActionSpace& space) {
    NoveltyRgdEvaluator evaluator(space, fewest_tools_first);
    return best_first_search(space, evaluator, seed, control);
  });
}

SearchResult solve_cea(const Dynamics& dynamics, uint64_t seed, Control& control) {
  const auto search = [&](ActionSpace& space) {
    CeaEvaluator evaluator(space);
    return best_first_search(space, evaluator, seed, control);
  };
  return search_in(dynamics, control, search, CeaEvaluator::max_set_up_bytes(dynamics.world()));
}

}  // namespace pushworld
