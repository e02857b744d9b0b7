#include "search/watch.h"

#include <algorithm>
#include <utility>

namespace pushworld {

Watch::Watch(Control& control, SearchResult& result, std::function<size_t()> bytes,
             std::function<size_t()> bytes_ahead)
    : control_(control),
      result_(result),
      bytes_(std::move(bytes)),
      bytes_ahead_(std::move(bytes_ahead)) {}

void Watch::look() {
  const uint64_t peak = std::max<uint64_t>(result_.peak_bytes, bytes_());
  const bool stop = control_.should_stop(result_, bytes_ahead_(), best_);
  result_.peak_bytes = peak;  // what was held, not what was held in prospect
  if (stop) throw SearchStopped{};
}

void Watch::finish() {
  const Status status = result_.status;
  control_.should_stop(result_, bytes_(), best_);
  result_.status = status;
}

}  // namespace pushworld
