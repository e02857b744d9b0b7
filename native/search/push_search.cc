#include "search/push_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "search/action_space.h"
#include "search/cell_list.h"
#include "search/hash.h"
#include "search/node_store.h"
#include "search/novelty.h"
#include "search/open_list.h"
#include "search/position_index.h"
#include "search/push_guide.h"
#include "search/push_space.h"
#include "search/rgd.h"
#include "search/watch.h"

namespace pushworld {
namespace {

template <int Words>
class PushSearch {
 public:
  PushSearch(const Dynamics& dynamics, const std::vector<PushOrder>& orders, uint64_t seed,
             Control& control)
      : world_(dynamics.world()),
        n_(world_.num_objects()),
        classes_(world_),
        space_(dynamics, classes_),
        distance_(dynamics, classes_, kMaxTools),
        sizes_(position_counts()),
        store_(sizes_),
        novelty_(world_, classes_),
        seed_(seed),
        orders_(orders),
        lists_(orders.size()),
        cells_(orders.size()),
        watch_(
            control, result_, [this] { return bytes(); }, [this] { return bytes_ahead(); }),
        parent_(n_),
        child_(n_),
        key_(n_) {
    if (PushGuide<Words>::is_affordable(classes_)) guide_.emplace(dynamics, classes_, distance_);
    for (int object = world_.num_goals() + 1; object < n_; ++object) {
      const auto same = std::find_if(twins_.begin(), twins_.end(), [&](const auto& group) {
        return classes_.of(group[0]) == classes_.of(object);
      });
      if (same == twins_.end()) {
        twins_.push_back({object});
      } else {
        same->push_back(object);
      }
    }
    std::erase_if(twins_, [](const auto& group) { return group.size() < 2; });
  }

  SearchResult run() {
    distance_.set_on_work([this] { watch_.look(); });
    try {
      watch_.look();
      search();
    } catch (const SearchStopped&) {
      return result_;
    }
    watch_.finish();
    return result_;
  }

 private:
  using Push = typename PushSpace<Words>::Push;

  // Chains of more tools take long to evaluate and seldom matter; that no short chain exists does
  // not prove a dead end.
  static constexpr int kMaxTools = 2;
  static constexpr int kManyTools = 500;

  std::vector<size_t> position_counts() const {
    std::vector<size_t> sizes;
    for (int object = 0; object < n_; ++object) sizes.push_back(classes_.index_of(object).size());
    return sizes;
  }

  void search() {
    initial_ = space_.initial_state();
    start_ = initial_[0];
    if (goals_left(initial_.data()) == 0) {
      result_.status = world_.num_goals() > 0 ? Status::kSolved : Status::kUnsolvable;
      return;
    }
    std::copy(initial_.begin(), initial_.end(), child_.begin());
    const PositionId region = space_.region_of(initial_.data());
    add_state(kNoNode, 0, region, (uint64_t{2} << (n_ - 1)) - 1, 0);
    for (NodeId node = next_node(); node != kNoNode; node = next_node()) {
      watch_.count_expansion();
      if (expand(node)) return;
    }
    result_.status = Status::kUnsolvable;
  }

  // Returns whether a push solves the puzzle.
  bool expand(NodeId node) {
    closed_[node] = true;
    store_.read(node, parent_.data());
    bool solved = false;
    space_.for_each_push(parent_.data(), [&](const Push& push) {
      if (solved) return;
      if ((++result_.generated & 63) == 0) watch_.look();
      for (int object = 1; object < n_; ++object) {
        child_[object] = push.moved >> object & 1
                             ? classes_.index_of(object).neighbour(parent_[object], push.action)
                             : parent_[object];
      }
      child_[0] = push.to;
      const NodeId child = add_state(node, push.from << 2 | static_cast<uint32_t>(push.action),
                                     push.region, push.moved, pushes_[node] + 1);
      if (child == kNoNode || goals_left(child_.data()) > 0) return;
      solved = true;
      write_plan(child);
    });
    return solved;
  }

  // Puts `child_` on the open lists if it is new; returns its node then.
  NodeId add_state(NodeId parent, uint32_t label, PositionId region, uint64_t moved, int pushes) {
    std::copy(child_.begin(), child_.end(), key_.begin());
    key_[0] = region;
    sort_twins(key_.data());
    const NodeStore::Inserted inserted = store_.insert(key_.data(), parent, label);
    if (!inserted.is_new) return kNoNode;
    const NodeId node = inserted.node;
    result_.states = store_.size();
    closed_.push_back(false);
    pushes_.push_back(static_cast<uint16_t>(std::min(pushes, int{UINT16_MAX})));
    if (goals_left(child_.data()) > 0) enqueue(node, moved, pushes);
    return node;
  }

  void enqueue(NodeId node, uint64_t moved, int pushes) {
    ++result_.evaluated;
    const int distance = std::min(distance_(child_.data()), kManyTools);
    typename PushGuide<Words>::Estimate estimate{distance, 0};
    if (guide_) estimate = (*guide_)(child_.data());
    if (estimate.pushes >= kInfinity) return;
    watch_.note(estimate.pushes);
    const uint64_t novelty = novelty_.record(child_.data(), moved);
    const int so_far = pushes + noise(node);
    const uint32_t guided =
        static_cast<uint32_t>(so_far + 2 * estimate.pushes + 4 * estimate.blockers);
    for (size_t k = 0; k < orders_.size(); ++k) {
      switch (orders_[k]) {
        case PushOrder::kDistanceBands:
          lists_[k].push(novelty << 32 | static_cast<uint32_t>(so_far + 2 * distance), node);
          break;
        case PushOrder::kGreedyDistanceBands:
          lists_[k].push(novelty << 32 | static_cast<uint32_t>(distance), node);
          break;
        case PushOrder::kDisplacedCells:
          cells_[k].push(displaced(), guided, node);
          break;
        case PushOrder::kGoalCells:
          cells_[k].push(goal_facts(), guided, node);
          break;
        case PushOrder::kNovelGoalCells:
          cells_[k].push(goal_facts(), novelty << 32 | guided, node);
          break;
      }
    }
  }

  // Seeds other than 0 shuffle states of about the same rank.
  int noise(NodeId node) const {
    if (seed_ == 0) return 0;
    return static_cast<int>(mix(seed_ ^ uint64_t{node} << 32) >> 62);
  }

  // Returns kNoNode when nothing waits on any list.
  NodeId next_node() {
    for (size_t tried = 0; tried < orders_.size(); ++tried) {
      const size_t k = turn_++ % orders_.size();
      while (true) {
        const NodeId node = lists_[k].empty() ? cells_[k].pop() : lists_[k].pop().second;
        if (node == kNoNode) break;
        if (!closed_[node]) return node;
      }
    }
    return kNoNode;
  }

  int goals_left(const PositionId* state) const {
    int left = 0;
    for (int goal = 0; goal < world_.num_goals(); ++goal) {
      left += distance_.goal_distances(goal)[state[goal + 1]] != 0;
    }
    return left;
  }

  // The objects that are not where they were at the start.
  uint64_t displaced() const {
    uint64_t set = 0;
    for (int object = 1; object < n_; ++object) {
      set |= uint64_t{child_[object] != initial_[object]} << object;
    }
    return set;
  }

  uint64_t goal_facts() const {
    uint64_t facts = 0;
    int bit = 0;
    for (int i = 0; i < world_.num_goals(); ++i) {
      const Point at = classes_.index_of(i + 1).point(child_[i + 1]);
      const Point goal = world_.goals()[i];
      facts |= uint64_t{at == goal} << (bit++ & 63);
      for (int j = i + 1; j < world_.num_goals(); ++j) {
        const Point other = classes_.index_of(j + 1).point(child_[j + 1]);
        facts |= uint64_t{other - at == world_.goals()[j] - goal} << (bit++ & 63);
      }
    }
    return facts;
  }

  // Objects of one shape without goals may trade places: their positions are kept in order.
  void sort_twins(PositionId* state) const {
    for (const std::vector<int>& group : twins_) {
      for (size_t i = 1; i < group.size(); ++i) {
        for (size_t j = i; j > 0 && state[group[j - 1]] > state[group[j]]; --j) {
          std::swap(state[group[j - 1]], state[group[j]]);
        }
      }
    }
  }

  void write_plan(NodeId node) {
    std::vector<NodeId> path;
    for (; node != kNoNode; node = store_.parent(node)) path.push_back(node);
    std::reverse(path.begin(), path.end());
    PositionId agent = start_;
    for (size_t i = 1; i < path.size(); ++i) {
      store_.read(path[i - 1], parent_.data());
      const PositionId from = store_.label(path[i]) >> 2;
      const int action = store_.label(path[i]) & 3;
      space_.append_walk(parent_.data(), agent, from, result_.plan);
      result_.plan.push_back(static_cast<uint8_t>(action));
      agent = classes_.index(0).neighbour(from, action);
    }
    result_.status = Status::kSolved;
  }

  size_t bytes() const { return store_.bytes() + other_bytes(); }
  size_t bytes_ahead() const {
    return store_.bytes_while_adding(size_t{16} * kNumActions * n_) + other_bytes();
  }
  size_t other_bytes() const {
    size_t total = novelty_.bytes() + distance_.bytes() + (guide_ ? guide_->bytes() : 0) +
                   closed_.capacity() / 8 + pushes_.capacity() * sizeof(uint16_t);
    for (const OpenList& list : lists_) total += list.bytes();
    for (const CellList& cells : cells_) total += cells.bytes();
    return total;
  }

  const World& world_;
  const int n_;
  ObjectClasses classes_;
  PushSpace<Words> space_;
  RecursiveGraphDistance distance_;
  std::optional<PushGuide<Words>> guide_;
  std::vector<size_t> sizes_;
  NodeStore store_;
  NoveltyTable novelty_;
  uint64_t seed_;
  std::vector<PushOrder> orders_;
  // One of both for each order, of which one stays empty.
  std::vector<OpenList> lists_;
  std::vector<CellList> cells_;
  size_t turn_ = 0;
  std::vector<bool> closed_;
  std::vector<uint16_t> pushes_;
  std::vector<std::vector<int>> twins_;
  SearchResult result_;
  Watch watch_;
  PositionId start_ = 0;
  std::vector<PositionId> initial_, parent_, child_, key_;
};

}  // namespace

SearchResult search_pushes(const Dynamics& dynamics, const std::vector<PushOrder>& orders,
                           uint64_t seed, Control& control) {
  SearchResult result;
  if (control.should_stop(result, position_index_bytes(dynamics.world()), INT32_MAX)) {
    return result;
  }
  const int width = dynamics.world().width();
  if (width <= 64) return PushSearch<1>(dynamics, orders, seed, control).run();
  if (width <= 256) return PushSearch<4>(dynamics, orders, seed, control).run();
  return PushSearch<16>(dynamics, orders, seed, control).run();
}

}  // namespace pushworld
