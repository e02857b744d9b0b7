// The one checkpoint for limits, progress and interrupts.
#pragma once

#include <new>

#include "search/core/control.h"
#include "search/core/memory_account.h"

namespace pushworld {

// Thrown by a checkpoint when the search must end.
struct SearchStopped {
  Status status;
};

// Holds the result and the memory of a search, and keeps the search within its limits. Everything
// that works for long calls `check` now and then.
class LimitGuard {
 public:
  explicit LimitGuard(Control& control) : control_(control), memory_(control.max_bytes()) {}

  SearchResult& result() { return result_; }
  MemoryAccount& memory() { return memory_; }

  // Publishes the counters. Throws SearchStopped if a limit is reached.
  void check();

  // To be called once for each expanded state.
  void count_expansion() {
    if (result_.states >= control_.max_states()) check();
    if ((++result_.expanded & 15) == 0) check();
  }

  // Notes a heuristic value, to be shown while the search runs.
  void note(int heuristic) {
    if (heuristic < best_) best_ = heuristic;
  }

  // Returns the status with which `work` ends: its own, or that of the limit that stops it.
  template <typename Work>
  Status run(Work&& work) {
    Status status = Status::kMemoryLimit;
    try {
      status = work();
    } catch (const SearchStopped& stopped) {
      status = stopped.status;
    } catch (const std::bad_alloc&) {
      // The account, or the system, has no more memory.
    }
    publish();
    return status;
  }

 private:
  void publish();

  Control& control_;
  MemoryAccount memory_;
  SearchResult result_;
  int best_ = INT32_MAX;
};

// A guard without limits, for what is used without a search.
class UnlimitedGuard {
 public:
  LimitGuard& guard() { return guard_; }

 private:
  Control control_{1e9, UINT64_MAX, UINT64_MAX};
  LimitGuard guard_{control_};
};

}  // namespace pushworld
