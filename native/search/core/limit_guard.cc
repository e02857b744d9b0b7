#include "search/core/limit_guard.h"

#include <utility>

namespace pushworld {

LimitGuard::LimitGuard(Control& control, SearchResult& result, std::function<size_t()> bytes,
                       std::function<size_t()> bytes_ahead)
    : control_(control),
      result_(result),
      bytes_(std::move(bytes)),
      bytes_ahead_(std::move(bytes_ahead)) {}

void LimitGuard::check() {
  if (control_.should_stop(result_, bytes_(), bytes_ahead_(), best_)) throw SearchStopped{};
}

void LimitGuard::finish() {
  const Status status = result_.status;
  control_.should_stop(result_, bytes_(), bytes_(), best_);
  result_.status = status;
}

}  // namespace pushworld
