#include "search/shorten/world_shortening.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "search/shorten/neighbourhood_search.h"

namespace pushworld {

WorldShortening::WorldShortening(const Dynamics& dynamics, LimitGuard& guard, size_t thread,
                                 size_t threads)
    : dynamics_(dynamics),
      guard_(guard),
      result_(guard.result()),
      are_walks_free_(thread % 2 == 0),
      is_first_(result_.states == 0),
      first_round_(thread / 2),
      rounds_(thread % 2 == 1 ? threads / 2 : (threads + 1) / 2) {
  distant_[kFromStart].is_used = thread % 2 == 0;
  distant_[kFromPlan].is_used = distant_[kOtherPlans].is_used = thread % 2 == 1 || threads == 1;
  distant_[kFromStart].cost = 1;
  distant_[kFromPlan].cost = 2;
  distant_[kOtherPlans].cost = 2;
  for (DistantSearch& each : distant_) each.round = first_round_;
  seed_ = 1000 * first_round_;
}

WorldShortening::~WorldShortening() = default;

Status WorldShortening::advance() try {
  if (!around_ || result_.plan.size() < length_) begin_again();
  for (;;) {
    const Status status = around_->advance(states_around_);
    guard_.control().offer_plan(result_.plan);
    const bool is_full = status == Status::kMemoryLimit;
    const bool begins_again =
        is_full ? drop_tables() || around_->is_shorter() : around_->is_much_shorter();
    length_ = result_.plan.size();
    if (begins_again && (is_full || status == Status::kUnknown)) {
      begin_again();
      continue;
    }
    if (is_full || (are_walks_free_ && std::exchange(is_first_, false))) around_.reset();
    return status == Status::kUnknown ? search_far_away() : status;
  }
} catch (const std::bad_alloc&) {  // there is no memory to begin again
  around_.reset();
  return Status::kMemoryLimit;
}

void WorldShortening::begin_again() {
  around_.reset();  // its memory first
  around_ =
      std::make_unique<NeighbourhoodSearch>(dynamics_, are_walks_free_ && !is_first_, true, guard_);
  length_ = result_.plan.size();
  states_around_ = kFirstStates;
}

// Runs the distant search that has had the least effort. Returns the status of a limit or
// kUnknown.
Status WorldShortening::search_far_away() {
  DistantSearch* next = nullptr;
  for (DistantSearch& each : distant_) {
    if (!each.is_used || result_.plan.size() >= each.too_long) continue;
    if (!next || each.effort < next->effort) next = &each;
  }
  const uint64_t states_before = result_.states;
  const uint64_t pushes_before = result_.generated;
  Status status = Status::kUnknown;
  if (next) {
    status = attempt(*next, [&] {
      if (next == &distant_[kFromStart]) return search_from_start();
      return next == &distant_[kFromPlan] ? search_from_plan() : search_other_plans();
    });
    next->effort += next->cost * std::max(kMinPushes, result_.generated - pushes_before);
  }
  states_around_ = std::max(kMinStates, kStatesPerBeamState * (result_.states - states_before));
  return status;
}

// Returns the next round of a kind. A new plan is a new guide and has other endings, so that quick
// searches may find something again.
size_t WorldShortening::next_round(DistantSearch& kind) {
  if (kind.plan != best_) {
    kind.plan = best_;
    kind.round = first_round_;
  }
  return std::exchange(kind.round, kind.round + rounds_);
}

bool WorldShortening::search_from_start() {
  const size_t round =
      std::exchange(distant_[kFromStart].round, distant_[kFromStart].round + rounds_);
  const auto feature = static_cast<BeamFeature>(round % kNumFeaturesFromStart);
  return beam().search(width(round), feature, best_);
}

bool WorldShortening::search_from_plan() {
  const int first_other = dynamics_.world().num_goals() + 1;
  const auto others = static_cast<size_t>(dynamics_.world().num_objects() - first_other);
  const size_t variants = 1 + 2 * others;
  const size_t round = next_round(distant_[kFromPlan]);
  const size_t variant = round % variants;
  const size_t width = this->width(round / variants);
  if (variant == 0) return beam().search_from_plan(width, best_, PushBeam::kNoObject, false);
  const int free = first_other + static_cast<int>((variant - 1) % others);
  return beam().search_from_plan(width, best_, free, variant <= others);
}

bool WorldShortening::search_other_plans() {
  DistantSearch& kind = distant_[kOtherPlans];
  if (kind.plan != best_) {
    std::for_each(other_plans_.begin() + 1, other_plans_.end(), [](auto& each) { each.reset(); });
  }
  const size_t eighths = kEighthsKept[next_round(kind) % kEighthsKept.size()];
  std::unique_ptr<OtherPlans>& plans = other_plans_[eighths];
  if (!plans || plans->is_finished()) {
    const auto kept = static_cast<ptrdiff_t>(best_.size() * eighths / 8);
    plans.reset();  // its memory first
    plans = std::make_unique<OtherPlans>(
        dynamics_, std::vector<uint8_t>(best_.begin(), best_.begin() + kept), ++seed_, guard_);
  }
  return plans->advance(kPushes, best_.size());
}

bool WorldShortening::drop_tables() {
  bool any = std::exchange(beam_, nullptr) != nullptr;
  for (auto& each : other_plans_) any |= std::exchange(each, nullptr) != nullptr;
  return any;
}

// Lets `search` write another plan to the result. Restores the best plan unless the other one is
// shorter. Returns the status of a limit or kUnknown.
template <typename Search>
Status WorldShortening::attempt(DistantSearch& kind, const Search& search) {
  best_.swap(result_.plan);
  result_.plan.clear();
  bool is_found = false;
  const Status status = guard_.run([&] {
    try {
      is_found = search() && result_.plan.size() < best_.size();
    } catch (const std::bad_alloc&) {  // the search around the plan may have enough
      kind.too_long = best_.size();
      drop_tables();
    } catch (const std::invalid_argument&) {  // the world is too large
      kind.is_used = false;
    }
    return Status::kUnknown;
  });
  if (!is_found) result_.plan = best_;
  return status;
}

}  // namespace pushworld
