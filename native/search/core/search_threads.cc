#include "search/core/search_threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace pushworld {

SearchThreads::SearchThreads(Control& control, const std::vector<double>& shares, double time_share)
    : control_(control) {
  for (const double share : shares) {
    controls_.push_back(std::make_unique<Control>(control, share, time_share));
  }
}

void SearchThreads::interrupt() const {
  for (const auto& each : controls_) each->interrupted = true;
}

void SearchThreads::publish() const {
  uint64_t expanded = 0, states = 0, bytes = 0;
  int best = INT32_MAX;
  for (const auto& each : controls_) {
    expanded += each->expanded;
    states += each->states;
    bytes += each->used_bytes;
    best = std::min(best, each->best.load());
    control_.prove_at_least(each->lower_bound);
  }
  control_.expanded = expanded;
  control_.states = states;
  control_.used_bytes = bytes;
  control_.best = best;
  if (control_.interrupted || control_.has_shortest_plan()) interrupt();
}

SearchResult SearchThreads::run(const std::function<SearchResult(size_t)>& search) const {
  std::vector<SearchResult> results(size());
  if (size() == 1) {
    controls_[0]->on_check = [this] {
      publish();
      if (control_.on_check) control_.on_check();
    };
    results[0] = search(0);
    publish();
    return results[0];
  }
  std::mutex mutex;  // guards the variables below
  std::condition_variable finished;
  size_t running = size();
  std::exception_ptr error;
  const auto run_one = [&](size_t i) {
    try {
      results[i] = search(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      interrupt();
    }
    const std::lock_guard lock(mutex);
    --running;
    finished.notify_one();
  };
  std::vector<std::thread> threads;  // Apple's library has no std::jthread
  const auto join_all = [&] {
    for (std::thread& thread : threads) thread.join();
  };
  try {
    for (size_t i = 0; i < size(); ++i) threads.emplace_back(run_one, i);
  } catch (...) {  // the system has no thread left
    interrupt();
    join_all();
    throw;
  }
  for (std::unique_lock lock(mutex); running > 0;) {
    finished.wait_for(lock, std::chrono::milliseconds(20));
    publish();
  }
  join_all();
  if (error) std::rethrow_exception(error);
  SearchResult total = results[0];
  for (size_t i = 1; i < size(); ++i) {
    const SearchResult& each = results[i];
    total.add_counts(each);
    total.peak_bytes += each.peak_bytes;
    if (each.plan.size() < total.plan.size()) total.plan = each.plan;
    if (each.status == Status::kSolved) total.status = each.status;
  }
  return total;
}

}  // namespace pushworld
