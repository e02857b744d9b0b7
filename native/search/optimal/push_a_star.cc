#include "search/optimal/push_a_star.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "search/action/action_space.h"
#include "search/core/chunked_vector.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/core/open_list.h"
#include "search/heuristics/lower_bound.h"
#include "search/optimal/pattern_heuristic.h"
#include "search/push/push_space.h"

namespace pushworld {
namespace {

// Pushes and actions in one word, so that costs add up and compare by their pushes first. To
// minimize actions, pushes are not counted. The lowest bits are free.
using Cost = uint64_t;
constexpr int kFreeBits = 20;
constexpr Cost kAction = Cost{1} << kFreeBits;
constexpr Cost kPush = Cost{1} << 44;

// How much work on the databases a search may do first, and for each push that it generates: as
// much as it takes itself, about.
constexpr uint64_t kFirstSteps = uint64_t{1} << 21;
constexpr uint64_t kStepsPerPush = 16;

// A node is a state right after a push: the positions of the movables and of the agent, up to
// interchangeable objects. An edge is a walk and a push; it costs as many actions as it has.
template <int RowWords, int SetWords>
class PushAStar {
 public:
  PushAStar(const Dynamics& dynamics, uint64_t seed, Minimize minimize, LimitGuard& guard)
      : minimize_(minimize),
        guard_(guard),
        result_(guard.result()),
        world_(dynamics.world()),
        n_(world_.num_objects()),
        classes_(world_, guard),
        space_(dynamics, classes_, guard),
        heuristic_(dynamics, classes_, minimize, guard),
        interchangeable_(world_, classes_),
        actions_(action_order(seed)),
        goals_(classes_.ids(world_.goals(), 1)),
        store_(classes_.sizes(), guard, 2),
        open_(guard.memory()),
        costs_(guard.memory()),
        parent_(n_),
        child_(n_) {}

  Status run() {
    if (goals_.empty()) return Status::kUnsolvable;
    guard_.check();
    child_ = classes_.ids(world_.start());
    interchangeable_.canonicalize(child_.data());
    reach(kNoNode, 0, 0);
    while (!open_.empty()) {
      const auto [rank, node] = open_.pop();
      if (costs_[node] & kClosed) continue;
      if (minimize_ == Minimize::kActions) guard_.control().prove_at_least(bound_of(rank));
      store_.read(node, parent_.data());
      heuristic_.extend(bound_of(rank), kFirstSteps + kStepsPerPush * result_.generated);
      const Cost now = rank_of(costs_[node], heuristic_(parent_.data()));
      if (now > rank) {  // the heuristic has learned more
        if (now != kDeadEnd) open_.push(now, node);
        continue;
      }
      if (std::equal(goals_.begin(), goals_.end(), parent_.begin() + 1)) {
        write_plan(node);
        return Status::kSolved;
      }
      guard_.count_expansion();
      expand(node);
    }
    return Status::kUnsolvable;
  }

 private:
  static constexpr Cost kClosed = 1;  // a flag in the free bits
  static constexpr Cost kDeadEnd = UINT64_MAX;

  void expand(NodeId node) {
    const Cost cost = costs_[node];
    costs_[node] |= kClosed;
    const auto& groups = space_.find_push_groups(parent_.data());
    space_.measure_walks(parent_[0], walks_);
    if (is_dominated(groups, cost)) return;
    const PositionIndex& agent = classes_.index(0);
    const Cost cost_of_push = kAction + (minimize_ == Minimize::kPushes ? kPush : 0);
    for (const int action : actions_) {
      for (const auto& group : groups) {
        if (group.action != action) continue;
        child_ = parent_;
        group.moved.for_each([&](int object) {
          child_[object] = classes_.index_of(object).neighbour(parent_[object], action);
        });
        interchangeable_.canonicalize(child_.data());
        space_.for_each_origin(group, [&](Point from) {
          const PositionId id = agent.id_unchecked(from.x, from.y);
          child_[0] = agent.neighbour(id, action);
          ++result_.generated;
          reach(node, action, cost + walks_[id] * kAction + cost_of_push);
        });
      }
    }
  }

  // Whether there is a node with the same movables from which the agent can walk to this one's
  // position at no greater cost.
  template <typename Groups>
  bool is_dominated(const Groups& groups, Cost cost) {
    const PositionIndex& agent = classes_.index(0);
    child_ = parent_;
    bool is_dominated = false;
    for (const auto& group : groups) {
      space_.for_each_origin(group, [&](Point from) {
        const PositionId id = agent.id_unchecked(from.x, from.y);
        if (is_dominated || walks_[id] == 0 || walks_[id] * kAction > cost) return;
        child_[0] = id;
        const NodeId other = store_.find(child_.data());
        if (other == kNoNode) return;
        is_dominated = (costs_[other] & ~kClosed) + walks_[id] * kAction <= cost;
      });
      if (is_dominated) break;
    }
    return is_dominated;
  }

  // Records a path to the state in `child_`.
  void reach(NodeId parent, int action, Cost cost) {
    const auto [node, is_new] = store_.insert(child_.data(), parent, static_cast<uint32_t>(action));
    if (is_new) {
      costs_.push_back(cost);
      ++result_.states;
    } else {
      if (cost >= (costs_[node] & ~kClosed)) return;
      costs_[node] = cost;
      store_.set_parent(node, parent, static_cast<uint32_t>(action));
    }
    ++result_.evaluated;
    const int heuristic = heuristic_(child_.data());
    guard_.update_best(heuristic);
    const Cost rank = rank_of(cost, heuristic);
    if (rank != kDeadEnd) open_.push(rank, node);
  }

  // The least cost of a plan through a node, then the heuristic.
  Cost rank_of(Cost cost, int heuristic) const {
    if (heuristic >= kInfinity) return kDeadEnd;
    const Cost rest = static_cast<Cost>(heuristic);
    return cost + rest * (minimize_ == Minimize::kPushes ? kPush + kAction : kAction) + rest;
  }
  int bound_of(Cost rank) const {
    return static_cast<int>(rank / (minimize_ == Minimize::kPushes ? kPush : kAction));
  }

  void write_plan(NodeId solved) {
    // Interchangeable objects are renamed from node to node, so that walks and pushes still fit.
    const std::vector<NodeId> path = store_.path_to(solved);
    for (size_t i = 1; i < path.size(); ++i) {
      store_.read(path[i - 1], parent_.data());
      store_.read(path[i], child_.data());
      const int action = NodeStore::action_of(store_.label(path[i]));
      const PositionId from = classes_.index(0).neighbour(child_[0], opposite(action));
      space_.append_walk(parent_.data(), parent_[0], from, result_.plan);
      result_.plan.push_back(static_cast<uint8_t>(action));
    }
  }

  const Minimize minimize_;
  LimitGuard& guard_;
  SearchResult& result_;
  const World& world_;
  const int n_;
  ObjectClasses classes_;
  PushSpace<RowWords, SetWords> space_;
  PatternHeuristic heuristic_;
  InterchangeableObjects interchangeable_;
  const std::array<int, kNumActions> actions_;
  const std::vector<PositionId> goals_;
  NodeStore store_;
  OpenList open_;
  ChunkedVector<Cost> costs_;  // of each node
  std::vector<PositionId> parent_, child_;
  std::vector<uint32_t> walks_;
};

// Proves a lower bound long before the first pattern database is made.
void prove_first_bound(const Dynamics& dynamics, LimitGuard& guard) {
  const ActionSpace space(dynamics, guard);
  LowerBound distance(dynamics, space.classes(), guard);
  const int bound = distance(space.initial_state().data());
  if (bound < kInfinity) guard.control().prove_at_least(bound);
}

}  // namespace

SearchResult solve_a_star(const Dynamics& dynamics, uint64_t seed, Control& control,
                          Minimize minimize) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    if (minimize == Minimize::kActions) prove_first_bound(dynamics, guard);
    return with_widths(dynamics.world(), [&]<int RowWords, int SetWords>() {
      return PushAStar<RowWords, SetWords>(dynamics, seed, minimize, guard).run();
    });
  });
  return guard.result();
}

}  // namespace pushworld
