#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "search/push/places.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

using Objects = std::vector<int>;

// Whether the object finds a way to its goal among walls and the others at their goals, no matter
// what pushes it.
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

// Many puzzles with several goals are solved one goal at a time, and each stage is a puzzle with a
// single goal. What matters is the order: an object that is at home may be in another's way. The
// search begins with an order in which each object finds a way among those that are at home. When a
// stage fails, its object moves to the front of the order, as in squeaky wheel optimization (Joslin
// and Clements, 1999). Objects at home are walls. Stages have a limit on pushes, which grows. The
// search is complete: after each round it tries all goals together.
class SerialSearch : public PushSearch {
 public:
  SerialSearch(const Dynamics& dynamics, const SearchFactory& factory, Means means)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        means_(means),
        guard_(factory.guard()) {}

  Outcome advance(uint64_t pushes) override {
    if (order_.empty()) {
      order_ = find_order(world_, guard_).objects;
      begin_attempt();
    }
    for (uint64_t done = 0; done < pushes;) {
      if (!stage_.search) {
        begin_stage();
        done += options_.begin_pushes;
        continue;
      }
      const uint64_t before = stage_.pushes;
      Outcome outcome = stage_.advance(std::min(options_.stage_turn, pushes - done));
      done += stage_.pushes - before;
      if (outcome.progress == Progress::kOpen) continue;
      outcome = end_stage(std::move(outcome));
      if (outcome.progress != Progress::kOpen) return outcome;
    }
    return {};
  }

 private:
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
    while (!is_together_ && at_home_ + 1 < order_.size() && is_next_at_home()) {
      ++at_home_;
    }
    if (is_together_) {
      stage_ = {nullptr, factory_.together(dynamics_, means_.few_objects), max_pushes_};
      return;
    }
    // All but the objects at home, which are walls.
    Objects kept = {0};
    kept.insert(kept.end(), order_.begin() + static_cast<std::ptrdiff_t>(at_home_), order_.end());
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      kept.push_back(other);
    }
    const auto puzzle = guard_.make<Dynamics>(
        guard_.make<World>(world_, state_, kept, 1, World::Others::kBecomeWalls));
    const bool has_layouts = means_.layouts > 0 && can_lay_out(puzzle->world());
    stage_ = {
        puzzle,
        factory_.with_layouts(factory_.together(*puzzle, means_.few_objects), *puzzle, means_),
        has_layouts ? options_.layout_stage * max_pushes_ : max_pushes_};
  }

  // Returns an open outcome unless the original puzzle is decided.
  Outcome end_stage(Outcome outcome) {
    stage_.end();
    if (is_together_) {
      if (outcome.progress != Progress::kExhausted) return outcome;
      max_pushes_ *= options_.stage_growth;
      begin_round(false);
    } else if (outcome.progress == Progress::kSolved) {
      append_plan(outcome.plan);
      if (++at_home_ == order_.size()) return {Progress::kSolved, std::move(plan_)};
    } else if (tried_.size() == options_.orders * order_.size() || !change_order()) {
      begin_round(true);
    } else {
      begin_attempt();
    }
    return {};
  }

  void begin_round(bool is_together) {
    is_together_ = is_together;
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
  const SearchFactory factory_;
  const PushOptions& options_;
  const Means means_;
  LimitGuard& guard_;

  bool is_together_ = false;                     // whether the round has all goals in one stage
  uint64_t max_pushes_ = options_.stage_pushes;  // of a stage in this round
  Objects order_;                                // of the goal objects
  std::set<Objects> tried_;                      // in this round

  size_t at_home_ = 0;  // the number of objects of the order that are at home
  std::vector<Point> state_;
  std::vector<uint8_t> plan_;  // to this state
  SubSearch stage_;
};

}  // namespace

bool has_order(const World& world, LimitGuard& guard) {
  return find_order(world, guard).is_possible;
}

SearchFactory::Made SearchFactory::in_turn(const Dynamics& dynamics, Means means) const {
  return std::make_unique<SerialSearch>(dynamics, *this, means);
}

}  // namespace pushworld
