// A search on several threads that share its limits.
#pragma once

#include <cstddef>
#include <functional>

#include "search/core/control.h"

namespace pushworld {

// Runs search(control of the thread, number of the thread) on each of the threads, which share the
// memory in equal parts. A search that returns kSolved interrupts the others. Returns the sums of
// the numbers, the shortest plan, and kSolved or the status of the first thread.
SearchResult run_on_threads(Control& control, size_t threads,
                            const std::function<SearchResult(Control&, size_t)>& search);

}  // namespace pushworld
