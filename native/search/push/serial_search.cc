#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "search/push/places.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

using Objects = std::vector<int>;

// Puts the places in an order from the end: to the last one the object finds a way when all others
// are at theirs, if there is such a place. Returns whether there always was one.
bool put_in_order(const World& world, Places& places, LimitGuard& guard) {
  constexpr size_t kWorkOfFlood = 1000;
  bool is_possible = true;
  for (auto end = places.end(); end != places.begin(); --end) {
    bool has_way = false;
    auto last = end;
    while (!has_way && last != places.begin()) {
      --last;
      Places others(places.begin(), end);
      std::erase(others, *last);
      guard.count_work(kWorkOfFlood);
      has_way = reachable_among(world, last->object, others)[last->at];
    }
    if (!has_way) last = end - 1;
    std::rotate(last, last + 1, end);
    is_possible &= has_way;
  }
  return is_possible;
}

// Many puzzles with several goals are solved one goal at a time, and each stage is a puzzle with a
// single goal. What matters is the order: an object that is at home may be in another's way. The
// search begins with an order in which each object finds a way among those that are at home. When a
// stage fails, its object moves to the front of the order, as in squeaky wheel optimization (Joslin
// and Clements, 1999). Objects at home are walls. Stages have a limit on pushes, which grows. The
// search is complete: after each round it tries all goals together.
class SerialSearch : public PushSearch {
 public:
  SerialSearch(const Dynamics& dynamics, const SearchFactory& factory, uint64_t depth)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        depth_(depth),
        guard_(factory.guard()) {}

  Outcome advance(uint64_t pushes) override {
    if (order_.empty()) {
      Places places = goals_of(world_);
      put_in_order(world_, places, guard_);
      for (const Placed& place : places) order_.push_back(place.object);
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
    puzzle_ = guard_.make<Dynamics>(guard_.make<World>(
        world_, state_, kept, std::vector<Point>{world_.goals()[static_cast<size_t>(*next) - 1]},
        Objects(order_.begin(), next)));
    stage_ = factory_.together(*puzzle_);
    if (depth_ > 0 && needs_layouts(puzzle_->world(), options_, guard_)) {
      pushes_left_ *= options_.layout_stage;
      stage_ = factory_.with_layouts(std::move(stage_), *puzzle_, depth_);
    }
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
  const uint64_t depth_;  // how deep stages may need layouts
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

bool has_order(const World& world, Places places, LimitGuard& guard) {
  return put_in_order(world, places, guard);
}

SearchFactory::Made SearchFactory::in_turn(const Dynamics& dynamics, uint64_t depth) const {
  return std::make_unique<SerialSearch>(dynamics, *this, depth);
}

}  // namespace pushworld
