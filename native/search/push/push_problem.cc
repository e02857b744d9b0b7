#include "search/push/push_problem.h"

#include <algorithm>

namespace pushworld {

template <int RowWords, int SetWords>
PushProblem<RowWords, SetWords>::PushProblem(const Dynamics& dynamics, const PushOptions& options,
                                             LimitGuard& guard, const BitGrid* way)
    : options_(options),
      world_(dynamics.world()),
      n_(world_.num_objects()),
      classes_(world_, guard),
      space_(dynamics, classes_, guard),
      distance_(dynamics, classes_, guard, static_cast<int>(options.tools)),
      initial_(classes_.ids(world_.start())),
      goals_(classes_.ids(world_.goals(), 1)) {
  for (int goal = 0; goal < world_.num_goals(); ++goal) {
    goal_facts_.push_back({goal, goal});
    const size_t single_goals_to_come = world_.num_goals() - goal - 1;
    for (int other = goal + 1; other < world_.num_goals(); ++other) {
      if (goal_facts_.size() + single_goals_to_come >= ObjectSet<SetWords>::kWidth) break;
      goal_facts_.push_back({goal, other});
    }
  }
  if (ManipulationHeuristic<RowWords>::is_affordable(classes_, guard.memory().limit() / 4)) {
    manipulation_.emplace(dynamics, classes_, distance_.distances().contacts(), options, guard);
  }
  for (int id = 0; way && id < classes_.count(); ++id) {
    const Shape& shape = world_.shape(classes_.shape_id(id));
    std::vector<bool>& is_in_way = is_in_way_.emplace_back(classes_.index(id).size());
    for (PositionId p = 0; p < is_in_way.size(); ++p) {
      is_in_way[p] = covers_any(shape, classes_.index(id).point(p), *way);
    }
  }
}

template <int RowWords, int SetWords>
int PushProblem<RowWords, SetWords>::count_in_way(const PositionId* state) const {
  int count = 0;
  for (int object = 1; object < n_; ++object) {
    count += is_in_way_[classes_.of(object)][state[object]];
  }
  return count;
}

template <int RowWords, int SetWords>
typename PushProblem<RowWords, SetWords>::Estimate PushProblem<RowWords, SetWords>::estimate(
    const PositionId* state) {
  const int distance = std::min(distance_(state), kMaxDistance);
  if (!manipulation_) return {distance, distance, 0};
  const auto [pushes, blockers] = (*manipulation_)(state);
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
ObjectSet<SetWords> PushProblem<RowWords, SetWords>::goal_facts(const PositionId* state) const {
  const auto from_goal = [&](int i) {
    return classes_.index_of(i + 1).point(state[i + 1]) - world_.goals()[i];
  };
  ObjectSet<SetWords> facts;
  Point of_goal;  // the facts of a goal follow each other, that of the goal alone first
  for (size_t fact = 0; fact < goal_facts_.size(); ++fact) {
    const auto [i, j] = goal_facts_[fact];
    if (i == j) of_goal = from_goal(i);
    if (i == j ? state[i + 1] == goals_[i] : of_goal == from_goal(j))
      facts.set(static_cast<int>(fact));
  }
  return facts;
}

template class PushProblem<1, 1>;
template class PushProblem<4, 1>;
template class PushProblem<1, kManyWords>;
template class PushProblem<16, kManyWords>;

}  // namespace pushworld
