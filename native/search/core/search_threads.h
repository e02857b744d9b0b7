// The threads of a search, which share its limits.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "search/core/control.h"

namespace pushworld {

class SearchThreads {
 public:
  // A thread for each share of the memory. All have a share of the time that is left.
  SearchThreads(Control& control, const std::vector<double>& shares, double time_share = 1);

  size_t size() const { return controls_.size(); }
  Control& operator[](size_t thread) const { return *controls_[thread]; }
  void interrupt() const;

  // Runs search(number of the thread) on each thread, or on the calling one if it is the only one,
  // for systems without others. Publishes the sums of their counters and the best lower bound
  // meanwhile, and forwards an interrupt; interrupts all if the plan is proved to be a shortest
  // one. Returns the sums of the numbers of all results, and the shortest plan and the status of
  // the first that is solved, or of the first. If a search throws, interrupts the others and throws
  // the same.
  SearchResult run(const std::function<SearchResult(size_t)>& search) const;

 private:
  void publish() const;

  Control& control_;
  std::vector<std::unique_ptr<Control>> controls_;
};

}  // namespace pushworld
