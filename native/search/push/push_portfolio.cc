#include "search/push/push_portfolio.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "search/core/search_threads.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

// The searches of a thread, which take turns and share its memory.
struct Member {
  uint64_t seed = 0;
  std::vector<Strategy> strategies;
  uint64_t started = 0;  // the number of searches that have generated a state
};

std::vector<Member> members_of(const std::vector<Strategy>& strategies, uint64_t seed,
                               size_t threads) {
  std::vector<Member> members(threads);
  for (size_t i = 0; i < std::max(threads, strategies.size()); ++i) {
    members[i % threads].seed = seed + i / strategies.size();
    members[i % threads].strategies.push_back(strategies[i % strategies.size()]);
  }
  return members;
}

// The part of the memory for each of them.
std::vector<double> shares_of(const std::vector<Member>& members) {
  std::vector<double> shares;
  double all = 0;
  for (const Member& member : members) {
    shares.push_back(0);
    for (const Strategy& strategy : member.strategies) shares.back() += strategy.share;
    all += shares.back();
  }
  for (double& share : shares) share /= all;
  return shares;
}

// Runs searches on several threads until one has a definite result or all have ended.
class Portfolio {
 public:
  Portfolio(const Dynamics& dynamics, uint64_t seed, Control& control, size_t threads,
            const std::vector<Strategy>& strategies)
      : dynamics_(dynamics),
        control_(control),
        members_(members_of(strategies, seed, threads)),
        threads_(control, shares_of(members_)) {}

  SearchResult run() {
    SearchResult total = threads_.run([this](size_t thread) {
      LimitGuard guard(threads_[thread]);
      search(thread, guard);
      return guard.result();
    });
    total.status = status_;
    total.plan = plan_;
    uint64_t started = 0;
    for (const Member& member : members_) started += member.started;
    // Count the initial state once.
    if (started > 1) total.states -= started - 1;
    return total;
  }

 private:
  // Alternates between the searches of a thread until all have ended.
  void search(size_t thread, LimitGuard& guard) {
    Member& member = members_[thread];
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
        update_state_limit(thread);
        const uint64_t states = guard.result().states;
        std::vector<uint8_t> plan;
        const Status status = guard.run([&] {
          const Strategy& strategy = member.strategies[turn];
          Outcome outcome = searches[turn]->advance(strategy.options.turn * strategy.share);
          plan = std::move(outcome.plan);
          return outcome.status;
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
  void update_state_limit(size_t thread) {
    uint64_t others = 0;
    for (size_t other = 0; other < threads_.size(); ++other) {
      if (other != thread) others += threads_[other].states;
    }
    const uint64_t limit = control_.max_states();
    threads_[thread].set_max_states(limit > others ? limit - others : 0);
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
    is_decided_ = true;
    threads_.interrupt();
  }

  const Dynamics& dynamics_;
  Control& control_;
  std::vector<Member> members_;
  SearchThreads threads_;

  std::mutex mutex_;  // guards the members below
  std::atomic<bool> is_decided_ = false;
  Status status_ = Status::kMemoryLimit;
  std::vector<uint8_t> plan_;
};

}  // namespace

SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control, int threads,
                             const std::vector<Strategy>& strategies) {
  check_strategies(strategies);
  LimitGuard guard(control);
  Applicable chosen;
  const Status status = guard.run([&] {
    chosen = applicable(strategies, dynamics.world(), guard);
    return Status::kUnknown;
  });
  if (status != Status::kUnknown) {
    guard.result().status = status;
    return guard.result();
  }
  SearchResult result =
      Portfolio(dynamics, seed, control, std::max(threads, 1), chosen.strategies).run();
  result.unsuitable = std::move(chosen.unsuitable);
  return result;
}

}  // namespace pushworld
