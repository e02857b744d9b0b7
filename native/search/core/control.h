// The limits, the progress counters and the result of a search.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace pushworld {

enum class Status {
  kUnknown,  // the search is not finished
  kSolved,
  kUnsolvable,
  kTimeLimit,
  kMemoryLimit,
  kStateLimit,
  kInterrupted
};
// The public names of the statuses, in the same order.
inline constexpr std::array<const char*, 7> kStatusNames = {
    "unknown", "solved", "unsolvable", "time-limit", "memory-limit", "state-limit", "interrupted"};

// Thrown when a search must end.
struct SearchStopped : std::exception {
  explicit SearchStopped(Status status_) : status(status_) {}
  const char* what() const noexcept override { return kStatusNames[static_cast<size_t>(status)]; }

  Status status;
};

struct SearchResult {
  Status status = Status::kUnknown;
  std::vector<uint8_t> plan;  // actions; only if solved
  uint64_t expanded = 0;
  uint64_t generated = 0;
  uint64_t evaluated = 0;
  uint64_t states = 0;                       // different states generated
  uint64_t peak_bytes = 0;                   // the peak size of all tables
  std::vector<std::string> unsuitable = {};  // the strategies that do not apply to the puzzle

  void add_counts(const SearchResult& other) {
    expanded += other.expanded;
    generated += other.generated;
    evaluated += other.evaluated;
    states += other.states;
  }
};

// Connects a search and its caller. The caller sets the limits, reads the counters, and may set
// `interrupted`, from any thread. The search publishes its counters here.
class Control {
 public:
  using Clock = std::chrono::steady_clock;

  Control(double seconds, uint64_t bytes, uint64_t max_states)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::min(seconds, 1e9)))),
        max_bytes_(bytes),
        max_states_(max_states),
        root_(*this) {}

  // The control of one thread of a portfolio with the limits of `root`. The thread gets this share
  // of the memory, and of the time that is left.
  Control(Control& root, double share, double time_share = 1)
      : deadline_(time_share == 1
                      ? root.deadline_
                      : Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           time_share * (root.deadline_ - Clock::now()))),
        max_bytes_(static_cast<uint64_t>(share * static_cast<double>(root.max_bytes_))),
        max_states_(root.max_states_),
        root_(root) {}
  Control(const Control&) = delete;

  // The memory for the tables of the search, without that of the engine.
  uint64_t max_bytes() const { return max_bytes_; }
  uint64_t max_states() const { return max_states_; }
  void set_max_states(uint64_t states) { max_states_ = states; }
  // Counts states of one thread. The threads of a portfolio share the limit on states.
  void add_states(uint64_t more) { root_.all_states_ += more; }
  bool are_states_spent() const { return root_.all_states_ >= root_.max_states_; }

  // Takes memory for the engine from that of the search. Returns false if there is not enough.
  bool take_for_engine(uint64_t bytes) {
    if (bytes > max_bytes_) return false;
    max_bytes_ -= bytes;
    engine_bytes_ += bytes;
    return true;
  }
  uint64_t engine_bytes() const { return engine_bytes_; }

  // Whether the search must end to meet its deadline. To release memory takes the system about a
  // microsecond per page of 4 KB, so a search that holds much memory ends earlier. To fill `more`
  // bytes takes about as long.
  bool is_late(uint64_t more = 0) const {
    return Clock::now() + std::chrono::nanoseconds((root_.used_bytes + more) / 4) > deadline_;
  }

  // Throws SearchStopped if the search was interrupted or is late.
  void check() const {
    if (interrupted.load(std::memory_order_relaxed)) throw SearchStopped(Status::kInterrupted);
    if (is_late()) throw SearchStopped(Status::kTimeLimit);
  }

  std::atomic<bool> interrupted = false;
  std::atomic<uint64_t> expanded = 0;
  std::atomic<uint64_t> states = 0;
  std::atomic<uint64_t> used_bytes = 0;
  std::atomic<int> best = INT32_MAX;  // the lowest heuristic value so far

  // The shortest plan so far. Threads share it, and the caller may read it while they search.
  // `offer_plan` replaces it by a shorter one.
  void offer_plan(const std::vector<uint8_t>& plan) {
    if (on_offer) on_offer(plan);
    const std::lock_guard lock(root_.plan_mutex_);
    if (root_.has_plan_ && plan.size() >= root_.plan_.size()) return;
    root_.plan_ = plan;
    root_.has_plan_ = true;
  }
  std::vector<uint8_t> best_plan() const {
    const std::lock_guard lock(root_.plan_mutex_);
    return root_.plan_;
  }

  // What is proved: no plan has fewer actions than `lower_bound`, of this thread or, in the root,
  // of any. Only one thread writes it.
  void prove_at_least(int actions) {
    if (actions > lower_bound) lower_bound = actions;
  }
  bool has_shortest_plan() const {
    const std::lock_guard lock(root_.plan_mutex_);
    return root_.has_plan_ && root_.plan_.size() <= static_cast<size_t>(root_.lower_bound);
  }
  std::atomic<int> lower_bound = 0;

  // Called with each plan that this thread offers, if set. May throw to withdraw it.
  std::function<void(const std::vector<uint8_t>&)> on_offer;

  // Called on the thread of the search at each of its checkpoints, if set.
  std::function<void()> on_check;

 private:
  Clock::time_point deadline_;
  uint64_t max_bytes_;
  uint64_t max_states_;
  std::atomic<uint64_t> engine_bytes_ = 0;
  std::atomic<uint64_t> all_states_ = 0;
  mutable std::mutex plan_mutex_;
  std::vector<uint8_t> plan_;
  bool has_plan_ = false;
  Control& root_;  // counts the memory of all threads, because they end together
};

}  // namespace pushworld
