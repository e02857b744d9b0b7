// The limits, the progress and the result of a search.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace pushworld {

enum class Status {
  kUnknown,  // the search has not ended
  kSolved,
  kUnsolvable,
  kTimeLimit,
  kMemoryLimit,
  kStateLimit,
  kInterrupted
};

struct SearchResult {
  Status status = Status::kUnknown;
  std::vector<uint8_t> plan;  // actions; only if solved
  uint64_t expanded = 0;
  uint64_t generated = 0;
  uint64_t evaluated = 0;
  uint64_t states = 0;      // different states seen
  uint64_t peak_bytes = 0;  // of the search's tables
};

// Shared between a search and its caller. The search publishes its counters here; the caller reads
// them and may set `interrupted`, from any thread.
class Control {
 public:
  using Clock = std::chrono::steady_clock;

  Control(double seconds, uint64_t bytes, uint64_t max_states)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::min(seconds, 1e9)))),
        max_bytes_(bytes),
        max_states_(max_states),
        whole_(*this) {}

  // Of one of several threads that work within the limits of `whole`; this share of the memory is
  // its own.
  Control(const Control& whole, double share)
      : deadline_(whole.deadline_),
        max_bytes_(static_cast<uint64_t>(share * static_cast<double>(whole.max_bytes_))),
        max_states_(whole.max_states_),
        whole_(whole) {}
  Control(const Control&) = delete;

  uint64_t max_bytes() const { return max_bytes_; }
  uint64_t max_states() const { return max_states_; }
  void set_max_states(uint64_t states) { max_states_ = states; }

  // Gigabytes are not given back at once: a page of 4 KB takes the system about a microsecond. So
  // a search with much memory ends earlier.
  bool is_late() const {
    return Clock::now() + std::chrono::nanoseconds(whole_.used_bytes / 4) > deadline_;
  }

  std::atomic<bool> interrupted = false;
  std::atomic<uint64_t> expanded = 0;
  std::atomic<uint64_t> states = 0;
  std::atomic<uint64_t> used_bytes = 0;
  std::atomic<int> best = INT32_MAX;  // heuristic value

 private:
  Clock::time_point deadline_;
  uint64_t max_bytes_;
  uint64_t max_states_;
  const Control& whole_;  // of all threads, which end together
};

}  // namespace pushworld
