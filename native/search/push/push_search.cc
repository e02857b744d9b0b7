#include "search/push/push_search.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "search/heuristics/pair_novelty.h"
#include "search/push/alternation_open_list.h"
#include "search/push/commitment.h"
#include "search/push/node_info.h"
#include "search/push/push_problem.h"
#include "util/hash.h"

namespace pushworld {
namespace {

// A node is a state right after a push, up to walks of the agent and interchangeable objects,
// together with its carried set (see commitment.h).
template <int RowWords, int SetWords>
class Search : public PushSearch {
 public:
  Search(std::shared_ptr<PushProblem<RowWords, SetWords>> problem, const Strategy& strategy,
         uint64_t seed, LimitGuard& guard, size_t max_novelty_bytes)
      : problem_(std::move(problem)),
        space_(problem_->space()),
        classes_(problem_->classes()),
        n_(problem_->world().num_objects()),
        all_objects_(objects_from<SetWords>(0, n_)),
        needs_distance_(strategy.needs_distance()),
        needs_affordances_(strategy.needs_affordances()),
        remaining_weight_(static_cast<int>(strategy.options.remaining_weight)),
        blocker_weight_(static_cast<int>(strategy.options.blocker_weight)),
        noise_(strategy.options.noise),
        commitment_(strategy.commitment, all_objects_, guard.memory()),
        seed_(seed),
        guard_(guard),
        result_(guard.result()),
        pushes_between_checks_(std::clamp(kWorkBetweenChecks / (n_ * num_goals()), 1, 64)),
        interchangeable_(problem_->world(), classes_),
        store_(sizes_of_key(), guard, kNoLabels),
        novelty_(problem_->world(), classes_, guard, max_novelty_bytes),
        open_lists_(strategy.open_lists, guard.memory()),
        info_(guard.memory()),
        parent_(n_ + 1),
        packed_parent_(store_.packed_size()),
        key_(n_ + 1),
        batch_(kBatch) {
    for (FeatureId id = 0; id < uses_.size(); ++id) uses_[id] = strategy.uses(id);
    for (Child& child : batch_) {
      child.state.resize(n_);
      child.packed.resize(store_.packed_size());
    }
  }

  Outcome advance(uint64_t pushes) override {
    if (store_.size() == 0) {
      guard_.check();
      const Status status = begin();
      if (status != Status::kUnknown) return {status};
    }
    for (const uint64_t end = result_.generated + pushes; result_.generated < end;) {
      const AlternationOpenList::Next next = open_lists_.pop();
      if (next.node == kNoNode) return {Status::kUnsolvable};
      if (!next.was_postponed && info_.is_closed(next.node)) continue;
      guard_.count_expansion();
      if (!expand(next.node, next.was_postponed)) continue;
      return {Status::kSolved, space_.plan_to(store_, solved_, interchangeable_)};
    }
    return {};
  }

 private:
  using PushGroup = typename PushSpace<RowWords, SetWords>::PushGroup;
  using Set = ObjectSet<SetWords>;
  using Affordances = pushworld::Affordances<SetWords>;
  using Push = typename PushSpace<RowWords, SetWords>::Push;

  // The time per push grows with the number of objects and with the number of goals.
  static constexpr int kWorkBetweenChecks = 1 << 14;
  int num_goals() const { return std::max(1, problem_->world().num_goals()); }

  // A key consists of the agent's region, the positions of the movables, and the id of the carried
  // set.
  std::vector<size_t> sizes_of_key() const {
    std::vector<size_t> sizes = classes_.sizes();
    sizes.push_back(commitment_.max_carried_sets());
    return sizes;
  }

  static constexpr int kNoLabels = 0;  // the plan is found without them

  // The children of a node are added in batches: while those of a batch are generated, the system
  // fetches their entries of the hash table.
  static constexpr size_t kBatch = 16;
  struct Child {
    std::vector<PositionId> state;
    Push push;
    PositionId carried;  // the id of the carried set
    bool is_renamed;     // in its canonical form
    uint64_t hash;
    std::vector<uint64_t> packed;  // the key
  };

  // Adds the initial state. Returns kUnknown if a search is necessary.
  Status begin() {
    const std::vector<PositionId>& initial = problem_->initial_state();
    if (problem_->is_solved(initial.data())) {
      return problem_->world().num_goals() > 0 ? Status::kSolved : Status::kUnsolvable;
    }
    const PositionId region = space_.region_of(initial.data());
    problem_->enter(initial.data());
    std::copy(initial.begin(), initial.end(), parent_.begin());
    parent_[0] = region;
    store_.pack(parent_.data(), packed_parent_.data());
    put_into_batch({0, initial[0], region, all_objects_}, initial);
    add_batch(kNoNode, 0, {});
    return Status::kUnknown;
  }

  // Expands a node, partially if it is in transit. Returns whether a push solves the puzzle.
  bool expand(NodeId node, bool was_postponed) {
    info_.close(node);
    store_.read(node, parent_.data());
    const PositionId carried_id = std::exchange(parent_[n_], 0);
    const uint64_t hash = store_.pack(parent_.data(), packed_parent_.data());
    // A node for the same state without a carried set covers all pushes.
    if (carried_id != 0 && store_.find(packed_parent_.data(), hash) != kNoNode) return false;
    const auto& groups = space_.find_push_groups(parent_.data());
    problem_->enter(parent_.data());
    Set carried = commitment_.carried(carried_id);
    Affordances affordances;
    if (needs_affordances_) {
      const auto estimate = problem_->estimate_pushes(parent_.data());
      affordances.goal_facts = problem_->goal_facts(parent_.data());
      affordances.blockers = estimate.blockers;
      for (const PushGroup& group : groups) affordances.movable[group.action] |= group.moved;
      if (carried.any()) {
        const Affordances& before = commitment_.affordances(info_.affordances_before(node));
        if (was_postponed || affordances.are_better_than(before, carried)) {
          node = arrive(node, hash);
          carried = {};
        } else {
          affordances.add(before);
          open_lists_.postpone(node, info_.novelty(node),
                               guided_cost(estimate, info_.pushes(node), node));
        }
      }
    }
    const Set wanted = carried.any() ? carried : all_objects_;
    const int pushes = info_.pushes(node) + 1;
    affordances_id_.reset();
    bool solved = false;
    for (const PushGroup& group : groups) {
      if (!(group.moved & wanted).any()) continue;
      space_.for_each_push(parent_.data(), group, [&](const Push& push, const auto& after) {
        if (solved) return;
        put_into_batch(push, after);
        if (batch_size_ == kBatch) solved = add_batch(node, pushes, affordances);
      });
      if (solved) return true;
    }
    return add_batch(node, pushes, affordances);
  }

  void put_into_batch(const Push& push, const std::vector<PositionId>& state) {
    Child& child = batch_[batch_size_++];
    std::copy(state.begin(), state.end(), child.state.begin());
    child.push = push;
    std::copy(state.begin(), state.end(), key_.begin());
    key_[0] = push.region;
    child.is_renamed = interchangeable_.canonicalize(key_.data());
    child.carried = key_[n_] = commitment_.carried_id(push.moved, interchangeable_);
    uint64_t* const packed = child.packed.data();
    if (child.is_renamed) {
      child.hash = store_.pack(key_.data(), packed);
    } else {
      std::copy(packed_parent_.begin(), packed_parent_.end(), packed);
      const auto change = [&](int i) { store_.change(packed, i, parent_[i], key_[i]); };
      push.moved.for_each(change);
      change(0);
      change(n_);
      child.hash = store_.hash(packed);
    }
    store_.prefetch(child.hash);
  }

  // Adds the states of the batch, until one solves the puzzle. Returns whether one does.
  bool add_batch(NodeId parent, int pushes, const Affordances& affordances) {
    const size_t size = std::exchange(batch_size_, 0);
    for (size_t i = 0; i < size; ++i) {
      const Child& child = batch_[i];
      if (parent != kNoNode) {
        ++result_.generated;
        if (++pushes_ % pushes_between_checks_ == 0) guard_.check();
      }
      const NodeId node = add_state(parent, child, pushes, affordances);
      if (node == kNoNode || !problem_->is_solved(child.state.data())) continue;
      solved_ = node;
      return true;
    }
    return false;
  }

  // Adds a node for the state of a node without its carried set. There is none yet.
  NodeId arrive(NodeId node, uint64_t hash) {
    const NodeId parent = store_.parent(node);
    const NodeId arrived = store_.insert(packed_parent_.data(), hash, parent, 0).node;
    info_.add(info_.novelty(node), info_.pushes(node), 0);
    info_.close(arrived);
    return arrived;
  }

  // Adds a state to the node store and to the open lists. Returns its node, or kNoNode if it is not
  // new.
  NodeId add_state(NodeId parent, const Child& child, int pushes, const Affordances& affordances) {
    const NodeStore::Inserted inserted = store_.insert(child.packed.data(), child.hash, parent, 0);
    if (!inserted.is_new) return kNoNode;
    ++result_.states;
    info_.add(PairNovelty::kNotNovel, pushes,
              child.carried == 0 ? 0 : affordances_id(child, affordances));
    if (!problem_->is_solved(child.state.data())) {
      enqueue(inserted.node, child.state.data(), child.push.moved, pushes, affordances);
    }
    return inserted.node;
  }

  // The same for all children of a node, but those whose objects are renamed.
  uint32_t affordances_id(const Child& child, const Affordances& affordances) {
    if (child.is_renamed) {
      std::copy(child.state.begin(), child.state.end(), key_.begin());
      interchangeable_.canonicalize(key_.data());
      return commitment_.affordances_id(affordances, interchangeable_);
    }
    if (!affordances_id_) affordances_id_ = commitment_.affordances_id(affordances);
    return *affordances_id_;
  }

  void enqueue(NodeId node, const PositionId* state, const Set& moved, int pushes,
               const Affordances& affordances) {
    ++result_.evaluated;
    const auto estimate = problem_->estimate_after_push(state, moved, needs_distance_);
    if (estimate.pushes >= kInfinity) return;
    if (!problem_->clears_a_way()) guard_.update_best(estimate.pushes);
    const auto novelty = novelty_.record(state, moved);
    info_.set_novelty(node, novelty);
    PushEvaluation evaluation;
    const auto value = [](int each) { return static_cast<uint32_t>(each); };
    const PushedState pushed = {problem_->world(),
                                classes_,
                                state,
                                value(pushes),
                                value(estimate.pushes),
                                value(estimate.blockers),
                                value(estimate.distance),
                                novelty,
                                value(guided_cost(estimate, pushes, node))};
    for (EvaluatorId id = 0; id < kPushEvaluators.size(); ++id) {
      evaluation.values[id] = kPushEvaluators[id].value(pushed);
    }
    const FeatureState sets = {*problem_, state, moved, affordances};
    std::apply(
        [&](const auto&... feature) {
          FeatureId id = 0;
          const auto set = [&](const auto& each) {
            if (uses_[id]) evaluation.features[id] = each.value(sets);
            ++id;
          };
          (set(feature), ...);
        },
        kPushFeatures);
    open_lists_.push(node, evaluation);
  }

  // What features know about a state (push_features.h).
  struct FeatureState {
    const PushProblem<RowWords, SetWords>& problem;
    const PositionId* positions;
    const Set& moved;
    const Affordances& affordances;
  };

  int guided_cost(const typename PushProblem<RowWords, SetWords>::Estimate& estimate, int pushes,
                  NodeId node) const {
    return pushes + noise(node) + remaining_weight_ * estimate.pushes +
           blocker_weight_ * estimate.blockers;
  }

  // With a seed other than 0, shuffles states of similar cost.
  int noise(NodeId node) const {
    if (seed_ == 0) return 0;
    return static_cast<int>((mix(seed_ ^ uint64_t{node} << 32) >> 32) * (noise_ + 1) >> 32);
  }

  const std::shared_ptr<PushProblem<RowWords, SetWords>> problem_;
  PushSpace<RowWords, SetWords>& space_;
  const ObjectClasses& classes_;
  const int n_;
  const Set all_objects_;
  std::array<bool, kPushFeatureInfos.size()> uses_;  // the feature
  const bool needs_distance_, needs_affordances_;
  const int remaining_weight_, blocker_weight_;
  const uint64_t noise_;
  CommitmentTable<SetWords> commitment_;
  const uint64_t seed_;
  LimitGuard& guard_;
  SearchResult& result_;
  const uint64_t pushes_between_checks_;
  uint64_t pushes_ = 0;  // generated
  InterchangeableObjects interchangeable_;
  NodeStore store_;
  PairNovelty novelty_;
  AlternationOpenList open_lists_;
  NodeInfo info_;
  std::vector<PositionId> parent_;  // the node that is being expanded, without its carried set
  std::vector<uint64_t> packed_parent_;
  std::vector<PositionId> key_;
  std::vector<Child> batch_;
  size_t batch_size_ = 0;
  NodeId solved_ = kNoNode;
  std::optional<uint32_t> affordances_id_;  // of the node that is being expanded, if known
};

template <int RowWords, int SetWords>
PushSearches make_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                           size_t sharing, uint64_t seed, LimitGuard& guard, const BitGrid* way) {
  using Problem = PushProblem<RowWords, SetWords>;
  std::vector<std::shared_ptr<Problem>> problems;
  const size_t max_novelty_bytes = std::min(size_t{1} << 28, guard.memory().limit() / sharing / 3);
  PushSearches searches;
  try {
    for (const Strategy& strategy : strategies) {
      const auto known = std::find_if(problems.begin(), problems.end(), [&](const auto& problem) {
        return problem->options() == strategy.options;
      });
      const auto problem = known != problems.end()
                               ? *known
                               : problems.emplace_back(std::make_shared<Problem>(
                                     dynamics, strategy.options, guard, way));
      searches.push_back(std::make_unique<Search<RowWords, SetWords>>(problem, strategy, seed,
                                                                      guard, max_novelty_bytes));
    }
  } catch (const std::bad_alloc&) {
    // There is no memory for the other strategies.
  }
  return searches;
}

}  // namespace

PushSearches make_plain_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                 size_t sharing, uint64_t seed, LimitGuard& guard,
                                 const BitGrid* way) {
  return with_widths(dynamics.world(), [&]<int RowWords, int SetWords>() {
    return make_searches<RowWords, SetWords>(dynamics, strategies, sharing, seed, guard, way);
  });
}

}  // namespace pushworld
