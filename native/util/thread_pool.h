// Threads that live as long as the process, for work that is shared out again and again.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pushworld {

class ThreadPool {
 public:
  // The pool of this process. After a fork the child has one of its own.
  static ThreadPool& shared();

  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;

  // Calls work(0), ..., work(parts - 1), each once, on at most so many threads, and returns when
  // all have ended. The calling thread does work(0). Throws the first exception of any part. May be
  // called by several threads at once.
  void run(size_t parts, const std::function<void(size_t)>& work);

  // Ends all threads. `run` then does everything on the calling thread.
  void stop();

 private:
  struct Job;

  void start_threads(size_t count);
  void serve();
  // Does the next part of a job; the lock is free meanwhile.
  void do_part(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // of all that follows, and of all jobs
  std::condition_variable work_came_;
  std::vector<std::thread> threads_;
  std::vector<Job*> jobs_;  // with parts that nobody has begun
  bool is_stopped_ = false;
};

// Calls work(begin, end) for equal parts of 0..count on at most so many threads. No part is smaller
// than `least`, below which a thread costs more than it saves.
template <typename Work>
void share(size_t count, size_t least, int threads, const Work& work) {
  const size_t most = static_cast<size_t>(std::max(threads, 1));
  const size_t parts = std::clamp<size_t>(count / least, 1, most);
  if (parts == 1) return work(0, count);
  ThreadPool::shared().run(
      parts, [&](size_t part) { work(count * part / parts, count * (part + 1) / parts); });
}

}  // namespace pushworld
