// The checkpoint of a search for limits, progress and interrupts.
#pragma once

#include <new>

#include "search/core/control.h"
#include "search/core/memory_account.h"

namespace pushworld {

// Thrown by `LimitGuard::check` when the search must end.
struct SearchStopped {
  Status status;
};

// Owns the result and the memory account of a search and enforces its limits. Every long loop calls
// `check` regularly.
class LimitGuard {
 public:
  explicit LimitGuard(Control& control) : control_(control), memory_(control.max_bytes()) {}

  SearchResult& result() { return result_; }
  MemoryAccount& memory() { return memory_; }

  // Publishes the counters. Throws SearchStopped if the search was interrupted or reached a limit.
  void check();

  // The search calls this once per expanded state.
  void count_expansion() {
    if (result_.states >= control_.max_states()) check();
    if ((++result_.expanded & 15) == 0) check();
  }

  // Updates the lowest heuristic value, which the caller sees as progress.
  void update_best(int heuristic) {
    if (heuristic < best_) best_ = heuristic;
  }

  // Runs `work` and returns its status, or the status of the limit that stopped it.
  template <typename Work>
  Status run(Work&& work) {
    Status status = Status::kMemoryLimit;
    try {
      status = work();
    } catch (const SearchStopped& stopped) {
      status = stopped.status;
    } catch (const std::bad_alloc&) {
      // The account reached its limit, or the system has no more memory.
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

// A guard without limits, to use heuristics outside a search.
class UnlimitedGuard {
 public:
  LimitGuard& guard() { return guard_; }

 private:
  Control control_{1e9, UINT64_MAX, UINT64_MAX};
  LimitGuard guard_{control_};
};

}  // namespace pushworld
