#include "search/shorten/other_plans.h"

#include "search/push/subset_search.h"

namespace pushworld {

OtherPlans::OtherPlans(const Dynamics& dynamics, LimitGuard& guard, uint64_t seed, uint64_t step)
    : dynamics_(dynamics), guard_(guard), result_(guard.result()), seed_(seed), step_(step) {
  const bool has_subsets = can_search_subsets(dynamics.world());
  for (const Strategy& strategy : default_strategies()) {
    if (has_subsets || !strategy.few_objects) strategies_.push_back(strategy);
  }
}

bool OtherPlans::advance(uint64_t pushes) {
  for (const uint64_t end = result_.generated + pushes; result_.generated < end;) {
    if (running_ == 0 || pushes_ >= max_pushes_) begin();
    const size_t turn = turn_++ % searches_.size();
    if (!searches_[turn]) continue;
    const uint64_t before = result_.generated;
    const Status status = searches_[turn]->advance(kTurn * strategies_[turn].share);
    pushes_ += result_.generated - before;
    if (status == Status::kUnknown) continue;
    searches_[turn].reset();
    --running_;
    if (status != Status::kSolved) continue;
    if (max_pushes_ == UINT64_MAX) max_pushes_ = 2 * pushes_;
    return true;
  }
  return false;
}

void OtherPlans::begin() {
  searches_.clear();  // its memory first
  searches_ = make_push_searches(dynamics_, strategies_, seed_, guard_);
  if (searches_.empty()) throw std::bad_alloc();
  seed_ += step_;
  running_ = searches_.size();
  turn_ = 0;
  pushes_ = 0;
  max_pushes_ = UINT64_MAX;
}

}  // namespace pushworld
