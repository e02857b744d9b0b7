// Threads that are joined at the end. Apple's library has no std::jthread.
#pragma once

#include <thread>
#include <vector>

namespace pushworld {

class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) thread.join();
  }

  // Throws std::system_error if the system has no thread left.
  template <typename Work>
  void start(Work work) {
    threads_.emplace_back(work);
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace pushworld
