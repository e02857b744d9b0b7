#include "search/shorten/threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "util/joined_threads.h"

namespace pushworld {

SearchResult run_on_threads(Control& control, size_t threads,
                            const std::function<SearchResult(Control&, size_t)>& search) {
  std::vector<std::unique_ptr<Control>> controls;
  std::vector<SearchResult> results(threads);
  for (size_t i = 0; i < threads; ++i) {
    controls.push_back(std::make_unique<Control>(control, 1.0 / static_cast<double>(threads)));
  }
  std::mutex mutex;  // guards the variables below
  std::condition_variable finished;
  size_t running = threads;
  std::exception_ptr error;
  const auto interrupt = [&] {
    for (const auto& each : controls) each->interrupted = true;
  };
  const auto run = [&](size_t i) {
    try {
      results[i] = search(*controls[i], i);
      if (results[i].status == Status::kSolved) interrupt();
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      interrupt();
    }
    const std::lock_guard lock(mutex);
    --running;
    finished.notify_one();
  };
  const auto publish = [&] {
    uint64_t expanded = 0, states = 0, bytes = 0;
    int best = INT32_MAX;
    for (const auto& each : controls) {
      expanded += each->expanded;
      states += each->states;
      bytes += each->used_bytes;
      best = std::min(best, each->best.load());
    }
    control.expanded = expanded;
    control.states = states;
    control.used_bytes = bytes;
    control.best = best;
    if (control.interrupted) interrupt();
  };
  {
    JoinedThreads workers;
    try {
      for (size_t i = 0; i < threads; ++i) workers.start([&run, i] { run(i); });
    } catch (...) {  // the system has no thread left
      interrupt();
      throw;
    }
    for (std::unique_lock lock(mutex); running > 0;) {
      finished.wait_for(lock, std::chrono::milliseconds(20));
      publish();
    }
  }
  if (error) std::rethrow_exception(error);
  SearchResult total = results[0];
  for (size_t i = 1; i < threads; ++i) {
    const SearchResult& each = results[i];
    total.expanded += each.expanded;
    total.generated += each.generated;
    total.evaluated += each.evaluated;
    total.states += each.states;
    total.peak_bytes += each.peak_bytes;
    if (each.plan.size() < total.plan.size()) total.plan = each.plan;
    if (each.status == Status::kSolved) total.status = each.status;
  }
  return total;
}

}  // namespace pushworld
