#include "search/shorten/shorten.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/action/action_space.h"
#include "search/push/subset_search.h"
#include "search/shorten/improvement.h"
#include "search/shorten/threads.h"

namespace pushworld {
namespace {

// Improves the plan of the result in the puzzle and, in turn, in the puzzle in which all objects
// that the plan does not move are walls. There a search has far fewer states, and what it finds is
// a plan of the puzzle as well.
class PlanImprovement {
 public:
  PlanImprovement(const Dynamics& dynamics, LimitGuard& guard, size_t thread, size_t threads)
      : dynamics_(dynamics),
        guard_(guard),
        result_(guard.result()),
        thread_(thread),
        threads_(threads),
        space_(dynamics, guard),
        all_(dynamics, guard, thread, threads),
        has_few_(can_search_subsets(dynamics.world())) {}

  // Returns kSolved if no plan is shorter than that of the result, otherwise the limit.
  Status run() {
    for (;;) {
      const bool is_few = few_ && !few_->is_finished && few_->states <= kFewShare * states_;
      const uint64_t before = result_.states;
      const Status status = is_few ? few_->improvement.advance() : all_.advance();
      (is_few ? few_->states : states_) += result_.states - before;
      exchange_plans();
      if (status == Status::kMemoryLimit && few_) {
        few_.reset();
        too_long_ = result_.plan.size();
      } else if (status == Status::kSolved && is_few) {
        few_->is_finished = true;
      } else if (status != Status::kUnknown) {
        return status;
      }
      if (has_few_ && result_.plan.size() < too_long_) choose_objects();
    }
  }

 private:
  // The states with few objects for each with all.
  static constexpr uint64_t kFewShare = 2;

  struct FewObjects {
    FewObjects(const Dynamics& all, std::vector<int> kept, LimitGuard& guard, size_t thread,
               size_t threads)
        : objects(std::move(kept)),
          dynamics(std::make_shared<World>(all.world(), objects, World::Others::kBecomeWalls,
                                           guard.checkpoint()),
                   guard.checkpoint()),
          improvement(dynamics, guard, thread, threads) {}

    std::vector<int> objects;
    Dynamics dynamics;
    Improvement improvement;
    uint64_t states = 0;
    bool is_finished = false;  // no plan that moves only these objects is shorter
  };

  // Takes a shorter plan of another thread.
  void exchange_plans() {
    guard_.control().offer_plan(result_.plan);
    std::vector<uint8_t> best = guard_.control().best_plan();
    if (best.size() < result_.plan.size()) result_.plan = std::move(best);
  }

  void choose_objects() {
    std::vector<int> objects = objects_of_plan();
    if (few_ && few_->objects == objects) return;
    const uint64_t states = few_ ? few_->states : 0;
    few_.reset();
    if (objects.size() == space_.num_objects()) return;
    few_.emplace(dynamics_, std::move(objects), guard_, thread_, threads_);
    few_->states = states;
  }

  // The agent, the objects with goals and those that the plan moves.
  std::vector<int> objects_of_plan() {
    std::vector<PositionId> state = space_.initial_state();
    std::vector<PositionId> next = state;
    std::vector<bool> is_moved(state.size());
    for (const uint8_t action : result_.plan) {
      guard_.count_work(state.size());
      space_.enter(state.data());
      for (const uint16_t object : space_.successor(action, next.data())) is_moved[object] = true;
      state = next;
    }
    std::vector<int> objects;
    const int num_goals = dynamics_.world().num_goals();
    for (int object = 0; object < dynamics_.world().num_objects(); ++object) {
      if (object <= num_goals || is_moved[static_cast<size_t>(object)]) objects.push_back(object);
    }
    return objects;
  }

  const Dynamics& dynamics_;
  LimitGuard& guard_;
  SearchResult& result_;
  const size_t thread_, threads_;
  ActionSpace space_;
  Improvement all_;
  uint64_t states_ = 0;  // in the puzzle with all objects
  const bool has_few_;
  size_t too_long_ = SIZE_MAX;  // with a plan of this length, there was no memory for few objects
  std::optional<FewObjects> few_;
};

SearchResult shorten_on_thread(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                               Control& control, size_t thread, size_t threads) {
  LimitGuard guard(control);
  guard.result().plan = plan;
  guard.result().status =
      guard.run([&] { return PlanImprovement(dynamics, guard, thread, threads).run(); });
  return guard.result();
}

}  // namespace

SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control, int threads) {
  if (plan.size() > kMaxPlanLength) throw std::invalid_argument("the plan is too long");
  if (threads <= 1) return shorten_on_thread(dynamics, plan, control, 0, 1);
  return run_on_threads(control, static_cast<size_t>(threads), [&](Control& own, size_t thread) {
    return shorten_on_thread(dynamics, plan, own, thread, static_cast<size_t>(threads));
  });
}

}  // namespace pushworld
