// What a search is given and what it gives back: limits, progress, and the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
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
  uint64_t peak_bytes = 0;  // of the search's own tables
};

// Shared between a search and whoever watches it. Searches call `should_stop` every few hundred
// expansions; watchers read the counters and may set `interrupted` from any thread.
class Control {
 public:
  using Clock = std::chrono::steady_clock;

  Control(double seconds, uint64_t bytes, uint64_t max_states)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::min(seconds, 1e9)))),
        max_bytes_(bytes),
        max_states_(max_states),
        whole_(*this) {}

  // One of several searches that share the limits of `whole`; this share of the memory is its own.
  Control(const Control& whole, double share)
      : deadline_(whole.deadline_),
        max_bytes_(static_cast<uint64_t>(share * static_cast<double>(whole.max_bytes_))),
        max_states_(whole.max_states_),
        whole_(whole) {}
  Control(const Control&) = delete;

  // Shows the sums of the parts, and hands an interruption on to them.
  void gather(const std::vector<std::unique_ptr<Control>>& parts) {
    uint64_t all_expanded = 0, all_states = 0, all_bytes = 0;
    int best_of_all = INT32_MAX;
    for (const auto& part : parts) {
      all_expanded += part->expanded;
      all_states += part->states;
      all_bytes += part->used_bytes;
      best_of_all = std::min(best_of_all, part->best.load());
      if (interrupted) part->interrupted = true;
    }
    expanded = all_expanded;
    states = all_states;
    used_bytes = all_bytes;
    best = best_of_all;
  }

  uint64_t max_bytes() const { return max_bytes_; }
  bool has_room_for(uint64_t bytes) const { return bytes <= max_bytes_; }

  uint64_t max_states() const { return max_states_; }
  void set_max_states(uint64_t states) { max_states_ = states; }

  // Adds the memory of another search, which has ended on the same thread.
  void take_over(const Control& other) { max_bytes_ += other.max_bytes_; }

  // Publishes the counters and returns whether the search must end; `result.status` then says why.
  // `bytes` is what its tables hold, `bytes_ahead` what they may come to hold before it asks again.
  bool should_stop(SearchResult& result, uint64_t bytes, uint64_t bytes_ahead, int best_heuristic) {
    expanded.store(result.expanded, std::memory_order_relaxed);
    states.store(result.states, std::memory_order_relaxed);
    used_bytes.store(bytes, std::memory_order_relaxed);
    best.store(best_heuristic, std::memory_order_relaxed);
    result.peak_bytes = std::max(result.peak_bytes, bytes);
    if (interrupted.load(std::memory_order_relaxed)) {
      result.status = Status::kInterrupted;
    } else if (result.states >= max_states_) {
      result.status = Status::kStateLimit;
    } else if (bytes_ahead > max_bytes_) {
      result.status = Status::kMemoryLimit;
    } else if (Clock::now() + time_to_free(whole_.used_bytes) > deadline_) {
      result.status = Status::kTimeLimit;
    } else {
      return false;
    }
    return true;
  }

  std::atomic<bool> interrupted = false;
  std::atomic<uint64_t> expanded = 0;
  std::atomic<uint64_t> states = 0;
  std::atomic<uint64_t> used_bytes = 0;
  std::atomic<int> best = INT32_MAX;

 private:
  // Gigabytes are not given back at once: a page of 4 KB takes the system about a microsecond.
  static Clock::duration time_to_free(uint64_t bytes) {
    return std::chrono::nanoseconds(bytes / 4);
  }

  Clock::time_point deadline_;
  uint64_t max_bytes_;
  uint64_t max_states_;
  const Control& whole_;  // of all searches that end together
};

}  // namespace pushworld
