#include "search/shorten/push_beam.h"

#include <algorithm>
#include <new>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/heuristics/pair_novelty.h"
#include "search/push/push_problem.h"
#include "search/shorten/plan_guide.h"
#include "util/hash.h"

namespace pushworld {
namespace {

template <int RowWords, int SetWords>
class Beam : public PushBeam {
 public:
  Beam(const Dynamics& dynamics, LimitGuard& guard)
      : guard_(guard),
        result_(guard.result()),
        actions_(dynamics, guard),
        problem_(dynamics, PushOptions{}, guard),
        space_(problem_.space()),
        classes_(problem_.classes()),
        n_(problem_.world().num_objects()),
        interchangeable_(problem_.world(), classes_),
        goal_distances_(problem_.world(), classes_, guard),
        parent_(n_),
        key_(n_),
        after_(n_) {}

  bool search(size_t width, BeamFeature feature, const std::vector<uint8_t>& plan) override {
    guide_.reset();
    feature_ = feature;
    still_ = kNoObject;
    repeats_ = width <= kMaxWidthToRepeat;
    return search(width, plan);
  }

  bool search_from_plan(size_t width, const std::vector<uint8_t>& plan, int free,
                        bool is_still) override {
    const size_t max_bytes = guard_.memory().limit() / 8;
    if (!PlanGuide::is_affordable(actions_, plan, max_bytes)) throw std::bad_alloc();
    guide_.emplace(actions_, interchangeable_, plan, free, guard_);
    feature_ = BeamFeature::kOffPlan;
    still_ = is_still ? free : kNoObject;
    repeats_ = false;
    return search(width, plan);
  }

 private:
  bool search(size_t width, const std::vector<uint8_t>& plan) {
    NodeStore store(classes_.sizes(), guard_);
    PairNovelty novelty(problem_.world(), classes_, guard_, guard_.memory().limit() / 8);
    std::pmr::vector<Info> infos(&guard_.memory());
    Layers layers(plan.size(), &guard_.memory());
    store_ = &store;
    novelty_ = &novelty;
    infos_ = &infos;
    layers_ = &layers;
    roots_.clear();
    plan_ = plan;
    if (guide_) {
      for (const PlanGuide::Entry& entry : guide_->entries()) add_root(entry.state, entry.cost);
    } else {
      std::vector<PositionId> initial = problem_.initial_state();
      interchangeable_.canonicalize(initial.data());
      add_root(initial, 0);
    }
    bool is_solved = false;
    for (uint32_t cost = 0; cost + 1 < layers.size(); ++cost) {
      Layer layer(&guard_.memory());
      layer.swap(layers[cost]);
      select(layer, cost, width);
      for (const NodeId node : layer) {
        const NodeId solved = expand(node);
        if (solved == kNoNode) continue;
        write_plan(solved);
        is_solved = true;
      }
    }
    return is_solved;
  }

  struct Info {
    uint32_t cost;       // the number of actions to it; kClosed if it is expanded or a dead end
    uint32_t rank : 31;  // the lowest is the most promising; kSolved if it solves the puzzle
    uint32_t is_novel : 1;
    uint64_t group;  // of nodes with equal features
  };
  using Layer = std::pmr::vector<NodeId>;
  using Layers = std::pmr::vector<Layer>;
  using Push = typename PushSpace<RowWords, SetWords>::Push;
  static constexpr uint32_t kClosed = UINT32_MAX;
  static constexpr uint32_t kSolved = 0;
  static constexpr uint32_t kRoot = 1;
  static constexpr int kMiddleRank = 1 << 30;
  // Wider beams take most of the time, and repeated pushes would make them half as wide.
  static constexpr size_t kMaxWidthToRepeat = 128;

  // A root is a state of the plan; its cost is the number of actions before it.
  struct Root {
    PositionId agent;
    uint32_t cost;
  };
  void add_root(const std::vector<PositionId>& state, uint32_t cost) {
    if (cost >= layers_->size()) return;  // the end of the plan
    std::copy(state.begin(), state.end(), key_.begin());
    key_[0] = space_.region_of(state.data());
    const auto label = static_cast<uint32_t>(roots_.size());
    const auto [node, is_new] = store_->insert(key_.data(), kNoNode, label);
    if (!is_new) return;
    roots_.push_back({state[0], cost});
    infos_->push_back({cost, kRoot, 1, 0});
    (*layers_)[cost].push_back(node);
  }

  // Keeps `width` nodes. Half of the places are for novel nodes, the most promising first. The rest
  // goes to the best of each group, then to the second best of each, and so on.
  void select(Layer& layer, uint32_t cost, size_t width) {
    std::pmr::vector<Info>& infos = *infos_;
    std::erase_if(layer, [&](NodeId node) { return infos[node].cost != cost; });
    if (layer.size() <= width) return;
    guard_.count_work(16 * layer.size());
    const auto by_rank = [&](NodeId a, NodeId b) {
      return infos[a].rank != infos[b].rank ? infos[a].rank < infos[b].rank : a < b;
    };
    const auto by_group = [&](NodeId a, NodeId b) {
      return infos[a].group != infos[b].group ? infos[a].group < infos[b].group : by_rank(a, b);
    };
    const auto novel_end = std::partition(layer.begin(), layer.end(),
                                          [&](NodeId node) { return infos[node].is_novel; });
    const auto rest =
        layer.begin() + std::min(static_cast<ptrdiff_t>(width / 2), novel_end - layer.begin());
    std::nth_element(layer.begin(), rest, novel_end, by_rank);
    std::sort(rest, layer.end(), by_group);
    uint64_t group = 0;
    uint64_t place = 0;
    for (auto next = rest; next != layer.end(); ++next) {
      Info& info = infos[*next];
      place = next != rest && info.group == group ? place + 1 : 0;
      group = std::exchange(info.group, place);
    }
    const auto end = layer.begin() + static_cast<ptrdiff_t>(width);
    std::nth_element(rest, end, layer.end(), by_group);
    layer.erase(end, layer.end());
    std::sort(layer.begin(), layer.end());
  }

  // Returns a node that solves the puzzle with fewer actions than any before, or kNoNode.
  NodeId expand(NodeId node) {
    guard_.count_expansion();
    store_->read(node, parent_.data());
    parent_[0] = agent_at(node);
    const uint32_t cost = std::exchange((*infos_)[node].cost, kClosed);
    const auto& groups = space_.find_push_groups(parent_.data());
    space_.measure_walks(parent_[0], walks_);
    if (guide_) {
      guide_->enter(parent_.data());
    } else {
      problem_.enter(parent_.data());
    }
    const PositionIndex& agent = classes_.index(0);
    const auto walk = [&](int x, int y) { return walks_[agent.id_unchecked(x, y)]; };
    NodeId solved = kNoNode;
    for (const auto& group : groups) {
      if (still_ != kNoObject && group.moved[still_]) continue;
      space_.for_each_push(parent_.data(), group, walk, [&](const Push& push, const auto& after) {
        ++result_.generated;
        const NodeId child = reach(node, push, after, cost + walks_[push.from] + 1);
        if (child != kNoNode) solved = child;
        if (repeats_ && reached_ != kNoNode) reached_nodes_.push_back(reached_);
      });
    }
    for (const NodeId child : reached_nodes_) {
      const NodeId end = repeat(child);
      if (end != kNoNode) solved = end;
    }
    reached_nodes_.clear();
    return solved;
  }

  // Repeats the push that led to a node as long as it moves something and reaches new states. So a
  // sweep that pays off at its end does not depend on how promising its middle is. Returns as
  // `expand` does.
  NodeId repeat(NodeId node) {
    NodeId solved = kNoNode;
    const int action = NodeStore::action_of(store_->label(node));
    for (uint32_t cost = (*infos_)[node].cost + 1; node != kNoNode; ++cost) {
      store_->read(node, parent_.data());
      parent_[0] = agent_at(node);
      actions_.enter(parent_.data());
      const auto moving = actions_.successor(action, after_.data());
      if (moving.size() < 2) break;
      Push push{action, parent_[0], space_.region_of(after_.data()), {}};
      for (const uint16_t object : moving.subspan(1)) push.moved.set(object);
      problem_.enter(parent_.data());
      ++result_.generated;
      const NodeId child = reach(node, push, after_, cost);
      if (child != kNoNode) solved = child;
      node = reached_;
    }
    return solved;
  }

  // Records a path to the state after a push. Returns its node if it solves the puzzle.
  NodeId reach(NodeId parent, const Push& push, const std::vector<PositionId>& after,
               uint32_t cost) {
    reached_ = kNoNode;
    if (cost + goal_distances_.largest(after.data()) >= layers_->size()) return kNoNode;
    std::copy(after.begin(), after.end(), key_.begin());
    key_[0] = push.region;
    interchangeable_.canonicalize(key_.data());
    const uint32_t label = push.from << 2 | static_cast<uint32_t>(push.action);
    const auto [node, is_new] = store_->insert(key_.data(), parent, label);
    if (is_new) {
      ++result_.states;
      infos_->push_back(evaluate(after.data(), push, cost));
      if (infos_->back().cost == kClosed) return kNoNode;
    } else {
      Info& info = (*infos_)[node];
      if (info.cost == kClosed || info.cost <= cost) return kNoNode;
      info.cost = cost;
      store_->set_parent(node, parent, label);
    }
    if ((*infos_)[node].rank == kSolved) {
      layers_->resize(cost);
      return node;
    }
    (*layers_)[cost].push_back(node);
    reached_ = node;
    return kNoNode;
  }

  Info evaluate(const PositionId* state, const Push& push, uint32_t cost) {
    if (problem_.is_solved(state)) return {cost, kSolved, 0, 0};
    ++result_.evaluated;
    if (guide_) {
      key_[0] = state[0];
      const PlanGuide::Rating rating = guide_->rate(key_.data());
      const bool is_novel = novelty_->record(state, push.moved) <= PairNovelty::kNewOffset;
      return {cost, static_cast<uint32_t>(kMiddleRank - rating.lead), is_novel, rating.off_plan};
    }
    const auto estimate = problem_.estimate_after_push(state, push.moved, false);
    if (estimate.pushes >= kInfinity) return {kClosed, 0, 0, 0};
    const int rank = 1 + estimate.pushes + 2 * estimate.blockers;
    const bool is_novel = novelty_->record(state, push.moved) <= PairNovelty::kNewOffset;
    return {cost, static_cast<uint32_t>(rank), is_novel, group_of(state, push)};
  }

  uint64_t group_of(const PositionId* state, const Push& push) const {
    if (feature_ == BeamFeature::kDisplaced) return hash_of(problem_.displaced(state));
    return combine(hash_of(problem_.goal_facts(state)), hash_of(push.moved));
  }

  PositionId agent_at(NodeId node) const {
    const uint32_t label = store_->label(node);
    if (store_->parent(node) == kNoNode) return roots_[label].agent;
    return classes_.index(0).neighbour(label >> 2, NodeStore::action_of(label));
  }

  void write_plan(NodeId solved) {
    const std::vector<NodeId> path = store_->path_to(solved);
    const uint32_t before = roots_[store_->label(path[0])].cost;
    std::vector<uint8_t> plan(plan_.begin(), plan_.begin() + before);
    for (size_t i = 1; i < path.size(); ++i) {
      store_->read(path[i - 1], parent_.data());
      const uint32_t label = store_->label(path[i]);
      space_.append_walk(parent_.data(), agent_at(path[i - 1]), label >> 2, plan);
      plan.push_back(static_cast<uint8_t>(NodeStore::action_of(label)));
    }
    result_.plan = std::move(plan);
    guard_.control().offer_plan(result_.plan);
  }

  LimitGuard& guard_;
  SearchResult& result_;
  ActionSpace actions_;
  PushProblem<RowWords, SetWords> problem_;
  PushSpace<RowWords, SetWords>& space_;
  const ObjectClasses& classes_;
  const int n_;
  InterchangeableObjects interchangeable_;
  const GoalDistances goal_distances_;
  // Of the search that runs:
  BeamFeature feature_ = BeamFeature::kDisplaced;
  int still_ = kNoObject;      // does not move
  std::vector<uint8_t> plan_;  // the best when it began
  std::vector<Root> roots_;
  std::optional<PlanGuide> guide_;
  NodeStore* store_ = nullptr;
  PairNovelty* novelty_ = nullptr;
  std::pmr::vector<Info>* infos_ = nullptr;
  Layers* layers_ = nullptr;
  bool repeats_ = false;
  NodeId reached_ = kNoNode;  // by the last push, if that is the shortest way and it is open
  std::vector<NodeId> reached_nodes_;
  std::vector<PositionId> parent_, key_, after_;
  std::vector<uint32_t> walks_;
};

}  // namespace

std::unique_ptr<PushBeam> make_push_beam(const Dynamics& dynamics, LimitGuard& guard) {
  return with_widths(dynamics.world(),
                     [&]<int RowWords, int SetWords>() -> std::unique_ptr<PushBeam> {
                       return std::make_unique<Beam<RowWords, SetWords>>(dynamics, guard);
                     });
}

}  // namespace pushworld
