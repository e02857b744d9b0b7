#include "search/push/serial_search.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "search/push/layout_search.h"
#include "search/push/layouts.h"
#include "search/push/subset_search.h"

namespace pushworld {
namespace {

using Objects = std::vector<int>;

// Whether the object finds a way to its goal among walls and those objects at their goals, whoever
// pushes it.
bool has_way(const World& world, int object, const Objects& others) {
  Places at_home;
  for (const int other : others) {
    at_home.push_back({other, world.goals()[static_cast<size_t>(other) - 1]});
  }
  return reachable(world, object, at_home)[world.goals()[static_cast<size_t>(object) - 1]];
}

// The goal objects in an order from the end: the last one finds a way when all others are at home.
struct Order {
  Objects objects;
  bool is_possible;  // so that each finds a way
};
Order find_order(const World& world, LimitGuard& guard) {
  constexpr size_t kWorkOfFlood = 1000;
  Order order = {{}, true};
  Objects left(static_cast<size_t>(world.num_goals()));
  std::iota(left.begin(), left.end(), 1);
  while (!left.empty()) {
    const auto can_be_last = [&](int object) {
      Objects others = left;
      std::erase(others, object);
      guard.count_work(kWorkOfFlood);
      return has_way(world, object, others);
    };
    const auto found = std::find_if(left.rbegin(), left.rend(), can_be_last);
    order.is_possible &= found != left.rend();
    const int last = found == left.rend() ? left.back() : *found;
    order.objects.insert(order.objects.begin(), last);
    std::erase(left, last);
  }
  return order;
}

class SerialSearch : public PushSearch {
 public:
  SerialSearch(const Dynamics& dynamics, const Strategy& strategy, uint64_t seed, LimitGuard& guard)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        strategy_(strategy),
        seed_(seed),
        guard_(guard),
        result_(guard.result()) {
    strategy_.goals_in_turn = false;
  }

  Status advance(uint64_t pushes) override {
    if (order_.empty()) {
      order_ = find_order(world_, guard_).objects;
      begin_attempt();
    }
    for (uint64_t done = 0; done < pushes;) {
      if (!stage_) {
        begin_stage();
        done += options_.begin_pushes;
        continue;
      }
      const uint64_t max_pushes = has_layouts_ ? options_.layout_stage * max_pushes_ : max_pushes_;
      const uint64_t turn = std::min({options_.stage_turn, pushes - done, max_pushes - pushes_});
      const Status status = stage_->advance(turn);
      pushes_ += turn;
      done += turn;
      if (status == Status::kUnknown && pushes_ < max_pushes) continue;
      const Status conclusion = end_stage(status);
      if (conclusion != Status::kUnknown) return conclusion;
    }
    return Status::kUnknown;
  }

 private:
  enum class Round { kWallsAtHome, kMovablesAtHome, kTogether };

  void begin_attempt() {
    tried_.insert(order_);
    at_home_ = 0;
    state_ = world_.start();
    plan_.clear();
  }

  // Whether the object of the next stage is at home, with all before it.
  bool is_next_at_home() const {
    for (size_t i = 0; i <= at_home_; ++i) {
      const auto object = static_cast<size_t>(order_[i]);
      if (state_[object] != world_.goals()[object - 1]) return false;
    }
    return true;
  }

  void begin_stage() {
    while (round_ != Round::kTogether && at_home_ + 1 < order_.size() && is_next_at_home()) {
      ++at_home_;
    }
    pushes_ = 0;
    if (round_ == Round::kTogether) {
      puzzle_ = nullptr;
      stage_ = make_search(dynamics_);
      return;
    }
    // The objects with goals in this stage, and all others but walls.
    Objects kept = {0};
    const auto next = order_.begin() + static_cast<std::ptrdiff_t>(at_home_);
    const auto first = round_ == Round::kWallsAtHome ? next : order_.begin();
    kept.insert(kept.end(), first, next + 1);
    const auto num_goals = static_cast<int>(kept.size()) - 1;
    kept.insert(kept.end(), next + 1, order_.end());
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      kept.push_back(other);
    }
    puzzle_ = guard_.make<Dynamics>(
        guard_.make<World>(world_, state_, kept, num_goals, World::Others::kBecomeWalls));
    stage_ = make_search(*puzzle_);
  }

  std::unique_ptr<PushSearch> make_search(const Dynamics& puzzle) {
    Strategy strategy = strategy_;
    strategy.few_objects &= can_search_subsets(puzzle.world());
    strategy.options.layouts = 0;
    PushSearches searches = make_push_searches(puzzle, {strategy}, seed_, guard_);
    if (searches.empty()) throw std::bad_alloc();
    has_layouts_ = false;
    if (round_ == Round::kTogether) return std::move(searches[0]);
    const PushSearch* const alone = searches[0].get();
    auto search =
        with_layouts(std::move(searches[0]), puzzle, strategy_, seed_, guard_, later_places());
    has_layouts_ = search.get() != alone;
    return search;
  }

  // Where the objects of later stages have to go, numbered as in the puzzle of the stage.
  Places later_places() const {
    Places later;
    if (round_ != Round::kWallsAtHome || !options_.joint_places) return later;
    for (size_t i = at_home_ + 1; i < order_.size(); ++i) {
      const auto object = static_cast<size_t>(order_[i]);
      later.push_back({static_cast<int>(i - at_home_) + 1, world_.goals()[object - 1]});
    }
    return later;
  }

  // Returns kUnknown unless the original puzzle is decided.
  Status end_stage(Status status) {
    stage_.reset();
    if (round_ == Round::kTogether) {
      if (status != Status::kUnknown) return status;
      max_pushes_ *= options_.stage_growth;
      begin_round(Round::kWallsAtHome);
    } else if (status == Status::kSolved) {
      append_plan(std::exchange(result_.plan, {}));
      if (++at_home_ == order_.size()) {
        result_.plan = std::move(plan_);
        return Status::kSolved;
      }
    } else if (tried_.size() == options_.orders * order_.size() || !change_order()) {
      begin_round(round_ == Round::kWallsAtHome && options_.home_moves ? Round::kMovablesAtHome
                                                                       : Round::kTogether);
    } else {
      begin_attempt();
    }
    return Status::kUnknown;
  }

  void begin_round(Round round) {
    round_ = round;
    tried_.clear();
    begin_attempt();
  }

  // The object of the failed stage becomes the first; if it was, the last. Returns whether there is
  // an order left to try.
  bool change_order() {
    const int failed = order_[at_home_];
    std::erase(order_, failed);
    order_.insert(at_home_ == 0 ? order_.end() : order_.begin(), failed);
    const Objects first = order_;
    while (tried_.contains(order_)) {
      std::next_permutation(order_.begin(), order_.end());
      if (order_ == first) return false;
    }
    return true;
  }

  void append_plan(const std::vector<uint8_t>& actions) {
    state_ = points_of(state_after(dynamics_, state_, actions));
    plan_.insert(plan_.end(), actions.begin(), actions.end());
  }

  const Dynamics& dynamics_;
  const World& world_;
  Strategy strategy_;
  const PushOptions& options_ = strategy_.options;
  const uint64_t seed_;
  LimitGuard& guard_;
  SearchResult& result_;

  Round round_ = Round::kWallsAtHome;
  uint64_t max_pushes_ = options_.stage_pushes;  // of a stage in this round
  Objects order_;                                // of the goal objects
  std::set<Objects> tried_;                      // in this round

  size_t at_home_ = 0;  // so many objects of the order
  std::vector<Point> state_;
  std::vector<uint8_t> plan_;  // to this state

  std::shared_ptr<Dynamics> puzzle_;  // of the stage
  std::unique_ptr<PushSearch> stage_;
  bool has_layouts_ = false;  // the stage
  uint64_t pushes_ = 0;       // of the stage
};

}  // namespace

bool has_order(const World& world, LimitGuard& guard) {
  return find_order(world, guard).is_possible;
}

bool has_goals_to_order(const World& world) { return is_small(world) && world.num_goals() > 1; }

std::unique_ptr<PushSearch> make_serial_search(const Dynamics& dynamics, const Strategy& strategy,
                                               uint64_t seed, LimitGuard& guard) {
  return std::make_unique<SerialSearch>(dynamics, strategy, seed, guard);
}

}  // namespace pushworld
