#include "search/push/push_portfolio.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "search/core/limit_guard.h"
#include "search/core/position_index.h"
#include "search/push/push_search.h"

namespace pushworld {
namespace {

// The pushes that a search of share 1 generates before the next search of its thread has its turn.
constexpr uint64_t kTurn = 5000;

// The searches of one thread, which take turns.
struct Member {
  uint64_t seed;
  std::vector<Strategy> strategies;
  std::vector<Control*> controls;
  PushSearches searches;  // null when they have ended
  SearchResult spent;     // counters of all its searches

  void count(const SearchResult& result) {
    spent.expanded += result.expanded;
    spent.generated += result.generated;
    spent.evaluated += result.evaluated;
    spent.states += result.states;
  }
  void count_bytes() {
    uint64_t bytes = 0;
    for (const auto& search : searches) bytes += search ? search->bytes() : 0;
    spent.peak_bytes = std::max(spent.peak_bytes, bytes);
  }
};

// Runs searches on several threads until one of them is conclusive or all have ended.
class Portfolio {
 public:
  Portfolio(const Dynamics& dynamics, uint64_t seed, Control& control, size_t threads,
            const std::vector<Strategy>& strategies)
      : dynamics_(dynamics), control_(control), members_(threads) {
    const size_t searches = std::max(threads, strategies.size());
    const auto strategy = [&](size_t i) { return strategies[i % strategies.size()]; };
    double all_shares = 0;
    for (size_t i = 0; i < searches; ++i) all_shares += strategy(i).share;
    for (size_t i = 0; i < searches; ++i) {
      controls_.push_back(std::make_unique<Control>(control, strategy(i).share / all_shares));
      Member& member = members_[i % threads];
      member.seed = seed + i / strategies.size();
      member.strategies.push_back(strategy(i));
      member.controls.push_back(controls_.back().get());
    }
  }

  SearchResult run() {
    {
      std::vector<std::jthread> workers;
      running_ = members_.size();
      for (Member& member : members_) workers.emplace_back([this, &member] { run(member); });
      std::unique_lock lock(mutex_);
      while (running_ > 0) {
        finished_.wait_for(lock, std::chrono::milliseconds(20));
        control_.gather(controls_);
      }
    }
    if (error_) std::rethrow_exception(error_);
    Member whole;
    for (const Member& member : members_) {
      whole.count(member.spent);
      whole.spent.peak_bytes += member.spent.peak_bytes;
    }
    // All searches begin with the same state.
    if (begun_ > 1) whole.spent.states -= begun_ - 1;
    whole.spent.status = status_;
    whole.spent.plan = plan_;
    return whole.spent;
  }

 private:
  void run(Member& member) {
    try {
      set_up(member);
      take_turns(member);
    } catch (const SearchStopped&) {
      conclude(member.spent.status, {});
    } catch (const std::bad_alloc&) {
      conclude(Status::kMemoryLimit, {});
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      end_all();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  // Throws SearchStopped with the status in `member.spent`.
  void set_up(Member& member) {
    // The searches share it; the last has the least memory.
    const size_t bytes = ObjectClasses::max_bytes(dynamics_.world()) / member.controls.size();
    LimitGuard guard(*member.controls.back(), member.spent, bytes);
    guard.check();
    member.searches = make_push_searches(dynamics_, member.strategies, member.seed, member.controls,
                                         [&] { guard.check(); });
  }

  void take_turns(Member& member) {
    auto& searches = member.searches;
    const auto is_running = [](const auto& search) { return search != nullptr; };
    while (std::any_of(searches.begin(), searches.end(), is_running)) {
      for (size_t i = 0; i < searches.size(); ++i) {
        if (!searches[i]) continue;
        share_states(member, i);
        const bool goes_on =
            !is_decided_ && searches[i]->advance(kTurn * member.strategies[i].share);
        member.count_bytes();
        if (!goes_on) {
          end(member, i, searches[i]->result().status);
        } else if (searches[i]->lacks_memory()) {
          make_room(member, i);
        }
      }
    }
  }

  // Gives a search the states that the limit leaves after those of all others: exactly those of
  // its own thread, and as last published by other threads.
  void share_states(Member& member, size_t i) {
    uint64_t others = 0;
    for (const auto& control : controls_) others += control->states;
    for (size_t k = 0; k < member.searches.size(); ++k) {
      if (member.searches[k] || k == i) others -= member.controls[k]->states;
      if (member.searches[k] && k != i) others += member.searches[k]->result().states;
    }
    const uint64_t limit = control_.max_states();
    member.controls[i]->set_max_states(limit > others ? limit - others : 0);
  }

  // Ends the last search that runs on the thread. Its memory goes to the search that lacks memory,
  // or to the first one if both are the same.
  void make_room(Member& member, size_t lacking) {
    auto& searches = member.searches;
    size_t first = 0, last = searches.size() - 1;
    while (!searches[first]) ++first;
    while (!searches[last]) --last;
    member.controls[last == lacking ? first : lacking]->take_over(*member.controls[last]);
    end(member, last, Status::kMemoryLimit);
  }

  void end(Member& member, size_t i, Status status) {
    const SearchResult& result = member.searches[i]->result();
    member.count(result);
    begun_ += result.states > 0;
    conclude(status, result.plan);
    member.searches[i].reset();
  }

  // Takes the outcome of a search; the first that is no limit ends all others.
  void conclude(Status status, const std::vector<uint8_t>& plan) {
    const std::lock_guard lock(mutex_);
    if (is_decided_) return;
    const bool is_limit = status != Status::kSolved && status != Status::kUnsolvable;
    // Of several limits, that on time is reported: with more time, other searches may continue.
    if (!is_limit || status_ != Status::kTimeLimit) status_ = status;
    if (is_limit && status != Status::kStateLimit) return;
    plan_ = plan;
    end_all();
  }

  void end_all() {
    is_decided_ = true;
    for (const auto& control : controls_) control->interrupted = true;
  }

  const Dynamics& dynamics_;
  Control& control_;
  std::vector<std::unique_ptr<Control>> controls_;  // of each search
  std::vector<Member> members_;
  std::atomic<uint64_t> begun_ = 0;  // searches that have seen a state

  std::mutex mutex_;  // of all that follows
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
  return Portfolio(dynamics, seed, control, std::max(threads, 1), strategies).run();
}

}  // namespace pushworld
