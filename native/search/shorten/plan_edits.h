// Edits of a plan: leave out pushes, reorder them, or replay them from other states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "search/shorten/plan_graph.h"

namespace pushworld {

// Each edit replays pushes of the plan with shortest walks between them. It records its paths in
// the plan graph, which keeps the best plan.
class PlanEdits {
 public:
  explicit PlanEdits(PlanGraph& graph)
      : graph_(graph),
        step_of_(&graph.guard().memory()),
        tried_(&graph.guard().memory()),
        movables_(graph.world().num_objects()),
        moved_(movables_.size()) {}

  void set_plan(const std::vector<uint8_t>& actions, const std::vector<PlanState>& states);

  // Replays the rest of the plan from a state. Starts at a step where all objects that the rest of
  // the plan needs have the same positions as in this state. Does nothing if there is no such step.
  void follow_plan_from(PlanState state);
  void follow_plan_from_its_states();
  // For each push: replays the plan without it, and without the pushes that become impossible.
  void leave_out_pushes();
  // Exchanges neighbouring groups of runs, and of stretches. A run is a sequence of pushes without
  // a walk. A stretch is a sequence of runs: after a walk it goes on if the next push moves an
  // object that the last one moved.
  void exchange_parts();

 private:
  static constexpr size_t kMaxExchangedRuns = 6;
  static constexpr size_t kMaxExchangedStretches = 12;

  // A push of the plan. The last step is the end of the plan.
  struct Step {
    PlanState before;
    uint32_t cost;  // the number of actions of the plan before it
    int action;
  };

  bool take_step(PlanState& state, const Step& step) {
    return graph_.walk(state, step.before.agent) && graph_.act(state, step.action);
  }
  bool take_steps(PlanState& state, size_t begin, size_t end);
  // A lower bound on the length of a plan that leads to the state and then replays the plan from a
  // step on.
  uint32_t total_cost(PlanState state, size_t step);
  void index_steps();
  // Whether a push moves an object that the push before it moves.
  bool goes_on(size_t step);
  // Exchanges neighbouring groups of up to `max_parts` parts of the plan, given by their first
  // steps.
  void exchange(const std::vector<size_t>& begins, size_t max_parts);

  PlanGraph& graph_;
  std::vector<Step> steps_;
  uint32_t length_ = 0;
  // The objects with goals, then the others by their last move in the plan, the latest first. So
  // the objects that the rest of the plan needs are a prefix.
  std::vector<int> by_last_move_;
  // Maps the hash of the positions of such a prefix to the step that needs exactly this prefix.
  std::pmr::unordered_map<uint64_t, size_t> step_of_;
  std::pmr::unordered_set<uint64_t> tried_;
  std::vector<PositionId> movables_, moved_;
};

}  // namespace pushworld
