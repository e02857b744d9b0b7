// The checkpoint of a search for limits, progress and interrupts.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "engine/world.h"
#include "search/core/control.h"
#include "search/core/memory_account.h"

namespace pushworld {

// Owns the result and the memory account of a search and enforces its limits. Every long loop calls
// `check` or `count_work` regularly.
class LimitGuard {
 public:
  explicit LimitGuard(Control& control);
  LimitGuard(const LimitGuard&) = delete;

  SearchResult& result() { return result_; }
  MemoryAccount& memory() { return memory_; }
  Control& control() { return control_; }

  // Publishes the counters. Throws SearchStopped if the search was interrupted or reached a limit.
  void check();

  // Loops whose length depends on the world or on the size of a table call this with the number of
  // their steps of some nanoseconds each. Throws SearchStopped as `check` does, but not at the
  // limit on states: so that limit does not depend on how much work a state takes.
  void count_work(size_t steps) {
    work_ += steps;
    if (work_ >= kWorkBetweenChecks) check_clock();
  }

  // The same for the tables of the engine. Their memory is not counted here.
  Checkpoint checkpoint() {
    return [this](size_t) { count_work(kWorkOfCheckpoint); };
  }

  // Makes a part of the engine, whose tables count until it is gone. It must not outlive the guard.
  template <typename Part, typename... Arguments>
  std::shared_ptr<Part> make(Arguments&&... arguments) {
    struct Counted {
      explicit Counted(MemoryAccount& account) : memory(account) {}
      ~Counted() { memory.refund(bytes); }

      MemoryAccount& memory;
      size_t bytes = 0;
      std::optional<Part> part;
    };
    const auto counted = std::make_shared<Counted>(memory_);
    counted->part.emplace(std::forward<Arguments>(arguments)..., [&](size_t bytes) {
      count_work(kWorkOfCheckpoint);
      memory_.charge(bytes);
      counted->bytes += bytes;
    });
    return {counted, &*counted->part};
  }

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
  static constexpr size_t kWorkBetweenChecks = size_t{1} << 15;
  static constexpr size_t kWorkOfCheckpoint = size_t{1} << 9;

  void publish();
  void check_clock();

  Control& control_;
  MemoryAccount memory_;
  SearchResult result_;
  int best_ = INT32_MAX;
  size_t work_ = 0;  // since the last look at the clock
  uint64_t published_states_ = 0;
};

}  // namespace pushworld
