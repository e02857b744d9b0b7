#include "search/shorten/shorten.h"

#include <stdexcept>

#include "search/shorten/plan_edits.h"
#include "search/shorten/plan_graph.h"

namespace pushworld {
namespace {

// Improves a plan: a search around it (PlanGraph), and edits of each new best plan (PlanEdits).
class Shortening {
 public:
  Shortening(const Dynamics& dynamics, LimitGuard& guard)
      : guard_(guard), result_(guard.result()), graph_(dynamics, guard), edits_(graph_) {}

  // Shortens the plan of the result. The status is kSolved if the open list is empty. Returns
  // whether to restart around the new plan: because it is much shorter, or because memory is full
  // and it is shorter.
  bool run() {
    const size_t length = result_.plan.size();
    bool again = false;
    result_.status = guard_.run([&] {
      guard_.check();
      graph_.enter_plan(result_.plan);
      again = !search();
      return Status::kSolved;
    });
    if (graph_.best_length() < result_.plan.size()) result_.plan = graph_.best_plan(visited_);
    return again || (result_.status == Status::kMemoryLimit && result_.plan.size() < length);
  }

 private:
  // Returns true if the open list is empty, false if the plan has become much shorter.
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

  static constexpr double kMuchShorter = 0.9;

  LimitGuard& guard_;
  SearchResult& result_;
  PlanGraph graph_;
  PlanEdits edits_;
  std::vector<PlanState> visited_;
};

}  // namespace

SearchResult shorten_plan(const Dynamics& dynamics, const std::vector<uint8_t>& plan,
                          Control& control) {
  if (plan.size() > kMaxPlanLength) throw std::invalid_argument("the plan is too long");
  LimitGuard guard(control);
  guard.result().plan = plan;
  guard.result().status = guard.run([&] {
    while (Shortening(dynamics, guard).run()) {
    }
    return guard.result().status;
  });
  return guard.result();
}

}  // namespace pushworld
