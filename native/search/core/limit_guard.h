// Keeps a search within its limits.
#pragma once

#include <cstddef>
#include <functional>

#include "search/core/control.h"

namespace pushworld {

// Thrown out of the depths of a search that must end; the result's status says why.
struct SearchStopped {};

// Sees to it that a search looks at its limits often enough, from whatever it is doing.
class LimitGuard {
 public:
  // `bytes` returns what the search's tables hold, `bytes_ahead` what they may come to hold (copies
  // made while tables grow included) before the next look.
  LimitGuard(Control& control, SearchResult& result, std::function<size_t()> bytes,
             std::function<size_t()> bytes_ahead);
  // For what is made before a search and will take at most so much memory.
  LimitGuard(Control& control, SearchResult& result, size_t bytes_ahead)
      : LimitGuard(control, result, [] { return 0; }, [bytes_ahead] { return bytes_ahead; }) {}

  // How many states may be added between two looks.
  static constexpr size_t kMaxNewStates = 16 * 4;

  // To be called once for each expanded state.
  void count_expansion() {
    if (result_.states >= control_.max_states()) check();
    if ((++result_.expanded & 15) == 0) check();
  }
  // Throws SearchStopped if a limit is reached.
  void check();
  // Publishes the last counters of a search that has ended by itself.
  void finish();
  // Notes a heuristic value, to be shown while the search runs.
  void note(int heuristic) {
    if (heuristic < best_) best_ = heuristic;
  }

 private:
  Control& control_;
  SearchResult& result_;
  std::function<size_t()> bytes_;
  std::function<size_t()> bytes_ahead_;
  int best_ = INT32_MAX;
};

}  // namespace pushworld
