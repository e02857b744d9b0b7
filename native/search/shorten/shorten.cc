#include "search/shorten/shorten.h"

#include <new>
#include <stdexcept>
#include <utility>

#include "search/core/limit_guard.h"
#include "search/shorten/plan_edits.h"
#include "search/shorten/plan_graph.h"

namespace pushworld {
namespace {

class Shortening {
 public:
  Shortening(const Dynamics& dynamics, SearchResult& result, Control& control, LimitGuard& before)
      : result_(result),
        graph_(dynamics, [&before] { before.check(); }),
        edits_(graph_),
        states_before_(result.states),
        pushes_before_(result.generated),
        guard_(
            control, result, [this] { return graph_.bytes() + edits_.bytes(); },
            [this] { return graph_.bytes_ahead() + edits_.bytes(); }) {
    graph_.set_on_work([this] { look(); });
  }

  // Shortens the result's plan until nothing is left to look at: the status is kSolved then.
  // Returns whether to begin afresh around the plan, because it is much shorter or memory is full.
  bool run() {
    const size_t length = result_.plan.size();
    bool again = false;
    try {
      look();
      graph_.enter_plan(result_.plan);
      again = !search();
      count();
      result_.status = Status::kSolved;
      guard_.finish();
    } catch (const SearchStopped&) {
      // The status is set.
    }
    if (graph_.best_length() < result_.plan.size()) result_.plan = graph_.best_plan(visited_);
    return again || (result_.status == Status::kMemoryLimit && result_.plan.size() < length);
  }

 private:
  // Returns false if it ends because the plan has become much shorter.
  bool search() {
    const double much_shorter = kMuchShorter * static_cast<double>(result_.plan.size());
    uint32_t length = graph_.best_length() + 1;
    PlanState state;
    while (!graph_.is_exhausted()) {
      while (graph_.pop(state)) expand(state);
      if (graph_.best_length() == length) continue;
      if (graph_.best_length() < much_shorter) return false;
      length = graph_.best_length();
      edit_plan();
    }
    return true;
  }

  void expand(PlanState state) {
    ++result_.expanded;
    for (int action = 0; action < kNumActions; ++action) {
      const size_t known = graph_.num_placements();
      PlanState next = state;
      if (graph_.act(next, action) && graph_.num_placements() > known) {
        edits_.follow_plan_from(next);
      }
    }
  }

  void edit_plan() {
    result_.plan = graph_.best_plan(visited_);
    graph_.centre_on(visited_);
    edits_.set_plan(result_.plan, visited_);
    edits_.follow_plan_from_its_states();
    edits_.leave_out_pushes();
    edits_.exchange_runs();
  }

  void look() {
    count();
    guard_.check();
  }

  void count() {
    result_.states = states_before_ + graph_.num_states();
    result_.generated = pushes_before_ + graph_.num_pushes();
    if (graph_.num_states() > 0) guard_.note(static_cast<int>(graph_.best_length()));
  }

  static constexpr double kMuchShorter = 0.9;

  SearchResult& result_;
  PlanGraph graph_;
  PlanEdits edits_;
  const uint64_t states_before_, pushes_before_;
  LimitGuard guard_;
  std::vector<PlanState> visited_;
};

}  // namespace

SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control) {
  if (plan.size() > kMaxPlanLength) throw std::invalid_argument("the plan is too long");
  SearchResult result;
  result.plan = plan;
  try {
    LimitGuard before(control, result, PlanGraph::max_set_up_bytes(dynamics.world()));
    before.check();
    while (Shortening(dynamics, result, control, before).run()) {
    }
  } catch (const SearchStopped&) {
    // The status is set.
  } catch (const std::bad_alloc&) {
    result.status = Status::kMemoryLimit;
  }
  return result;
}

}  // namespace pushworld
