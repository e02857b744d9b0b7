#include "search/push/step_search.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "search/push/layout_search.h"
#include "search/push/placements.h"
#include "search/push/subset_search.h"

namespace pushworld {
namespace {

class StepSearch : public PushSearch {
 public:
  StepSearch(const Dynamics& dynamics, const Strategy& strategy, uint64_t seed, LimitGuard& guard)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        strategy_(strategy),
        seed_(seed),
        guard_(guard),
        kept_(static_cast<size_t>(world_.num_objects())),
        distances_(distances_to_goal()),
        reached_(world_.width(), world_.height()) {
    std::iota(kept_.begin(), kept_.end(), 0);
    strategy_.few_objects = can_search_subsets(world_);
  }

  Status advance(uint64_t pushes) override {
    if (arrivals_.empty()) arrive({world_.start(), {}});
    for (credit_ += pushes; credit_ >= kTurn; credit_ -= kTurn) {
      if (steps_.empty()) return Status::kMemoryLimit;
      const auto rank = [&](size_t i) { return (steps_[i].pushes + kTurn) * (i + 1); };
      size_t next = 0;
      for (size_t i = 1; i < std::min(steps_.size(), kMaxSteps); ++i) {
        if (rank(i) < rank(next)) next = i;
      }
      const Status status = advance(steps_[next]);
      if (status == Status::kUnknown) continue;
      const Step step = std::move(steps_[next]);
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(next));
      if (status != Status::kSolved) continue;
      Arrival arrival = arrivals_[step.from];
      append_plan(arrival, std::exchange(guard_.result().plan, {}));
      if (step.to == goal()) {
        guard_.result().plan = std::move(arrival.plan);
        return Status::kSolved;
      }
      if (!reached_[arrival.state[1]]) arrive(std::move(arrival));
    }
    return Status::kUnknown;
  }

 private:
  static constexpr uint64_t kTurn = 2000;  // pushes
  static constexpr size_t kMaxSteps = 32;  // that take turns
  static constexpr int kUnreachable = INT32_MAX;

  // A state in which the object has come to a new position, and the plan to it.
  struct Arrival {
    std::vector<Point> state;
    std::vector<uint8_t> plan;
  };
  struct Step {
    size_t from;  // an arrival
    Point to;
    int action;
    uint64_t pushes = 0;
    std::shared_ptr<Dynamics> puzzle = nullptr;
    std::unique_ptr<PushSearch> search = nullptr;
  };

  Point goal() const { return world_.goals()[0]; }
  int& distance(std::vector<int>& distances, Point at) const {
    return distances[static_cast<size_t>(at.y) * static_cast<size_t>(world_.width()) +
                     static_cast<size_t>(at.x)];
  }

  // The number of steps of the object from each position to its goal, whoever pushes it.
  std::vector<int> distances_to_goal() const {
    std::vector<int> distances(
        static_cast<size_t>(world_.width()) * static_cast<size_t>(world_.height()), kUnreachable);
    std::vector<Point> queue = {goal()};
    distance(distances, goal()) = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const Point delta : kDeltas) {
        const Point next = queue[i] + delta;
        if (!world_.is_legal(1, next) || distance(distances, next) != kUnreachable) continue;
        distance(distances, next) = distance(distances, queue[i]) + 1;
        queue.push_back(next);
      }
    }
    return distances;
  }

  std::shared_ptr<World> puzzle_of(const std::vector<Point>& state, Point to) {
    return guard_.make<World>(world_, state, kept_, std::vector<Point>{to},
                              World::Others::kBecomeWalls);
  }

  // Adds the steps from a state.
  void arrive(Arrival arrival) {
    const auto world = puzzle_of(arrival.state, goal());
    const BitGrid positions = pushable(*world, 1, guard_, [&](Point at) { return at == goal(); });
    reached_.add_moved(positions, {0, 0});
    for (Step& step : steps_) {
      if (reached_[step.to]) step.search.reset();  // before its puzzle
    }
    std::erase_if(steps_, [&](const Step& step) { return reached_[step.to]; });
    const size_t from = arrivals_.size();
    arrivals_.push_back(std::move(arrival));
    if (positions[goal()]) {
      add({.from = from, .to = goal(), .action = kNumActions});
      return;
    }
    positions.for_each([&](Point at) {
      for (int action = 0; action < kNumActions; ++action) {
        const Point to = at + kDeltas[action];
        if (!world_.is_legal(1, to) || reached_[to]) continue;
        if (distance(distances_, to) == kUnreachable) continue;
        guard_.count_work(8);
        if (can_tool_push(world_, {1, at}, action)) add({.from = from, .to = to, .action = action});
      }
    });
  }
  void add(Step step) {
    const int steps_left = distance(distances_, step.to);
    const auto next = std::find_if(steps_.begin(), steps_.end(), [&](const Step& other) {
      return distance(distances_, other.to) > steps_left;
    });
    steps_.insert(next, std::move(step));
    if (steps_.size() <= kMaxSteps) return;
    steps_[kMaxSteps].search.reset();  // begins again if its turn comes
    steps_[kMaxSteps].puzzle.reset();
  }

  Status advance(Step& step) {
    if (!step.search) begin(step);
    step.pushes += kTurn;
    return step.search->advance(kTurn);
  }
  void begin(Step& step) {
    step.puzzle = guard_.make<Dynamics>(puzzle_of(arrivals_[step.from].state, step.to));
    if (step.action < kNumActions) {
      step.search =
          make_layout_search(*step.puzzle, strategy_, seed_, guard_, {.action = step.action});
      return;
    }
    Strategy strategy = strategy_;
    strategy.options.layouts = 0;
    PushSearches searches = make_push_searches(*step.puzzle, {strategy}, seed_, guard_);
    if (searches.empty()) throw std::bad_alloc();
    step.search = std::move(searches[0]);
  }

  void append_plan(Arrival& arrival, const std::vector<uint8_t>& actions) {
    arrival.state = points_of(state_after(dynamics_, arrival.state, actions));
    arrival.plan.insert(arrival.plan.end(), actions.begin(), actions.end());
  }

  const Dynamics& dynamics_;
  const World& world_;
  Strategy strategy_;
  const uint64_t seed_;
  LimitGuard& guard_;
  std::vector<int> kept_;  // all objects
  std::vector<int> distances_;
  BitGrid reached_;  // positions of the object
  std::vector<Arrival> arrivals_;
  std::vector<Step> steps_;  // by the distance to the goal
  uint64_t credit_ = 0;      // the pushes that are left from earlier calls
};

}  // namespace

std::unique_ptr<PushSearch> make_step_search(const Dynamics& dynamics, const Strategy& strategy,
                                             uint64_t seed, LimitGuard& guard) {
  return std::make_unique<StepSearch>(dynamics, strategy, seed, guard);
}

}  // namespace pushworld
