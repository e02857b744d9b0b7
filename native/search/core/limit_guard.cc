#include "search/core/limit_guard.h"

namespace pushworld {

void LimitGuard::publish() {
  control_.expanded.store(result_.expanded, std::memory_order_relaxed);
  control_.states.store(result_.states, std::memory_order_relaxed);
  control_.used_bytes.store(memory_.used(), std::memory_order_relaxed);
  control_.best.store(best_, std::memory_order_relaxed);
  result_.peak_bytes = memory_.peak();
}

void LimitGuard::check() {
  publish();
  if (control_.on_check) control_.on_check();
  if (control_.interrupted.load(std::memory_order_relaxed)) {
    throw SearchStopped{Status::kInterrupted};
  }
  if (result_.states >= control_.max_states()) throw SearchStopped{Status::kStateLimit};
  if (control_.is_late()) throw SearchStopped{Status::kTimeLimit};
}

}  // namespace pushworld
