#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "search/push/search_factory.h"

namespace pushworld {
namespace {

using Objects = std::vector<int>;

// Whether the object finds a way to its goal among walls and the others at their goals, no matter
// what pushes it. Ignores those that it overlaps at first.
bool has_way(const World& world, int object, const Objects& others) {
  const Shape& shape = world.shape_of(object);
  const auto home = [&](int of) { return world.goals()[static_cast<size_t>(of) - 1]; };
  std::vector<Point> reached = {world.start()[static_cast<size_t>(object)]};
  BitGrid closed(world.width(), world.height());
  for (const int other : others) {
    const Shape& obstacle = world.shape_of(other);
    if (overlap(shape, obstacle, home(other) - reached[0])) continue;
    closed.add_moved(overlaps(obstacle, shape, ignore_checkpoint),
                     home(other) - Point{shape.width, shape.height});
  }
  for (size_t next = 0; next < reached.size(); ++next) {
    const Point at = reached[next];
    if (at == home(object)) return true;
    for (const Point delta : kDeltas) {
      const Point to = at + delta;
      if (!world.is_legal(object, to) || closed[to]) continue;
      closed.set(to);
      reached.push_back(to);
    }
  }
  return false;
}

// The goal objects in an order from the end: the last one finds a way when all others are at home,
// if any does.
Objects find_order(const World& world, LimitGuard& guard) {
  constexpr size_t kWorkOfFlood = 1000;
  Objects order;
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
    const int last = found == left.rend() ? left.back() : *found;
    order.insert(order.begin(), last);
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
  SerialSearch(const Dynamics& dynamics, const SearchFactory& factory)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        guard_(factory.guard()) {}

  Outcome advance(uint64_t pushes) override {
    if (order_.empty()) {
      order_ = find_order(world_, guard_);
      begin_attempt();
    }
    for (uint64_t done = 0; done < pushes;) {
      if (!stage_) {
        begin_stage();
        done += options_.begin_pushes;
        continue;
      }
      const uint64_t turn = std::min({options_.stage_turn, pushes - done, pushes_left_});
      Outcome outcome = stage_->advance(turn);
      done += turn;
      pushes_left_ -= turn;
      if (outcome.status == Status::kUnknown && pushes_left_ > 0) continue;
      outcome = end_stage(std::move(outcome));
      if (outcome.status != Status::kUnknown) return outcome;
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
    pushes_left_ = max_pushes_;
    if (is_together_) {
      stage_ = factory_.together(dynamics_);
      return;
    }
    // All but the objects at home, which are walls.
    const auto next = order_.begin() + static_cast<std::ptrdiff_t>(at_home_);
    Objects kept = {0};
    kept.insert(kept.end(), next, order_.end());
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      kept.push_back(other);
    }
    puzzle_ = guard_.make<Dynamics>(
        guard_.make<World>(world_, state_, kept, 1, Objects(order_.begin(), next)));
    stage_ = factory_.together(*puzzle_);
  }

  // Ends a stage that is decided or at its limit. Returns an open outcome unless the original
  // puzzle is decided.
  Outcome end_stage(Outcome outcome) {
    stage_.reset();
    puzzle_.reset();
    if (is_together_) {
      if (outcome.status != Status::kUnknown) return outcome;
      max_pushes_ *= options_.stage_growth;
      begin_round(false);
    } else if (outcome.status == Status::kSolved) {
      append_plan(outcome.plan);
      if (++at_home_ == order_.size()) return {Status::kSolved, std::move(plan_)};
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
  LimitGuard& guard_;

  bool is_together_ = false;                     // whether the round has all goals in one stage
  uint64_t max_pushes_ = options_.stage_pushes;  // of a stage in this round
  Objects order_;                                // of the goal objects
  std::set<Objects> tried_;                      // in this round

  size_t at_home_ = 0;  // the number of objects of the order that are at home
  std::vector<Point> state_;
  std::vector<uint8_t> plan_;         // to this state
  std::shared_ptr<Dynamics> puzzle_;  // of the stage; none if it is the given one
  std::unique_ptr<PushSearch> stage_;
  uint64_t pushes_left_ = 0;  // of the stage
};

}  // namespace

SearchFactory::Made SearchFactory::in_turn(const Dynamics& dynamics) const {
  return std::make_unique<SerialSearch>(dynamics, *this);
}

}  // namespace pushworld
