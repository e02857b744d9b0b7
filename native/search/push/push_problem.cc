#include "search/push/push_problem.h"

#include <algorithm>

namespace pushworld {

template <int RowWords, int SetWords>
PushProblem<RowWords, SetWords>::PushProblem(const Dynamics& dynamics, LimitGuard& guard)
    : world_(dynamics.world()),
      n_(world_.num_objects()),
      classes_(world_, guard),
      space_(dynamics, classes_),
      distance_(dynamics, classes_, guard, kMaxTools),
      initial_(space_.initial_state()) {
  for (int goal = 0; goal < world_.num_goals(); ++goal) {
    goals_.push_back(classes_.index_of(goal + 1).id(world_.goals()[goal]));
  }
  if (ManipulationHeuristic<RowWords>::is_affordable(classes_, guard.memory().limit() / 4)) {
    guide_.emplace(dynamics, classes_, distance_, guard);
  }
}

template <int RowWords, int SetWords>
typename PushProblem<RowWords, SetWords>::Estimate PushProblem<RowWords, SetWords>::estimate(
    const PositionId* state) {
  const int distance = std::min(distance_(state), kManyTools);
  if (!guide_) return {distance, distance, 0};
  const auto [pushes, blockers] = (*guide_)(state);
  return {distance, pushes, blockers};
}

template <int RowWords, int SetWords>
ObjectSet<SetWords> PushProblem<RowWords, SetWords>::displaced(const PositionId* state) const {
  ObjectSet<SetWords> set;
  for (int object = 1; object < n_; ++object) {
    if (state[object] != initial_[object]) set.set(object);
  }
  return set;
}

template <int RowWords, int SetWords>
uint64_t PushProblem<RowWords, SetWords>::goal_facts(const PositionId* state) const {
  uint64_t facts = 0;
  int bit = 0;
  for (int i = 0; i < world_.num_goals(); ++i) {
    const Point at = classes_.index_of(i + 1).point(state[i + 1]);
    const Point goal = world_.goals()[i];
    facts |= uint64_t{at == goal} << (bit++ & 63);
    for (int j = i + 1; j < world_.num_goals(); ++j) {
      const Point other = classes_.index_of(j + 1).point(state[j + 1]);
      facts |= uint64_t{other - at == world_.goals()[j] - goal} << (bit++ & 63);
    }
  }
  return facts;
}

template class PushProblem<1, 1>;
template class PushProblem<4, 1>;
template class PushProblem<16, 1>;
template class PushProblem<1, kManyWords>;
template class PushProblem<4, kManyWords>;
template class PushProblem<16, kManyWords>;

}  // namespace pushworld
