#include "search/push_portfolio.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "search/push_search.h"

namespace pushworld {
namespace {

// The orders of each search of a portfolio; the first is also the one of a single thread.
const std::vector<std::vector<PushOrder>> kPortfolio = {
    {PushOrder::kGreedyDistanceBands, PushOrder::kNovelGoalCells, PushOrder::kDisplacedCells},
    {PushOrder::kDistanceBands, PushOrder::kDisplacedCells, PushOrder::kGoalCells},
};

// Runs the searches side by side until one of them has a result that is not a limit.
SearchResult run_portfolio(const Dynamics& dynamics, uint64_t seed, Control& control, int threads) {
  std::mutex mutex;
  std::condition_variable finished;
  std::vector<std::unique_ptr<Control>> controls;
  std::vector<SearchResult> results(threads);
  std::vector<std::exception_ptr> errors(threads);
  int running = threads;
  int winner = -1;
  for (int i = 0; i < threads; ++i) controls.push_back(std::make_unique<Control>(control, threads));
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] {
        const std::vector<PushOrder>& orders = kPortfolio[i % kPortfolio.size()];
        try {
          results[i] = search_pushes(dynamics, orders, seed + i / kPortfolio.size(), *controls[i]);
        } catch (const std::bad_alloc&) {
          results[i].status = Status::kMemoryLimit;
        } catch (...) {
          errors[i] = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        const bool conclusive = errors[i] || results[i].status == Status::kSolved ||
                                results[i].status == Status::kUnsolvable;
        if (conclusive && winner < 0) {
          winner = i;
          for (const auto& other : controls) other->interrupted = true;
        }
        --running;
        finished.notify_one();
      });
    }
    std::unique_lock lock(mutex);
    while (running > 0) {
      finished.wait_for(lock, std::chrono::milliseconds(20));
      control.gather(controls);
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  SearchResult total = results[std::max(winner, 0)];
  for (int i = 0; i < threads; ++i) {
    if (i == std::max(winner, 0)) continue;
    total.expanded += results[i].expanded;
    total.generated += results[i].generated;
    total.evaluated += results[i].evaluated;
    total.states += results[i].states;
    total.peak_bytes += results[i].peak_bytes;
  }
  return total;
}

}  // namespace

SearchResult solve_by_pushes(const Dynamics& dynamics, uint64_t seed, Control& control,
                             int threads) {
  if (dynamics.world().num_objects() > 64) {
    throw std::invalid_argument("this planner takes at most 63 movable objects");
  }
  if (threads <= 1) return search_pushes(dynamics, kPortfolio[0], seed, control);
  return run_portfolio(dynamics, seed, control, threads);
}

}  // namespace pushworld
