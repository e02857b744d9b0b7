#include "search/push_portfolio.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "search/action_space.h"
#include "search/push_search.h"

namespace pushworld {
namespace {

// How many pushes a search looks at before the next one on its thread goes on.
constexpr uint64_t kShortTurn = 5000;
constexpr uint64_t kLongTurn = 2 * kShortTurn;

struct Part {
  PushStrategy strategy;
  uint64_t turn;
};

// In the order in which threads take them. The first two solve most puzzles; the others solve some
// that they do not.
const std::vector<Part> kParts = {
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kProspectCells, PushOrder::kNovelGoalCells},
      Transits::kAll},
     kLongTurn},
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kProspectCells, PushOrder::kDisplacedCells},
      Transits::kSingleObjects},
     kLongTurn},
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kCargoDisplacedCells,
       PushOrder::kNovelGoalCells},
      Transits::kAll},
     kShortTurn},
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kCargoGoalCells, PushOrder::kDisplacedCells},
      Transits::kSingleObjects},
     kShortTurn},
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kNovelGoalCells, PushOrder::kDisplacedCells},
      Transits::kNone},
     kShortTurn},
    {{{PushOrder::kGreedyDistanceBands, PushOrder::kCargoGoalCells, PushOrder::kNovelGoalCells},
      Transits::kAll},
     kShortTurn},
};

// The searches of one thread, which take turns.
struct Member {
  uint64_t seed;
  std::vector<PushStrategy> strategies;
  std::vector<uint64_t> turns;
  std::vector<Control*> controls;
  SearchResult spent;  // counters of all its searches

  void count(const SearchResult& result) {
    spent.expanded += result.expanded;
    spent.generated += result.generated;
    spent.evaluated += result.evaluated;
    spent.states += result.states;
    spent.peak_bytes += result.peak_bytes;
  }
};

// Searches on several threads until one of them is conclusive, or none is left.
class Portfolio {
 public:
  Portfolio(const Dynamics& dynamics, uint64_t seed, Control& control, int threads)
      : dynamics_(dynamics), control_(control), members_(threads) {
    const size_t searches = std::max<size_t>(threads, kParts.size());
    for (size_t i = 0; i < searches; ++i) {
      controls_.push_back(std::make_unique<Control>(control, static_cast<int>(searches)));
      Member& member = members_[i % threads];
      member.seed = seed + i / kParts.size();
      const Part& part = kParts[i % kParts.size()];
      member.strategies.push_back(part.strategy);
      member.turns.push_back(part.turn);
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
    for (const Member& member : members_) whole.count(member.spent);
    // All searches begin with the same state.
    whole.spent.states -= std::min<uint64_t>(whole.spent.states, controls_.size() - 1);
    whole.spent.status = status_;
    whole.spent.plan = plan_;
    return whole.spent;
  }

 private:
  void run(Member& member) {
    try {
      take_turns(member);
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

  void take_turns(Member& member) {
    SearchResult start;
    const size_t bytes = position_index_bytes(dynamics_.world());
    if (member.controls[0]->should_stop(start, bytes, INT32_MAX)) {
      return conclude(start.status, {});
    }
    auto searches = make_push_searches(dynamics_, member.strategies, member.seed, member.controls);
    for (size_t running = searches.size(); running > 0;) {
      for (size_t i = 0; i < searches.size(); ++i) {
        if (!searches[i] || (!is_decided_ && searches[i]->advance(member.turns[i]))) continue;
        const SearchResult& result = searches[i]->result();
        member.count(result);
        conclude(result.status, result.plan);
        searches[i].reset();
        --running;
      }
    }
  }

  // Takes the outcome of a search; the first that is no limit ends all others.
  void conclude(Status status, const std::vector<uint8_t>& plan) {
    const std::lock_guard lock(mutex_);
    if (is_decided_) return;
    const bool is_limit = status != Status::kSolved && status != Status::kUnsolvable;
    // Of several limits that of time tells most: with more of it the others may go on.
    if (!is_limit || status_ != Status::kTimeLimit) status_ = status;
    if (is_limit) return;
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

  std::mutex mutex_;  // of all that follows
  std::condition_variable finished_;
  size_t running_ = 0;
  std::atomic<bool> is_decided_ = false;
  Status status_ = Status::kMemoryLimit;
  std::vector<uint8_t> plan_;
  std::exception_ptr error_;
};

}  // namespace

SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control,
                             int threads) {
  if (dynamics.world().num_objects() > 64) {
    throw std::invalid_argument("this planner takes at most 63 movable objects");
  }
  return Portfolio(dynamics, seed, control, std::max(threads, 1)).run();
}

}  // namespace pushworld
