// Changes to a plan as a whole: pushes left out, pushes in another order, pushes taken up
// elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "search/shorten/plan_graph.h"

namespace pushworld {

// Each attempt repeats pushes of the plan with shortest walks between them. The ways it finds are
// noted in the graph; if one leads to a shorter plan, the graph knows.
class PlanEdits {
 public:
  explicit PlanEdits(PlanGraph& graph)
      : graph_(graph),
        step_of_(&graph.memory()),
        tried_(&graph.memory()),
        movables_(graph.world().num_objects()),
        moved_(movables_.size()) {}

  void set_plan(const std::vector<uint8_t>& actions, const std::vector<PlanState>& states);

  // If all that the rest of the plan needs stands in this state as it does somewhere on the plan,
  // goes on from there with the plan's pushes.
  void follow_plan_from(PlanState state);
  void follow_plan_from_its_states();
  // Leaves out a push, and then all that have become impossible.
  void leave_out_pushes();
  // Lets runs of pushes without a walk between them change places.
  void exchange_runs();

 private:
  static constexpr size_t kMaxExchangedRuns = 6;

  // A push of the plan; the last step is the plan's end.
  struct Step {
    PlanState before;
    uint32_t cost;  // actions of the plan before it
    int action;
  };

  bool take_step(PlanState& state, const Step& step) {
    return graph_.walk(state, step.before.agent) && graph_.act(state, step.action);
  }
  bool take_steps(PlanState& state, size_t begin, size_t end);
  // At least how long the plan becomes that goes on from a state with a step.
  uint32_t total_cost(PlanState state, size_t step);
  void index_steps();

  PlanGraph& graph_;
  std::vector<Step> steps_;
  uint32_t length_ = 0;
  // The objects that the plan moves last come first, and before them those with goals.
  std::vector<int> by_last_move_;
  // Where in the plan the objects of a beginning of that list stand so and the others do not
  // matter.
  std::pmr::unordered_map<uint64_t, size_t> step_of_;
  std::pmr::unordered_set<uint64_t> tried_;
  std::vector<PositionId> movables_, moved_;
};

}  // namespace pushworld
