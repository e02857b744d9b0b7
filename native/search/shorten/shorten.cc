#include "search/shorten/shorten.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/core/search_threads.h"
#include "search/optimal/push_a_star.h"
#include "search/push/search_factory.h"
#include "search/shorten/needed_objects.h"
#include "search/shorten/world_shortening.h"

namespace pushworld {
namespace {

// Thrown for a plan of a part of the puzzle that does not solve the puzzle.
struct NoPlan {
  std::vector<uint8_t> plan;
};

// Improves the plan of the result in the puzzle and, in turn, in the part of it that the plan
// needs.
class PlanShortening {
 public:
  PlanShortening(const Dynamics& dynamics, LimitGuard& guard, size_t thread, size_t threads)
      : guard_(guard),
        result_(guard.result()),
        thread_(thread),
        threads_(threads),
        num_objects_(static_cast<size_t>(dynamics.world().num_objects())),
        all_(dynamics, guard, thread, threads),
        needed_(dynamics, guard),
        has_few_(can_leave_out(dynamics.world())) {
    guard.control().on_offer = [this](const std::vector<uint8_t>& plan) { check(plan); };
  }
  ~PlanShortening() { guard_.control().on_offer = nullptr; }
  PlanShortening(const PlanShortening&) = delete;

  // Returns kSolved if no plan is shorter than that of the result, otherwise the limit.
  Status run() {
    for (;;) {
      const bool is_few = few_ && !few_->is_finished && few_->states <= kFewShare * states_;
      const uint64_t before = result_.states;
      const Status status = is_few ? advance_few() : all_.advance();
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
    FewObjects(NeededObjects& needed, NeededObjects::Part part_, LimitGuard& guard, size_t thread,
               size_t threads)
        : part(std::move(part_)),
          dynamics(needed.dynamics_of(part)),
          shortening(*dynamics, guard, thread, threads) {}

    const NeededObjects::Part part;
    const std::shared_ptr<Dynamics> dynamics;
    WorldShortening shortening;
    uint64_t states = 0;
    bool is_finished = false;  // nothing shorter is found there
  };

  Status advance_few() {
    Status status = Status::kUnknown;
    is_few_ = true;
    try {
      status = few_->shortening.advance();
      check(result_.plan);
    } catch (const NoPlan& none) {
      result_.plan = std::exchange(plan_, {});
      few_->is_finished = !needed_.note_obstacles(few_->part, *few_->dynamics, none.plan);
    }
    is_few_ = false;
    return status;
  }

  // Throws NoPlan if a plan that was found with few objects does not solve the puzzle.
  void check(const std::vector<uint8_t>& plan) const {
    if (is_few_ && plan != plan_ && !needed_.is_plan(plan)) throw NoPlan{plan};
  }

  // Takes a shorter plan of another thread.
  void exchange_plans() {
    guard_.control().offer_plan(result_.plan);
    std::vector<uint8_t> best = guard_.control().best_plan();
    if (best.size() < result_.plan.size()) result_.plan = std::move(best);
  }

  void choose_objects() {
    if (result_.plan == plan_) return;
    plan_ = result_.plan;
    NeededObjects::Part part = needed_.part_for(plan_);
    if (few_ && few_->part == part) return;
    const uint64_t states = few_ ? few_->states : 0;
    few_.reset();
    if (part.movables.size() == num_objects_) return;
    few_.emplace(needed_, std::move(part), guard_, thread_, threads_);
    few_->states = states;
  }

  LimitGuard& guard_;
  SearchResult& result_;
  const size_t thread_, threads_;
  const size_t num_objects_;
  WorldShortening all_;
  uint64_t states_ = 0;  // in the puzzle with all objects
  NeededObjects needed_;
  std::vector<uint8_t> plan_;  // for which the objects were chosen; with few, the best
  const bool has_few_;
  bool is_few_ = false;         // while the result may have a plan that does not solve the puzzle
  size_t too_long_ = SIZE_MAX;  // with a plan of this length, there was no memory for few objects
  std::optional<FewObjects> few_;
};

// The share of the time and the states for the proof, where one thread does both.
constexpr double kProofShare = 0.25;

SearchResult shorten_on_thread(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                               Control& control, size_t thread, size_t threads) {
  LimitGuard guard(control);
  guard.result().plan = plan;
  control.offer_plan(plan);
  guard.result().status =
      guard.run([&] { return PlanShortening(dynamics, guard, thread, threads).run(); });
  guard.result().plan = control.best_plan();
  return guard.result();
}

SearchResult prove_on_thread(const Dynamics& dynamics, Control& control) {
  SearchResult result = solve_a_star(dynamics, 0, control, Minimize::kActions);
  if (result.status == Status::kSolved) control.offer_plan(result.plan);
  return result;
}

// Proves first, then shortens.
SearchResult shorten_on_one_thread(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                                   Control& control, bool prove) {
  SearchResult proof;
  if (prove) {
    const SearchThreads alone(control, {1.0}, kProofShare);
    alone[0].set_max_states(
        static_cast<uint64_t>(kProofShare * static_cast<double>(control.max_states())));
    proof = alone.run([&](size_t) { return prove_on_thread(dynamics, alone[0]); });
    if (proof.status == Status::kInterrupted || control.has_shortest_plan()) return proof;
  }
  SearchResult result = shorten_on_thread(dynamics, plan, control, 0, 1);
  result.add_counts(proof);
  result.peak_bytes = std::max(result.peak_bytes, proof.peak_bytes);
  return result;
}

SearchResult shorten_on_threads(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                                Control& control, size_t threads, bool prove) {
  const SearchThreads all(control,
                          std::vector<double>(threads, 1.0 / static_cast<double>(threads)));
  const size_t shortening = all.size() - (prove ? 1 : 0);
  return all.run([&](size_t thread) {
    SearchResult found = thread < shortening
                             ? shorten_on_thread(dynamics, plan, all[thread], thread, shortening)
                             : prove_on_thread(dynamics, all[thread]);
    if (found.status == Status::kSolved) all.interrupt();
    return found;
  });
}

}  // namespace

SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control, int threads, bool prove) {
  if (plan.size() > kMaxPlanLength) throw std::invalid_argument("the plan is too long");
  control.offer_plan(plan);
  SearchResult result = threads <= 1 ? shorten_on_one_thread(dynamics, plan, control, prove)
                                     : shorten_on_threads(dynamics, plan, control,
                                                          static_cast<size_t>(threads), prove);
  result.plan = control.best_plan();
  if (control.has_shortest_plan()) result.status = Status::kSolved;
  if (result.status == Status::kSolved) {
    control.prove_at_least(static_cast<int>(result.plan.size()));
  }
  return result;
}

}  // namespace pushworld
