#include "search/core/limit_guard.h"

namespace pushworld {

LimitGuard::LimitGuard(Control& control) : control_(control), memory_(control.max_bytes()) {
  // A table is filled in one go, so there must be time for it.
  memory_.set_before_block([this](size_t bytes) {
    if (control_.is_late(bytes)) throw SearchStopped(Status::kTimeLimit);
  });
}

void LimitGuard::publish() {
  control_.add_states(result_.states - published_states_);
  published_states_ = result_.states;
  control_.expanded.store(result_.expanded, std::memory_order_relaxed);
  control_.states.store(result_.states, std::memory_order_relaxed);
  control_.used_bytes.store(memory_.used(), std::memory_order_relaxed);
  control_.best.store(best_, std::memory_order_relaxed);
  result_.peak_bytes = memory_.peak();
}

void LimitGuard::check() {
  publish();
  if (control_.on_check) control_.on_check();
  const bool is_over = result_.states >= control_.max_states() || control_.are_states_spent();
  if (is_over && !control_.interrupted) throw SearchStopped(Status::kStateLimit);
  work_ = 0;
  control_.check();
}

void LimitGuard::check_clock() {
  work_ = 0;
  publish();
  if (control_.on_check) control_.on_check();
  control_.check();
}

}  // namespace pushworld
