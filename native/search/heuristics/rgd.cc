#include "search/heuristics/rgd.h"

#include <algorithm>

namespace pushworld {

RecursiveGraphDistance::RecursiveGraphDistance(const Dynamics& dynamics,
                                               const ObjectClasses& classes, LimitGuard& guard,
                                               int max_tools)
    : classes_(classes),
      n_(dynamics.world().num_objects()),
      num_goals_(dynamics.world().num_goals()),
      max_tools_(std::min(max_tools, n_)),
      guard_(guard),
      distances_(dynamics, classes, guard) {
  constexpr uint64_t kMaxEntries = uint64_t{1} << 20;
  const uint64_t agent_positions = classes.index(0).size();
  for (int goal = 0; goal < num_goals_; ++goal) {
    const uint64_t positions = classes.index_of(goal + 1).size();
    agent_costs_.emplace_back();
    // No path is longer than there are positions, so a cost fits into 16 bits.
    const uint64_t entries = positions * agent_positions;
    if (entries > kMaxEntries || positions + agent_positions > 60000) continue;
    agent_costs_.back() = {static_cast<size_t>(entries), guard.memory()};
  }
}

int RecursiveGraphDistance::operator()(const PositionId* state) {
  int total = 0;
  for (int goal = 0; goal < num_goals_; ++goal) {
    const int cost = goal_cost(state, goal);
    if (cost >= kInfinity) return kInfinity;
    total += cost;
  }
  return total;
}

int RecursiveGraphDistance::goal_cost(const PositionId* state, int goal) {
  const int object = goal + 1;
  const std::pmr::vector<uint16_t>& to_goal = distances_.to_goal(goal);
  const PositionId at = state[object];
  if (to_goal[at] == 0) return 0;
  if (to_goal[at] == kUnreachable) return kInfinity;
  int best = agent_cost(state, goal);
  if (best >= kInfinity && max_tools_ > 0) best = chain_cost(state, goal, true);
  if (best >= kInfinity && max_tools_ > 1) best = cost_with_fewest_tools(state, goal);
  return best;
}

int RecursiveGraphDistance::agent_cost(const PositionId* state, int goal) {
  SparseArray<uint16_t>& known = agent_costs_[goal];
  if (!known) return chain_cost(state, goal, false);
  const size_t entry = state[goal + 1] * classes_.index(0).size() + state[0];
  if (known[entry] == 0) {
    const int cost = chain_cost(state, goal, false);
    known.at(entry) = cost >= kInfinity ? UINT16_MAX : static_cast<uint16_t>(cost + 1);
  }
  return known[entry] == UINT16_MAX ? kInfinity : known[entry] - 1;
}

int RecursiveGraphDistance::chain_cost(const PositionId* state, int goal, bool with_tool) {
  const PositionIndex& index = classes_.index_of(goal + 1);
  int best = kInfinity;
  for (int action = 0; action < kNumActions; ++action) {
    const PositionId next = index.neighbour(state[goal + 1], action);
    if (next == kNoPosition) continue;
    const int distance = distances_.to_goal(goal)[next];
    if (distance >= best) continue;
    best = std::min(best,
                    distance + pushing_cost(state, goal + 1, action, with_tool, best - distance));
  }
  return best;
}

RecursiveGraphDistance::PushCosts RecursiveGraphDistance::costs_without_tools(
    const PositionId* state) {
  PushCosts costs(static_cast<size_t>(n_) * kNumActions, kInfinity);
  for (int object = 1; object < n_; ++object) {
    for (int action = 0; action < kNumActions; ++action) {
      if (classes_.index_of(object).neighbour(state[object], action) == kNoPosition) continue;
      const int walk =
          distances_.to_contact(0, classes_.of(object), state[object], action, state[0]);
      if (walk != kUnreachable) costs[object * kNumActions + action] = walk + 1;
    }
  }
  return costs;
}

RecursiveGraphDistance::PushCosts RecursiveGraphDistance::costs_with_one_more_tool(
    const PositionId* state, const PushCosts& shorter) {
  PushCosts costs = shorter;
  for (int object = 1; object < n_; ++object) {
    guard_.check();
    for (int action = 0; action < kNumActions; ++action) {
      if (classes_.index_of(object).neighbour(state[object], action) == kNoPosition) continue;
      int& best = costs[object * kNumActions + action];
      for (int pusher = 1; pusher < n_; ++pusher) {
        if (pusher == object) continue;
        const auto distance_from = [&](PositionId from) {
          return distances_.to_contact(classes_.of(pusher), classes_.of(object), state[object],
                                       action, from);
        };
        const int here = distance_from(state[pusher]);
        if (here == kUnreachable) continue;
        for (int first = 0; first < kNumActions; ++first) {
          const int push = shorter[pusher * kNumActions + first];
          if (push >= best) continue;
          const PositionId next = classes_.index_of(pusher).neighbour(state[pusher], first);
          const bool simultaneous = here == 0 && first == action;
          best = std::min(best, push + (simultaneous ? 0 : distance_from(next) + 1));
        }
      }
    }
  }
  return costs;
}

int RecursiveGraphDistance::cost_with_pushes(const PositionId* state, int goal,
                                             const PushCosts& costs) {
  const PositionIndex& index = classes_.index_of(goal + 1);
  int best = kInfinity;
  for (int action = 0; action < kNumActions; ++action) {
    const PositionId next = index.neighbour(state[goal + 1], action);
    const int push = costs[(goal + 1) * kNumActions + action];
    if (push < kInfinity) best = std::min(best, push + distances_.to_goal(goal)[next]);
  }
  return best;
}

// A chain with the fewest tools contains no object twice: the part between the two occurrences
// could be left out, because a pusher may itself be pushed in any direction. So there is no need to
// track the used objects.
int RecursiveGraphDistance::cost_with_fewest_tools(const PositionId* state, int goal) {
  PushCosts costs = costs_without_tools(state);
  size_t finite = 0;
  for (int depth = 1; depth <= max_tools_; ++depth) {
    costs = costs_with_one_more_tool(state, costs);
    const int cost = cost_with_pushes(state, goal, costs);
    if (cost < kInfinity) return cost;
    const size_t now = costs.size() - std::count(costs.begin(), costs.end(), kInfinity);
    if (now == finite) break;
    finite = now;
  }
  return kInfinity;
}

int RecursiveGraphDistance::pushing_cost(const PositionId* state, int object, int action,
                                         bool with_tool, int bound) {
  if ((++work_ & 1023) == 0) guard_.check();
  const int pushed_class = classes_.of(object);
  const int from_agent = distances_.to_contact(0, pushed_class, state[object], action, state[0]);
  int best = bound;
  if (from_agent != kUnreachable) best = std::min(best, from_agent + 1);
  if (!with_tool) return best;
  for (int pusher = 1; pusher < n_; ++pusher) {
    if (pusher == object) continue;
    const auto distance_from = [&](PositionId from) {
      return distances_.to_contact(classes_.of(pusher), pushed_class, state[object], action, from);
    };
    const int here = distance_from(state[pusher]);
    if (here == kUnreachable) continue;
    const PositionIndex& index = classes_.index_of(pusher);
    for (int first = 0; first < kNumActions; ++first) {
      const PositionId next = index.neighbour(state[pusher], first);
      if (next == kNoPosition) continue;
      const bool simultaneous = here == 0 && first == action;
      const int distance = simultaneous ? 0 : distance_from(next) + 1;
      if (distance >= best) continue;
      best = std::min(best, distance + pushing_cost(state, pusher, first, false, best - distance));
    }
  }
  return best;
}

}  // namespace pushworld
