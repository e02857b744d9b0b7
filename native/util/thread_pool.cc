#include "util/thread_pool.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <system_error>

#include "util/platform.h"

namespace pushworld {
namespace {

// Never deleted, because other threads may still use it at exit.
std::atomic<ThreadPool*> process_pool = nullptr;

[[maybe_unused]] const bool is_registered = [] {
  // A forked child has none of the threads, and its copy of the mutex may stay locked. So the child
  // makes a new pool.
  call_in_forked_child([] { process_pool = nullptr; });
  std::atexit([] {
    if (ThreadPool* const pool = process_pool) pool->stop();
  });
  return true;
}();

}  // namespace

struct ThreadPool::Job {
  const std::function<void(size_t)>& work;
  const size_t parts;
  size_t next = 0;   // the next part to start
  size_t ended = 0;  // the number of parts that have ended
  std::exception_ptr error = nullptr;
  std::condition_variable all_ended = {};
};

ThreadPool& ThreadPool::shared() {
  if (ThreadPool* const pool = process_pool) return *pool;
  ThreadPool* pool = nullptr;
  ThreadPool* const made = new ThreadPool;
  if (process_pool.compare_exchange_strong(pool, made)) return *made;
  delete made;  // another thread was faster
  return *pool;
}

void ThreadPool::run(size_t parts, const std::function<void(size_t)>& work) {
  if (parts <= 1) return work(0);
  Job job{.work = work, .parts = parts};
  std::unique_lock lock(mutex_);
  start_threads(parts - 1);
  jobs_.push_back(&job);
  work_available_.notify_all();
  while (job.next < parts) do_part(job, lock);
  job.all_ended.wait(lock, [&] { return job.ended == parts; });
  if (job.error) std::rethrow_exception(job.error);
}

void ThreadPool::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    threads.swap(threads_);
  }
  work_available_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void ThreadPool::start_threads(size_t count) {
  try {
    while (!is_stopped_ && threads_.size() < count) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // The system has no more threads. The existing ones do the work.
  }
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_available_.wait(lock, [&] { return is_stopped_ || !jobs_.empty(); });
    if (is_stopped_) return;
    do_part(*jobs_.front(), lock);
  }
}

void ThreadPool::do_part(Job& job, std::unique_lock<std::mutex>& lock) {
  const size_t part = job.next++;
  if (job.next == job.parts) std::erase(jobs_, &job);
  lock.unlock();
  std::exception_ptr error;
  try {
    job.work(part);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error && !job.error) job.error = error;
  // `run` may destroy the job as soon as its last part has ended, so nothing reads it after this.
  if (++job.ended == job.parts) job.all_ended.notify_one();
}

}  // namespace pushworld
