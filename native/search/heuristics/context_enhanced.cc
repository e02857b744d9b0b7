#include "search/heuristics/context_enhanced.h"

#include <algorithm>

namespace pushworld {

ContextEnhancedAdditive::ContextEnhancedAdditive(const Dynamics& dynamics,
                                                 const ObjectClasses& classes, LimitGuard& guard,
                                                 int max_tools)
    : world_(dynamics.world()),
      classes_(classes),
      guard_(guard),
      n_(world_.num_objects()),
      max_tools_(std::min(max_tools, std::max(0, n_ - 2))),
      chains_(dynamics, classes, guard, n_),
      is_used_(n_, 0),
      walk_run_(classes.index(0).size(), &guard.memory()),
      walk_target_(classes.index(0).size(), &guard.memory()),
      walk_queue_(&guard.memory()) {
  size_t most = 0;
  for (int c = 0; c < classes_.count(); ++c) most = std::max(most, classes_.index(c).size());
  for (int depth = 0; depth <= max_tools_; ++depth) levels_.emplace_back(most, guard.memory());
}

int ContextEnhancedAdditive::operator()(const PositionId* state) {
  const Context start(state, state + n_);
  Context end(start);
  int total = 0;
  is_dead_end_ = false;
  for (int object = 1; object <= world_.num_goals(); ++object) {
    const PositionId goal = classes_.index_of(object).id(world_.goals()[object - 1]);
    const Target target{.position = goal};
    tools_ = 0;
    int cost = path_cost(0, object, start, target, kInfinity, end);
    if (cost >= kInfinity) is_dead_end_ = chains_.goal_cost(state, object - 1) >= kInfinity;
    while (cost >= kInfinity && !is_dead_end_ && tools_ < max_tools_) {
      ++tools_;
      cost = path_cost(0, object, start, target, kInfinity, end);
    }
    if (cost >= kInfinity) return kInfinity;
    total += cost;
  }
  return total;
}

int ContextEnhancedAdditive::path_cost(int depth, int object, const Context& start,
                                       const Target& target, int bound, Context& end) {
  Level& level = levels_[depth];
  const uint32_t now = ++level.now;
  const PositionIndex& index = classes_.index_of(object);
  for (const PositionId contact : target.contacts) level.contact_run[contact] = now;
  Queue queue;
  uint32_t age = 0;
  const auto arrive = [&](PositionId position, int cost, const Context& context) {
    if (level.run[position] == now && level.cost[position] <= cost) return;
    level.run[position] = now;
    level.cost[position] = cost;
    level.context[position] = context;
    queue.push({cost, age++, position});
  };
  is_used_[object] = 1;
  int best = bound;
  arrive(start[object], 0, start);
  while (!queue.empty()) {
    const auto [cost, entered, position] = queue.top();
    queue.pop();
    if (cost >= best) break;
    if (cost > level.cost[position]) continue;
    if (position == target.position) {
      end = level.context[position];
      best = cost;
      break;
    }
    if ((++work_ & 63) == 0) guard_.check();
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId next = index.neighbour(position, action);
      if (next == kNoPosition) continue;
      const int arrival = cost + step_cost(depth, object, action, level.context[position],
                                           best - cost, level.after_step);
      if (arrival >= best) continue;
      if (action == target.action && level.contact_run[position] == now) {
        best = arrival;
        end = level.after_step;
      }
      arrive(next, arrival, level.after_step);
    }
  }
  is_used_[object] = 0;
  return best;
}

int ContextEnhancedAdditive::step_cost(int depth, int object, int action, const Context& context,
                                       int bound, Context& after) {
  const PositionId at = context[object];
  int best = bound;
  const auto [distance, contact] = walk(context[0], contacts(0, object, at, action));
  if (distance + 1 < best) {
    best = distance + 1;
    after = context;
    after[0] = classes_.index(0).neighbour(contact, action);
  }
  for (int pusher = 1; pusher < n_ && depth < tools_; ++pusher) {
    if (is_used_[pusher]) continue;
    const std::vector<PositionId> places = contacts(pusher, object, at, action);
    if (places.empty()) continue;
    const Target push{.position = kNoPosition, .action = action, .contacts = places};
    best = path_cost(depth + 1, pusher, context, push, best, after);
  }
  if (best < bound) after[object] = classes_.index_of(object).neighbour(at, action);
  return best;
}

std::pair<int, PositionId> ContextEnhancedAdditive::walk(PositionId from,
                                                         std::span<const PositionId> contacts) {
  if (contacts.empty()) return {kInfinity, kNoPosition};
  const uint32_t now = ++walk_now_;
  for (const PositionId contact : contacts) walk_target_[contact] = now;
  walk_queue_.assign(1, {from, 0});
  walk_run_[from] = now;
  for (size_t next = 0; next < walk_queue_.size(); ++next) {
    guard_.count_work(4);
    const auto [position, distance] = walk_queue_[next];
    if (walk_target_[position] == now) return {distance, position};
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId to = classes_.index(0).neighbour(position, action);
      if (to == kNoPosition || walk_run_[to] == now) continue;
      walk_run_[to] = now;
      walk_queue_.push_back({to, distance + 1});
    }
  }
  return {kInfinity, kNoPosition};
}

std::vector<PositionId> ContextEnhancedAdditive::contacts(int pusher, int object, PositionId at,
                                                          int action) {
  guard_.count_work(16);
  std::vector<PositionId> found;
  chains_.distances().contacts().for_each(classes_.of(pusher), classes_.of(object), at, action,
                                          [&](PositionId from) { found.push_back(from); });
  return found;
}

}  // namespace pushworld
