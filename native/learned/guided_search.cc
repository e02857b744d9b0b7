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
#include "search/core/position_index.h"
#include "search/heuristics/pair_novelty.h"
#include "search/push/push_space.h"

namespace pushworld {
namespace {

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

// A node is a state right after a push, up to walks of the agent and interchangeable objects.
template <int RowWords, int SetWords>
class GuidedSearch {
 public:
  GuidedSearch(const Dynamics& dynamics, const Network& network, const Frame& frame,
               const Guidance& guidance, LimitGuard& guard)
      : world_(dynamics.world()),
        guidance_(guidance),
        guard_(guard),
        result_(guard.result()),
        n_(world_.num_objects()),
        classes_(world_, guard),
        space_(dynamics, classes_, guard),
        interchangeable_(world_, classes_),
        store_(sizes(), guard),
        novelty_(world_, classes_, guard, guard.memory().limit() / 8),
        observer_(world_, frame),
        run_(network, frame.height, frame.width, guard),
        info_(&guard.memory()),
        by_cost_(guard.memory()),
        by_novelty_(guard.memory()),
        parent_(n_),
        after_(n_),
        key_(n_),
        points_(n_) {
    for (int goal = 0; goal < world_.num_goals(); ++goal) {
      goals_.push_back(classes_.index_of(goal + 1).id(world_.goals()[goal]));
    }
  }

  Status run() {
    guard_.check();
    const std::vector<PositionId> initial = space_.initial_state();
    if (is_solved(initial.data())) {
      return goals_.empty() ? Status::kUnsolvable : Status::kSolved;
    }
    std::copy(initial.begin(), initial.end(), after_.begin());
    add(kNoNode, {0, initial[0], space_.region_of(initial.data()), objects_from<SetWords>(0, n_)},
        {0, 0, false});
    for (uint64_t turn = 1; !by_cost_.empty() || !by_novelty_.empty(); ++turn) {
      const bool novel = guidance_.novelty_share > 0 && turn % guidance_.novelty_share == 0;
      NodeHeap& heap = (novel && !by_novelty_.empty()) || by_cost_.empty() ? by_novelty_ : by_cost_;
      const NodeId node = heap.pop();
      if (info_[node].is_closed) continue;
      guard_.count_expansion();
      if (expand(node)) return Status::kSolved;
    }
    return Status::kUnsolvable;
  }

 private:
  using Set = ObjectSet<SetWords>;
  using Push = typename PushSpace<RowWords, SetWords>::Push;
  using PushGroup = typename PushSpace<RowWords, SetWords>::PushGroup;

  struct Info {
    float cost;      // the negative log probability of the pushes on the way
    float distance;  // of the last node on the way that was evaluated
    bool is_closed;
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

  bool is_solved(const PositionId* state) const {
    return std::equal(goals_.begin(), goals_.end(), state + 1);
  }

  // The agent's position right after the push that led to a node.
  PositionId agent_at(NodeId node) const {
    if (store_.parent(node) == kNoNode) return space_.initial_state()[0];
    const uint32_t label = store_.label(node);
    return classes_.index(0).neighbour(label >> 2, NodeStore::action_of(label));
  }

  void evaluate(NodeId node) {
    for (int object = 0; object < n_; ++object) {
      points_[object] = classes_.index_of(object).point(parent_[object]);
    }
    observer_.draw(points_.data(), run_.planes());
    run_.evaluate();
    ++result_.evaluated;
    const Point agent = classes_.index(0).point(agent_at(node));
    info_[node].distance = run_.distance(observer_.cell(agent));
    if (info_[node].distance >= 0) guard_.update_best(static_cast<int>(info_[node].distance));
  }

  // The log probability of a push from the best of the positions that make it.
  float score(const PushGroup& group) const {
    float best = -INFINITY;
    space_.for_each_origin(group, [&](Point from) {
      best = std::max(best, run_.policy(observer_.cell(from))[group.action]);
    });
    return guidance_.sharpness * best;
  }

  // Evaluates a node and adds its successors. Returns whether one of them solves the puzzle.
  bool expand(NodeId node) {
    info_[node].is_closed = true;
    store_.read(node, parent_.data());
    evaluate(node);
    children_.clear();
    for (const PushGroup& group : space_.find_push_groups(parent_.data())) {
      const float log_probability = score(group);
      space_.for_each_push(parent_.data(), group, [&](const Push& push, const auto& after) {
        ++result_.generated;
        children_.push_back({after, push, log_probability});
      });
    }
    float total = 0;
    for (const Child& child : children_) total += std::exp(child.score);
    const float uniform = guidance_.uniform / static_cast<float>(children_.size());
    for (const Child& child : children_) {
      const float probability =
          uniform + (1 - guidance_.uniform) * std::exp(child.score) / std::max(total, 1e-30f);
      const Info info{info_[node].cost - std::log(probability), info_[node].distance, false};
      std::copy(child.state.begin(), child.state.end(), after_.begin());
      const NodeId last = add(node, child.push, info);
      if (last == kNoNode) continue;
      if (solves(last)) return true;
      if (guidance_.repeat_cost >= 0 && repeat(last, child.push, info)) return true;
    }
    return false;
  }

  // Whether the state in `after_` is a goal; then writes the plan.
  bool solves(NodeId node) {
    if (!is_solved(after_.data())) return false;
    result_.plan = space_.plan_to(store_, node);
    return true;
  }

  // Adds the states of further pushes in the same direction that move the same objects, without
  // evaluations between them. Returns whether one of them solves the puzzle.
  bool repeat(NodeId node, const Push& first, Info info) {
    while (push_again(first)) {
      info.cost += guidance_.repeat_cost;
      node = add(node, again_, info);
      if (node == kNoNode) return false;
      if (solves(node)) return true;
    }
    return false;
  }

  // Pushes once more from where the agent is in `after_`, if the same objects move. Returns whether
  // they do; then sets `again_`.
  bool push_again(const Push& first) {
    parent_ = after_;
    const Point agent = classes_.index(0).point(parent_[0]);
    for (const PushGroup& group : space_.find_push_groups(parent_.data())) {
      if (group.action != first.action || !(group.moved == first.moved)) continue;
      bool is_here = false;
      space_.for_each_origin(group, [&](Point from) { is_here |= from == agent; });
      if (!is_here) continue;
      bool is_done = false;
      space_.for_each_push(parent_.data(), group, [&](const Push& push, const auto& after) {
        if (is_done) return;
        ++result_.generated;
        again_ = push;
        after_ = after;
        is_done = true;
      });
      return true;
    }
    return false;
  }

  // Adds the state in `after_`. Returns its node, or kNoNode if it is not new.
  NodeId add(NodeId parent, const Push& push, const Info& info) {
    std::copy(after_.begin(), after_.end(), key_.begin());
    key_[0] = push.region;
    interchangeable_.canonicalize(key_.data());
    const uint32_t label = push.from << 2 | static_cast<uint32_t>(push.action);
    const NodeStore::Inserted inserted = store_.insert(key_.data(), parent, label);
    if (!inserted.is_new) return kNoNode;
    ++result_.states;
    info_.push_back(info);
    const float cost = info.cost + guidance_.distance_weight * info.distance;
    by_cost_.push(cost, inserted.node);
    if (guidance_.novelty_share > 0) {
      const int novelty = novelty_.record(after_.data(), push.moved);
      if (novelty != PairNovelty::kNotNovel) {
        by_novelty_.push(static_cast<float>(novelty) * 1e4f + cost, inserted.node);
      }
    }
    return inserted.node;
  }

  const World& world_;
  const Guidance guidance_;
  LimitGuard& guard_;
  SearchResult& result_;
  const int n_;
  ObjectClasses classes_;
  PushSpace<RowWords, SetWords> space_;
  InterchangeableObjects interchangeable_;
  NodeStore store_;
  PairNovelty novelty_;
  Observer observer_;
  NetworkRun run_;
  std::pmr::vector<Info> info_;
  NodeHeap by_cost_, by_novelty_;
  std::vector<Child> children_;
  Push again_{};
  std::vector<PositionId> goals_, parent_, after_, key_;
  std::vector<Point> points_;
};

template <int RowWords, int SetWords>
Status run_search(const Dynamics& dynamics, const Network& network, const Frame& frame,
                  const Guidance& guidance, LimitGuard& guard) {
  return GuidedSearch<RowWords, SetWords>(dynamics, network, frame, guidance, guard).run();
}

}  // namespace

SearchResult solve_guided(const Dynamics& dynamics, Control& control, const Network& network,
                          const Frame& frame, const Guidance& guidance) {
  LimitGuard guard(control);
  guard.result().status = guard.run([&] {
    const int width = dynamics.world().width();
    const bool few = dynamics.world().num_objects() <= kFewObjects;
    if (few && width <= 64) return run_search<1, 1>(dynamics, network, frame, guidance, guard);
    if (few && width <= 256) return run_search<4, 1>(dynamics, network, frame, guidance, guard);
    if (width <= 64) return run_search<1, kManyWords>(dynamics, network, frame, guidance, guard);
    return run_search<16, kManyWords>(dynamics, network, frame, guidance, guard);
  });
  return guard.result();
}

}  // namespace pushworld
