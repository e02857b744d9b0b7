#include "search/shorten/neighbourhood_search.h"

#include <memory>

namespace pushworld {

Status NeighbourhoodSearch::advance(uint64_t states) {
  end_ = result_.states + states;
  const Status status = guard_.run([&] {
    guard_.check();
    if (first_length_ == 0) {
      first_length_ = result_.plan.size();
      graph_.enter_plan(result_.plan);
      edited_length_ = graph_.best_length() + 1;
    }
    return search();
  });
  if (graph_.best_length() < result_.plan.size()) result_.plan = graph_.best_plan(visited_);
  return status;
}

Status NeighbourhoodSearch::search() {
  PlanState state;
  while (!graph_.is_exhausted()) {
    while (graph_.pop(state)) {
      expand(state);
      if (result_.states >= end_) return Status::kUnknown;
    }
    if (graph_.best_length() == edited_length_) continue;
    if (is_much_shorter()) return Status::kUnknown;
    edited_length_ = graph_.best_length();
    edit_plan();
  }
  return Status::kSolved;
}

void NeighbourhoodSearch::expand(PlanState state) {
  ++result_.expanded;
  for (int action = 0; action < kNumActions; ++action) {
    const size_t known = graph_.num_placements();
    PlanState next = state;
    if (graph_.act(next, action) && graph_.num_placements() > known) {
      edits_.follow_plan_from(next);
    }
  }
}

void NeighbourhoodSearch::edit_plan() {
  result_.plan = graph_.best_plan(visited_);
  if (offers_) guard_.control().offer_plan(result_.plan);
  graph_.centre_on(visited_);
  edits_.set_plan(result_.plan, visited_);
  edits_.follow_plan_from_its_states();
  edits_.leave_out_pushes();
  edits_.exchange_parts();
}

void shorten_quickly(const Dynamics& dynamics, uint64_t states, LimitGuard& guard) {
  const std::vector<uint8_t>& plan = guard.result().plan;
  std::unique_ptr<NeighbourhoodSearch> around;
  for (size_t length = SIZE_MAX; plan.size() < length;) {
    length = plan.size();
    if (!around || around->is_much_shorter()) {
      around.reset();
      around = std::make_unique<NeighbourhoodSearch>(dynamics, false, false, guard);
    }
    if (around->advance(states) != Status::kUnknown) return;
  }
}

}  // namespace pushworld
