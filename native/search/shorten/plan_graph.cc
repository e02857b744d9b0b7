#include "search/shorten/plan_graph.h"

namespace pushworld {
namespace {

uint32_t make_via(PlacementId placement, int action) {
  return placement << 2 | static_cast<uint32_t>(action);
}

}  // namespace

PlanGraph::PlanGraph(const Dynamics& dynamics, bool are_walks_free, LimitGuard& guard)
    : walk_distance_(are_walks_free ? 0 : kWalkDistance),
      guard_(guard),
      space_(dynamics, guard),
      agent_(space_.classes().index(0)),
      placements_(dynamics.world(), space_.classes(), guard),
      open_(&guard.memory()),
      heads_(&guard.memory()),
      walk_(agent_),
      parent_(space_.num_objects()),
      child_(space_.num_objects()) {}

void PlanGraph::enter_plan(const std::vector<uint8_t>& plan) {
  best_length_ = static_cast<uint32_t>(plan.size()) + 1;
  std::vector<PositionId> start = space_.initial_state();
  PlanState state{insert(start.data()), start[0]};
  reach(state, 0, 0, Arrival::kNowhere);
  for (const uint8_t action : plan) {
    if (placements_.lower_bound(state.placement) == 0) break;
    act(state, action);
  }
}

bool PlanGraph::act(PlanState& state, int action) {
  count_work(1);
  PlanState next{state.placement, agent_.neighbour(state.agent, action)};
  if (next.agent == kNoPosition) return false;
  const Arrival here = arrival(state);
  uint32_t distance = here.distance + walk_distance_;
  if (arrival(next).cost == Arrival::kOccupied) {
    next.placement = push(state, action);
    if (next.placement == kNoNode) return false;
    distance = here.distance + kPushDistance;
  }
  if (!reach(next, here.cost + 1, distance, make_via(state.placement, action))) return false;
  state = next;
  return true;
}

PlacementId PlanGraph::push(PlanState state, int action) {
  ++guard_.result().generated;
  placements_.read(state.placement, parent_.data());
  parent_[0] = state.agent;
  space_.enter(parent_.data());
  if (space_.successor(action, child_.data()).empty()) return kNoNode;
  return insert(child_.data());
}

PlacementId PlanGraph::insert(PositionId* state) {
  if (placements_.is_full()) guard_.check();
  placements_.canonicalize(state);
  return placements_.insert(state).node;
}

// Records a path to the state. Returns whether it may be part of a plan that is shorter than the
// best.
bool PlanGraph::reach(PlanState state, uint32_t cost, uint32_t distance, uint32_t via) {
  const uint32_t bound = placements_.lower_bound(state.placement);
  if (cost + bound >= best_length_) return false;
  distance = std::min(distance, Arrival::kMaxDistance);
  Arrival& there = arrival(state);
  const bool cheaper = cost < there.cost;
  if (!cheaper && distance >= there.distance) return true;
  if (cheaper) {
    guard_.result().states += there.cost == Arrival::kUnreached;
    there.cost = cost;
    there.via = via;
  }
  there.distance = std::min<uint32_t>(distance, there.distance);
  if (bound == 0) {
    best_length_ = cost;
    best_end_ = state;
  } else {
    enqueue(state, there);
  }
  return true;
}

void PlanGraph::enqueue(PlanState state, Arrival& there) {
  there.open = 1;
  if (there.distance >= open_.size()) {
    open_.resize(there.distance + 1);
    heads_.resize(there.distance + 1);
  }
  std::pmr::vector<PlanState>& queue = open_[there.distance];
  if (queue.size() == queue.capacity()) {
    guard_.check();
    queue.reserve(std::max<size_t>(16, 2 * queue.size()));
  }
  queue.push_back(state);
  distance_ = std::min<size_t>(distance_, there.distance);
}

bool PlanGraph::pop(PlanState& state) {
  std::pmr::vector<PlanState>& queue = open_[distance_];
  size_t& head = heads_[distance_];
  while (head < queue.size()) {
    state = queue[head++];
    Arrival& here = arrival(state);
    if (!here.open) continue;
    here.open = 0;
    if (here.cost + placements_.lower_bound(state.placement) < best_length_) return true;
  }
  queue.clear();
  head = 0;
  ++distance_;
  return false;
}

bool PlanGraph::walk(PlanState& state, PositionId to) {
  if (state.agent == to) return true;
  const Arrival* const arrivals = placements_.arrivals(state.placement);
  if (arrivals[to].cost == Arrival::kOccupied) return false;
  const auto is_free = [&](PositionId at) { return arrivals[at].cost != Arrival::kOccupied; };
  const bool is_found = walk_.find(state.agent, to, guard_, is_free);
  count_work(walk_.num_visited() / 4);
  if (!is_found) return false;
  while (state.agent != to) {
    if (!act(state, walk_.action(state.agent))) return false;
  }
  return true;
}

std::vector<uint8_t> PlanGraph::best_plan(std::vector<PlanState>& states) {
  std::vector<uint8_t> actions;
  states.assign(1, best_end_);
  for (uint32_t via = arrival(best_end_).via; via != Arrival::kNowhere;) {
    const int action = via & 3;
    actions.push_back(static_cast<uint8_t>(action));
    states.push_back({via >> 2, agent_.neighbour(states.back().agent, opposite(action))});
    via = arrival(states.back()).via;
  }
  std::reverse(actions.begin(), actions.end());
  std::reverse(states.begin(), states.end());
  return actions;
}

void PlanGraph::centre_on(const std::vector<PlanState>& states) {
  for (const PlanState& state : states) {
    Arrival& there = arrival(state);
    if (there.distance == 0 || placements_.lower_bound(state.placement) == 0) continue;
    there.distance = 0;
    enqueue(state, there);
  }
}

}  // namespace pushworld
