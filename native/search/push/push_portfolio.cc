#include "search/push/push_portfolio.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "search/push/search_factory.h"
#include "util/joined_threads.h"

namespace pushworld {
namespace {

// The number of pushes that a search of share 1 generates in a turn.
constexpr uint64_t kTurn = 2000;

// A thread and its searches, which take turns and share its memory.
struct Member {
  uint64_t seed = 0;
  std::vector<Strategy> strategies;
  std::unique_ptr<Control> control;
  SearchResult result;   // of all its searches
  uint64_t started = 0;  // the number of searches that have generated a state
};

// The searches of strategies are complete, so nothing left to try means that memory was short.
Status status_of(Progress progress) {
  if (progress == Progress::kOpen) return Status::kUnknown;
  if (progress == Progress::kSolved) return Status::kSolved;
  return progress == Progress::kUnsolvable ? Status::kUnsolvable : Status::kMemoryLimit;
}

// Runs searches on several threads until one has a definite result or all have ended.
class Portfolio {
 public:
  Portfolio(const Dynamics& dynamics, uint64_t seed, Control& control, size_t threads,
            const std::vector<Strategy>& strategies)
      : dynamics_(dynamics), control_(control), members_(threads) {
    const size_t searches = std::max(threads, strategies.size());
    double all_shares = 0;
    for (size_t i = 0; i < searches; ++i) {
      const Strategy& strategy = strategies[i % strategies.size()];
      Member& member = members_[i % threads];
      member.seed = seed + i / strategies.size();
      member.strategies.push_back(strategy);
      all_shares += strategy.share;
    }
    for (Member& member : members_) {
      double shares = 0;
      for (const Strategy& strategy : member.strategies) shares += strategy.share;
      member.control = std::make_unique<Control>(control, shares / all_shares);
    }
  }

  SearchResult run() {
    running_ = members_.size();
    if (running_ == 1) {
      run_here(members_[0]);
    } else {
      JoinedThreads threads;
      try {
        for (Member& member : members_) threads.start([this, &member] { run(member); });
      } catch (...) {  // the system has no thread left
        end_all();
        throw;
      }
      std::unique_lock lock(mutex_);
      while (running_ > 0) {
        finished_.wait_for(lock, std::chrono::milliseconds(20));
        publish();
      }
    }
    if (error_) std::rethrow_exception(error_);
    SearchResult total{.status = status_, .plan = plan_};
    uint64_t started = 0;
    for (const Member& member : members_) {
      total.expanded += member.result.expanded;
      total.generated += member.result.generated;
      total.evaluated += member.result.evaluated;
      total.states += member.result.states;
      total.peak_bytes += member.result.peak_bytes;
      started += member.started;
    }
    // Count the initial state once.
    if (started > 1) total.states -= started - 1;
    return total;
  }

 private:
  // Runs the only member on the calling thread, for systems without other ones.
  void run_here(Member& member) {
    member.control->on_check = [this] {
      publish();
      if (control_.on_check) control_.on_check();
    };
    run(member);
    publish();
  }

  // Publishes the sums over all threads. Forwards an interrupt to them.
  void publish() {
    uint64_t expanded = 0, states = 0, bytes = 0;
    int best = INT32_MAX;
    for (const Member& member : members_) {
      expanded += member.control->expanded;
      states += member.control->states;
      bytes += member.control->used_bytes;
      best = std::min(best, member.control->best.load());
      if (control_.interrupted) member.control->interrupted = true;
    }
    control_.expanded = expanded;
    control_.states = states;
    control_.used_bytes = bytes;
    control_.best = best;
  }

  void run(Member& member) {
    try {
      LimitGuard guard(*member.control);
      search(member, guard);
      member.result = guard.result();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      end_all();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  // Alternates between the searches of a thread until all have ended.
  void search(Member& member, LimitGuard& guard) {
    PushSearches searches;
    const Status status = guard.run([&] {
      guard.check();
      searches = make_push_searches(dynamics_, member.strategies, member.seed, guard);
      return searches.empty() ? Status::kMemoryLimit : Status::kUnknown;
    });
    if (status != Status::kUnknown) conclude(status, {});
    size_t turn = 0;
    // A search that runs out of memory continues if there is a later search: that one ends instead.
    guard.memory().set_make_room([&] {
      size_t last = searches.size() - 1;
      while (!searches[last]) --last;
      if (last == turn) return false;
      conclude(Status::kMemoryLimit, {});
      searches[last].reset();
      return true;
    });
    bool is_first_round = true;
    for (bool any = true; any; is_first_round = false) {
      any = false;
      for (turn = 0; turn < searches.size() && !is_decided_; ++turn) {
        if (!searches[turn]) continue;
        update_state_limit(member);
        const uint64_t states = guard.result().states;
        std::vector<uint8_t> plan;
        const Status status = guard.run([&] {
          Outcome outcome = searches[turn]->advance(kTurn * member.strategies[turn].share);
          plan = std::move(outcome.plan);
          return status_of(outcome.progress);
        });
        member.started += is_first_round && guard.result().states > states;
        any |= status == Status::kUnknown;
        if (status == Status::kUnknown) continue;
        conclude(status, plan);
        searches[turn].reset();
      }
    }
  }

  // Sets the state limit of a thread: the limit of the portfolio minus the states that the other
  // threads have published.
  void update_state_limit(Member& member) {
    uint64_t others = 0;
    for (const Member& other : members_) {
      if (&other != &member) others += other.control->states;
    }
    const uint64_t limit = control_.max_states();
    member.control->set_max_states(limit > others ? limit - others : 0);
  }

  // Records how a search ended. A solution, a proof or the state limit ends all searches.
  void conclude(Status status, const std::vector<uint8_t>& plan) {
    const std::lock_guard lock(mutex_);
    if (is_decided_) return;
    const bool is_limit = status != Status::kSolved && status != Status::kUnsolvable;
    // If searches ended at different limits, report the time limit: with more time, a search could
    // have continued.
    if (!is_limit || status_ != Status::kTimeLimit) status_ = status;
    if (is_limit && status != Status::kStateLimit) return;
    plan_ = plan;
    end_all();
  }

  void end_all() {
    is_decided_ = true;
    for (const Member& member : members_) member.control->interrupted = true;
  }

  const Dynamics& dynamics_;
  Control& control_;
  std::vector<Member> members_;

  std::mutex mutex_;  // guards the members below
  std::condition_variable finished_;
  size_t running_ = 0;
  std::atomic<bool> is_decided_ = false;
  Status status_ = Status::kMemoryLimit;
  std::vector<uint8_t> plan_;
  std::exception_ptr error_;
};

}  // namespace

SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control, int threads,
                             const std::vector<Strategy>& strategies) {
  check_strategies(strategies);
  Applicable chosen = applicable(strategies, dynamics.world());
  SearchResult result =
      Portfolio(dynamics, seed, control, std::max(threads, 1), chosen.strategies).run();
  result.unsuitable = std::move(chosen.unsuitable);
  return result;
}

}  // namespace pushworld
