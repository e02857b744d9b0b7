#include "learned/guided_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "search/heuristics/pair_novelty.h"
#include "search/push/alternation_open_list.h"
#include "search/push/push_problem.h"
#include "search/push/push_space.h"

namespace pushworld {
namespace {

// The time to generate and evaluate a push without the network, in its multiplications.
constexpr double kWorkOfPush = 2e4;

// A priority queue of nodes: the lowest cost first, then the oldest node.
class NodeHeap {
 public:
  explicit NodeHeap(MemoryAccount& memory) : entries_(&memory) {}

  bool empty() const { return entries_.empty(); }
  void push(float cost, NodeId node) {
    // Damaged weights may give values that are no numbers and have no order.
    entries_.emplace_back(std::isfinite(cost) ? cost : std::numeric_limits<float>::max(), node);
    std::push_heap(entries_.begin(), entries_.end(), std::greater<>());
  }
  NodeId pop() {
    std::pop_heap(entries_.begin(), entries_.end(), std::greater<>());
    const NodeId node = entries_.back().second;
    entries_.pop_back();
    return node;
  }

 private:
  std::pmr::vector<std::pair<float, NodeId>> entries_;
};

// The open lists for expansions without the network.
std::vector<OpenListSpec> classical_lists() {
  using enum PushFeature;
  using enum PushEvaluator;
  return {{{}, {kNovelty, kGuidedCost}},
          {{kGoalFacts}, {kNovelty, kGuidedCost}},
          {{kDisplaced}, {kGuidedCost}}};
}

// A node is a state right after a push, up to walks of the agent and interchangeable objects.
template <int RowWords, int SetWords>
class GuidedSearch {
 public:
  GuidedSearch(const Dynamics& dynamics, const Network& network, const Frame& frame,
               const Guidance& guidance, LimitGuard& guard)
      : guidance_(guidance),
        guard_(guard),
        result_(guard.result()),
        n_(dynamics.world().num_objects()),
        problem_(dynamics, guard),
        classes_(problem_.classes()),
        space_(problem_.space()),
        interchangeable_(problem_.world(), classes_),
        store_(sizes(), guard),
        novelty_(problem_.world(), classes_, guard, guard.memory().limit() / 8),
        observer_(problem_.world(), frame, guard),
        run_(network, frame.height, frame.width, guard),
        info_(&guard.memory()),
        by_network_(guard.memory()),
        open_lists_(classical_lists(), guard.memory()),
        parent_(n_),
        key_(n_),
        points_(n_) {}

  Status run() {
    guard_.check();
    const std::vector<PositionId>& initial = problem_.initial_state();
    if (problem_.is_solved(initial.data())) {
      return problem_.world().num_goals() > 0 ? Status::kSolved : Status::kUnsolvable;
    }
    const Push first{0, initial[0], space_.region_of(initial.data()),
                     objects_from<SetWords>(0, n_)};
    add(kNoNode, first, initial, {});
    while (true) {
      const bool is_due =
          network_work_ * (1 - guidance_.network_share) <= push_work_ * guidance_.network_share;
      NodeId node = is_due && guidance_.network_share > 0 ? pop_by_network() : kNoNode;
      const bool by_network = node != kNoNode;
      if (!by_network) node = open_lists_.pop().node;
      if (node == kNoNode) return Status::kUnsolvable;
      if (!by_network && info_[node].is_expanded) continue;
      guard_.count_expansion();
      if (!(by_network ? expand_by_network(node) : expand(node))) continue;
      result_.plan = space_.plan_to(store_, solved_, interchangeable_);
      return Status::kSolved;
    }
  }

 private:
  using Push = typename PushSpace<RowWords, SetWords>::Push;
  using PushGroup = typename PushSpace<RowWords, SetWords>::PushGroup;

  struct Info {
    float cost = 0;      // the negative log probability of the pushes on the way, if known
    float distance = 0;  // of the last node on the way that was evaluated
    uint16_t pushes = 0;
    bool is_expanded = false;
    bool is_evaluated = false;  // by the network
    bool is_dead_end = false;
  };
  struct Child {
    std::vector<PositionId> state;
    Push push;
    float score;
  };

  std::vector<size_t> sizes() const {
    std::vector<size_t> sizes;
    for (int object = 0; object < n_; ++object) sizes.push_back(classes_.index_of(object).size());
    return sizes;
  }

  NodeId pop_by_network() {
    while (!by_network_.empty()) {
      const NodeId node = by_network_.pop();
      if (!info_[node].is_evaluated) return node;
    }
    return kNoNode;
  }

  // The agent's position right after the push that led to a node.
  PositionId agent_at(NodeId node) const {
    if (store_.parent(node) == kNoNode) return problem_.initial_state()[0];
    const uint32_t label = store_.label(node);
    return classes_.index(0).neighbour(label >> 2, NodeStore::action_of(label));
  }

  void evaluate(NodeId node) {
    for (int object = 0; object < n_; ++object) {
      points_[object] = classes_.index_of(object).point(parent_[object]);
    }
    observer_.draw(points_.data(), run_.planes());
    run_.evaluate();
    network_work_ += run_.work();
    ++result_.evaluated;
    const Point agent = classes_.index(0).point(agent_at(node));
    info_[node].distance = run_.distance(observer_.cell(agent));
    info_[node].is_evaluated = true;
  }

  // The log probability of a push from the best of the positions that make it.
  float score(const PushGroup& group) const {
    float best = -INFINITY;
    space_.for_each_origin(group, [&](Point from) {
      best = std::max(best, run_.policy(observer_.cell(from))[group.action]);
    });
    return guidance_.sharpness * best;
  }

  // Adds the successors of a node. Returns whether one of them solves the puzzle.
  bool expand(NodeId node) {
    info_[node].is_expanded = true;
    store_.read(node, parent_.data());
    bool solved = false;
    for (const PushGroup& group : space_.find_push_groups(parent_.data())) {
      space_.for_each_push(parent_.data(), group, [&](const Push& push, const auto& after) {
        solved = solved || add_child(node, push, after, {.cost = INFINITY});
      });
      if (solved) return true;
    }
    return false;
  }

  // The same, with the probabilities that the network gives to the pushes.
  bool expand_by_network(NodeId node) {
    info_[node].is_expanded = true;
    store_.read(node, parent_.data());
    evaluate(node);
    children_.clear();
    float total = 0;
    for (const PushGroup& group : space_.find_push_groups(parent_.data())) {
      const float log_probability = score(group);
      space_.for_each_push(parent_.data(), group, [&](const Push& push, const auto& after) {
        children_.push_back({after, push, log_probability});
        total += std::exp(log_probability);
      });
    }
    const float uniform = guidance_.uniform / static_cast<float>(children_.size());
    for (const Child& child : children_) {
      const float probability =
          uniform + (1 - guidance_.uniform) * std::exp(child.score) / std::max(total, 1e-30f);
      const float cost = info_[node].cost - std::log(probability);
      if (add_child(node, child.push, child.state,
                    {.cost = cost, .distance = info_[node].distance})) {
        return true;
      }
    }
    return false;
  }

  // Adds the state after a push. Returns whether it solves the puzzle.
  bool add_child(NodeId parent, const Push& push, const std::vector<PositionId>& state, Info info) {
    ++result_.generated;
    push_work_ += kWorkOfPush;
    info.pushes = static_cast<uint16_t>(std::min(info_[parent].pushes + 1, int{UINT16_MAX}));
    const NodeId node = add(parent, push, state, info);
    if (node == kNoNode || !problem_.is_solved(state.data())) return false;
    solved_ = node;
    return true;
  }

  // Adds a state to the node store and to the open lists. Returns its node, or kNoNode if it is
  // not new.
  NodeId add(NodeId parent, const Push& push, const std::vector<PositionId>& state,
             const Info& info) {
    std::copy(state.begin(), state.end(), key_.begin());
    key_[0] = push.region;
    interchangeable_.canonicalize(key_.data());
    const uint32_t label = push.from << 2 | static_cast<uint32_t>(push.action);
    const NodeStore::Inserted inserted = store_.insert(key_.data(), parent, label);
    if (!inserted.is_new) {
      // It may come from an expansion without the network.
      Info& known = info_[inserted.node];
      if (known.is_evaluated || known.is_dead_end || known.cost <= info.cost) {
        return kNoNode;
      }
      known.cost = info.cost;
      known.distance = info.distance;
      enqueue_for_network(inserted.node);
      return kNoNode;
    }
    ++result_.states;
    info_.push_back(info);
    enqueue(inserted.node, state.data(), push);
    return inserted.node;
  }

  // Adds a new node to the open lists, unless it is a dead end.
  void enqueue(NodeId node, const PositionId* state, const Push& push) {
    const auto [distance, pushes, blockers] = problem_.estimate_pushes(state);
    Info& info = info_[node];
    info.is_dead_end = pushes >= kInfinity;
    if (info.is_dead_end) return;
    guard_.update_best(pushes);
    const int estimate = pushes + 2 * blockers;
    if (estimate < best_estimate_) {
      // The network continues where the other expansions make progress.
      best_estimate_ = estimate;
      if (!std::isfinite(info.cost)) info.cost = info.distance = 0;
    }
    if (std::isfinite(info.cost)) enqueue_for_network(node);
    PushEvaluation evaluation;
    evaluation[PushEvaluator::kNovelty] = novelty_.record(state, push.moved);
    evaluation[PushEvaluator::kGuidedCost] = info.pushes + 2 * estimate;
    evaluation[PushFeature::kDisplaced] = key_of(problem_.displaced(state));
    evaluation[PushFeature::kGoalFacts] = key_of(problem_.goal_facts(state));
    open_lists_.push(node, evaluation);
  }

  void enqueue_for_network(NodeId node) {
    const Info& info = info_[node];
    by_network_.push(info.cost + guidance_.distance_weight * info.distance, node);
  }

  const Guidance guidance_;
  LimitGuard& guard_;
  SearchResult& result_;
  const int n_;
  PushProblem<RowWords, SetWords> problem_;
  const ObjectClasses& classes_;
  PushSpace<RowWords, SetWords>& space_;
  InterchangeableObjects interchangeable_;
  NodeStore store_;
  PairNovelty novelty_;
  Observer observer_;
  NetworkRun run_;
  double network_work_ = 0, push_work_ = 0;  // so far
  int best_estimate_ = kInfinity;
  NodeId solved_ = kNoNode;
  std::pmr::vector<Info> info_;
  NodeHeap by_network_;
  AlternationOpenList open_lists_;
  std::vector<Child> children_;
  std::vector<PositionId> parent_, key_;
  std::vector<Point> points_;
};

}  // namespace

SearchResult solve_guided(const Dynamics& dynamics, Control& control, const Network& network,
                          const Frame& frame, const Guidance& guidance) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    return with_widths(dynamics.world(), [&]<int RowWords, int SetWords>() {
      return GuidedSearch<RowWords, SetWords>(dynamics, network, frame, guidance, guard).run();
    });
  });
  return guard.result();
}

}  // namespace pushworld
