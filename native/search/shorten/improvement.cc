#include "search/shorten/improvement.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "search/shorten/other_plans.h"
#include "search/shorten/plan_edits.h"
#include "search/shorten/plan_graph.h"

namespace pushworld {

// Improves a plan: a search around it (PlanGraph), and edits of each new best plan (PlanEdits).
class Shortening {
 public:
  Shortening(const Dynamics& dynamics, LimitGuard& guard)
      : guard_(guard), result_(guard.result()), graph_(dynamics, guard), edits_(graph_) {}

  // Shortens the plan of the result for about so many states. The status is kSolved if the open
  // list is empty, kUnknown if there is more to do.
  Status advance(uint64_t states) {
    end_ = result_.states + states;
    const Status status = guard_.run([&] {
      guard_.check();
      if (first_length_ == 0) {
        first_length_ = result_.plan.size();
        graph_.enter_plan(result_.plan);
        edited_length_ = graph_.best_length() + 1;
      }
      return search();
    });
    if (graph_.best_length() < result_.plan.size()) result_.plan = graph_.best_plan(visited_);
    return status;
  }

  bool is_shorter() const { return result_.plan.size() < first_length_; }
  // Whether most of the graph belongs to detours that are gone.
  bool is_much_shorter() const {
    return graph_.best_length() < kMuchShorter * static_cast<double>(first_length_);
  }

 private:
  Status search() {
    PlanState state;
    while (!graph_.is_exhausted()) {
      while (graph_.pop(state)) {
        expand(state);
        if (result_.states >= end_) return Status::kUnknown;
      }
      if (graph_.best_length() == edited_length_) continue;
      if (is_much_shorter()) return Status::kUnknown;
      edited_length_ = graph_.best_length();
      edit_plan();
    }
    return Status::kSolved;
  }

  void expand(PlanState state) {
    ++result_.expanded;
    for (int action = 0; action < kNumActions; ++action) {
      const size_t known = graph_.num_placements();
      PlanState next = state;
      if (graph_.act(next, action) && graph_.num_placements() > known) {
        edits_.follow_plan_from(next);
      }
    }
  }

  void edit_plan() {
    result_.plan = graph_.best_plan(visited_);
    guard_.control().offer_plan(result_.plan);
    graph_.centre_on(visited_);
    edits_.set_plan(result_.plan, visited_);
    edits_.follow_plan_from_its_states();
    edits_.leave_out_pushes();
    edits_.exchange_runs();
  }

  static constexpr double kMuchShorter = 0.9;

  LimitGuard& guard_;
  SearchResult& result_;
  PlanGraph graph_;
  PlanEdits edits_;
  std::vector<PlanState> visited_;
  size_t first_length_ = 0;
  uint32_t edited_length_ = 0;
  uint64_t end_ = 0;
};

Improvement::Improvement(const Dynamics& dynamics, LimitGuard& guard, size_t thread, size_t threads)
    : dynamics_(dynamics),
      guard_(guard),
      result_(guard.result()),
      first_round_(thread / 2),
      rounds_(thread % 2 == 1 ? threads / 2 : (threads + 1) / 2) {
  elsewhere_[kFromStart].is_used = thread % 2 == 0;
  elsewhere_[kFromPlan].is_used = elsewhere_[kEndings].is_used = thread % 2 == 1 || threads == 1;
  elsewhere_[kFromPlan].cost = 2;
  elsewhere_[kEndings].cost = 4;
  for (Elsewhere& each : elsewhere_) each.round = first_round_;
  seed_ = first_round_;
}

Improvement::~Improvement() = default;

Status Improvement::advance() try {
  if (!around_ || result_.plan.size() < length_) begin_again();
  for (;;) {
    const Status status = around_->advance(states_around_);
    const bool is_full = status == Status::kMemoryLimit;
    const bool begins_again = is_full ? around_->is_shorter() : around_->is_much_shorter();
    length_ = result_.plan.size();
    if (begins_again && (is_full || status == Status::kUnknown)) {
      begin_again();
      continue;
    }
    if (is_full) around_.reset();
    return status == Status::kUnknown ? search_elsewhere() : status;
  }
} catch (const std::bad_alloc&) {  // there is no memory to begin again
  around_.reset();
  return Status::kMemoryLimit;
}

void Improvement::begin_again() {
  around_.reset();  // its memory first
  around_ = std::make_unique<Shortening>(dynamics_, guard_);
  length_ = result_.plan.size();
  states_around_ = kFirstStates;
}

// Searches elsewhere in the way that has had the least effort. Returns the status of a limit or
// kUnknown.
Status Improvement::search_elsewhere() {
  Elsewhere* next = nullptr;
  for (Elsewhere& each : elsewhere_) {
    if (each.is_used && (!next || each.effort < next->effort)) next = &each;
  }
  const uint64_t states_before = result_.states;
  const uint64_t pushes_before = result_.generated;
  Status status = Status::kUnknown;
  if (next) {
    status = attempt(next->is_used, [&] {
      if (next == &elsewhere_[kFromStart]) return search_from_start();
      return next == &elsewhere_[kFromPlan] ? search_from_plan() : search_endings();
    });
    next->effort += next->cost * (1 + result_.generated - pushes_before);
  }
  states_around_ = std::max(kMinStates, kStatesPerBeamState * (result_.states - states_before));
  return status;
}

// Returns the next round of a kind. A new plan is a new guide and has other endings, so that quick
// searches may find something again.
size_t Improvement::next_round(Elsewhere& kind) {
  if (kind.plan != best_) {
    kind.plan = best_;
    kind.round = first_round_;
  }
  return std::exchange(kind.round, kind.round + rounds_);
}

bool Improvement::search_from_start() {
  const size_t round =
      std::exchange(elsewhere_[kFromStart].round, elsewhere_[kFromStart].round + rounds_);
  const auto feature = static_cast<BeamFeature>(round % kNumFeaturesFromStart);
  return beam().search(width(round / kNumFeaturesFromStart), feature, best_);
}

bool Improvement::search_from_plan() {
  const int first_other = dynamics_.world().num_goals() + 1;
  const auto others = static_cast<size_t>(dynamics_.world().num_objects() - first_other);
  const size_t variants = 1 + 2 * others;
  const size_t round = next_round(elsewhere_[kFromPlan]);
  const size_t variant = round % variants;
  const size_t width = this->width(round / variants);
  if (variant == 0) return beam().search_from_plan(width, best_, PushBeam::kNoObject, false);
  const int free = first_other + static_cast<int>((variant - 1) % others);
  return beam().search_from_plan(width, best_, free, variant <= others);
}

bool Improvement::search_endings() {
  const size_t round = next_round(elsewhere_[kEndings]);
  const size_t kept = best_.size() * kEighthsKept[round % kEighthsKept.size()] / 8;
  const uint64_t pushes = kFirstPushes << std::min(round / kEighthsKept.size(), kMaxDoublings);
  return find_other_ending(dynamics_, best_, kept, seed_ += rounds_, pushes, guard_);
}

// Lets `search` write another plan to the result and shortens that. Restores the best plan unless
// the other one is shorter. Returns the status of a limit or kUnknown.
template <typename Search>
Status Improvement::attempt(bool& is_possible, const Search& search) {
  best_.swap(result_.plan);
  result_.plan.clear();
  bool is_found = false;
  const Status status = guard_.run([&] {
    try {
      is_found = search();
      if (is_found && result_.plan.size() >= best_.size()) shorten_quickly();
    } catch (const std::bad_alloc&) {  // the search around the plan may have enough
      is_possible = false;
    } catch (const std::invalid_argument&) {  // the world is too large
      is_possible = false;
    }
    return Status::kUnknown;
  });
  if (!is_possible) beam_.reset();
  if (!is_found || result_.plan.size() >= best_.size()) result_.plan = best_;
  return status;
}

// Shortens the plan of the result as long as it becomes shorter.
void Improvement::shorten_quickly() {
  std::unique_ptr<Shortening> around;
  for (size_t length = SIZE_MAX; result_.plan.size() < length;) {
    length = result_.plan.size();
    if (!around || around->is_much_shorter())
      around = std::make_unique<Shortening>(dynamics_, guard_);
    if (around->advance(kFirstStates) != Status::kUnknown) return;
  }
}

}  // namespace pushworld
