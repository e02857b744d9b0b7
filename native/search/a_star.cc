#include "search/a_star.h"

#include <algorithm>
#include <vector>

#include "search/open_list.h"
#include "search/watch.h"

namespace pushworld {
namespace {

// A node's label: its distance from the root, and the action that led to it.
uint32_t make_label(uint32_t depth, int action) {
  return depth << 2 | static_cast<uint32_t>(action);
}
uint32_t depth_of(uint32_t label) { return label >> 2; }

// The lowest sum of depth and heuristic first, then the lowest heuristic.
OpenList::Rank make_rank(uint32_t depth, int heuristic) {
  return uint64_t{depth + static_cast<uint32_t>(heuristic)} << 32 |
         static_cast<uint32_t>(heuristic);
}
uint32_t depth_of_rank(OpenList::Rank rank) {
  return static_cast<uint32_t>(rank >> 32) - static_cast<uint32_t>(rank);
}

}  // namespace

LowerBound::LowerBound(const ActionSpace& space)
    : space_(space), distances_(space.dynamics(), space.classes(), 0) {}

int LowerBound::distance_to_contact(const PositionId* state, int pusher, int object) {
  const ObjectClasses& classes = space_.classes();
  int best = kInfinity;
  for (int action = 0; action < kNumActions; ++action) {
    if (classes.index_of(object).neighbour(state[object], action) == kNoPosition) continue;
    const int distance = distances_.contact_distance(classes.of(pusher), classes.of(object),
                                                     state[object], action, state[pusher]);
    if (distance != kUnreachable) best = std::min(best, distance);
  }
  return best;
}

int LowerBound::operator()(const PositionId* state) {
  const int n = static_cast<int>(space_.num_objects());
  const int num_goals = space_.dynamics().world().num_goals();
  int nearest = -1;  // the walk to the nearest movable, computed when it matters
  int bound = 0;
  for (int object = 1; object <= num_goals; ++object) {
    const int pushes = distances_.goal_distances(object - 1)[state[object]];
    if (pushes == 0) continue;
    if (pushes == kUnreachable) return kInfinity;
    int before = distance_to_contact(state, 0, object);
    if (before > 0 && nearest < 0) {
      nearest = kInfinity;
      for (int other = 1; other < n; ++other) {
        nearest = std::min(nearest, distance_to_contact(state, 0, other));
      }
    }
    for (int tool = 1; tool < n && before > nearest; ++tool) {
      if (tool == object) continue;
      before = std::min(before, nearest + distance_to_contact(state, tool, object));
    }
    if (before >= kInfinity) return kInfinity;
    bound = std::max(bound, before + pushes);
  }
  return bound;
}

SearchResult a_star_search(ActionSpace& space, uint64_t seed, Control& control) {
  SearchResult result;
  NodeStore nodes(space.sizes());
  OpenList open;
  LowerBound lower_bound(space);
  Watch watch(
      control, result,
      [&] { return space.bytes() + nodes.bytes() + open.bytes() + lower_bound.bytes(); },
      [&] {
        return space.bytes() + nodes.bytes_while_adding(Watch::kMaxNewStates) + open.bytes() +
               lower_bound.bytes_ahead();
      });
  lower_bound.set_on_work([&] { watch.look(); });
  const std::array<int, kNumActions> actions = action_order(seed);
  std::vector<PositionId> state = space.initial_state();
  std::vector<PositionId> child(state.size());

  const auto reach = [&](const PositionId* reached, NodeId parent, uint32_t depth, int action) {
    const uint32_t label = make_label(depth, action);
    const auto [node, is_new] = nodes.insert(reached, parent, label);
    if (!is_new) {
      if (depth >= depth_of(nodes.label(node))) return;
      nodes.set_parent(node, parent, label);
    }
    result.states += is_new;
    ++result.evaluated;
    const int heuristic = lower_bound(reached);
    if (heuristic < kInfinity) open.push(make_rank(depth, heuristic), node);
  };

  try {
    watch.look();
    reach(state.data(), kNoNode, 0, 0);
    while (!open.empty()) {
      const auto [rank, node] = open.pop();
      const uint32_t depth = depth_of_rank(rank);
      if (depth != depth_of(nodes.label(node))) continue;  // a shorter way was found since
      watch.note(static_cast<int>(rank & UINT32_MAX));
      nodes.read(node, state.data());
      if (space.is_solved(state.data())) {
        result.status = Status::kSolved;
        result.plan = ActionSpace::plan(nodes, node);
        break;
      }
      watch.count_expansion();
      space.enter(state.data());
      for (const int action : actions) {
        if (space.successor(action, child.data()).empty()) continue;
        ++result.generated;
        reach(child.data(), node, depth + 1, action);
      }
    }
    if (result.status != Status::kSolved) result.status = Status::kUnsolvable;
    watch.finish();
  } catch (const SearchStopped&) {
    // The status is set.
  }
  return result;
}

}  // namespace pushworld
