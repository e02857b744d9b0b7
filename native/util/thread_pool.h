// A pool of threads that live as long as the process.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pushworld {

class ThreadPool {
 public:
  // The pool of this process. A forked child gets its own.
  static ThreadPool& shared();

  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;

  // Calls work(0), ..., work(parts - 1), each once, on at most `parts` threads. The calling thread
  // is one of them and calls work(0). Returns when all calls have ended. Rethrows the first
  // exception. Thread-safe.
  void run(size_t parts, const std::function<void(size_t)>& work);

  // Ends all threads. After that, `run` uses the calling thread only.
  void stop();

 private:
  struct Job;

  void start_threads(size_t count);
  void serve();
  // Runs the next part of a job. Releases the lock while it runs.
  void do_part(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // guards the members below and all jobs
  std::condition_variable work_available_;
  std::vector<std::thread> threads_;
  std::vector<Job*> jobs_;  // those with parts that have not started
  bool is_stopped_ = false;
};

// Splits 0..count into equal ranges and calls work(begin, end) for each, on at most `threads`
// threads, each of which has at least `min_range` entries on average: below that, a thread costs
// more time than it saves. There are several ranges for each thread, so that nobody waits for a
// thread that comes late.
template <typename Work>
void parallel_for(size_t count, size_t min_range, int threads, const Work& work) {
  constexpr size_t kRangesPerThread = 4;
  const size_t max_parts = static_cast<size_t>(std::max(threads, 1));
  const size_t parts = std::clamp<size_t>(count / min_range, 1, max_parts);
  if (parts == 1) return work(0, count);
  const size_t ranges = kRangesPerThread * parts;
  std::atomic<size_t> next = 0;
  ThreadPool::shared().run(parts, [&](size_t) {
    for (size_t range = next++; range < ranges; range = next++) {
      work(count * range / ranges, count * (range + 1) / ranges);
    }
  });
}

}  // namespace pushworld
