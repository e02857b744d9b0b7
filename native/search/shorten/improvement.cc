#include "search/shorten/improvement.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

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
      thread_(thread),
      threads_(threads),
      restarts_(thread % 2 == 1),
      rounds_(restarts_ ? threads / 2 : (threads + 1) / 2) {
  from_start_.round = guided_.round = thread / 2;
}

Improvement::~Improvement() = default;

Status Improvement::advance() {
  if (!around_ || result_.plan.size() < length_) begin_again();
  for (;;) {
    const Status status = around_->advance(states_around_);
    const bool is_full = status == Status::kMemoryLimit;
    const bool begins_again = is_full ? around_->is_shorter() : around_->is_much_shorter();
    length_ = result_.plan.size();
    if (status != Status::kUnknown && !(is_full && begins_again)) return status;
    if (!begins_again) return search_elsewhere();
    begin_again();
  }
}

void Improvement::begin_again() {
  around_.reset();  // its memory first
  around_ = std::make_unique<Shortening>(dynamics_, guard_);
  length_ = result_.plan.size();
}

// Runs the next beam search; if the thread restarts, then looks for other plans to shorten. Returns
// the status of a limit or kUnknown.
Status Improvement::search_elsewhere() {
  const uint64_t states_before = result_.states;
  const uint64_t pushes_before = result_.generated;
  const Status status = attempt(beam_, has_no_beam_, [&] { return search_beam(); });
  states_around_ = std::max(kFirstStates, kStatesPerBeamState * (result_.states - states_before));
  if (status != Status::kUnknown || !restarts_) return status;
  const uint64_t pushes =
      std::max(kFirstPushes, (result_.generated - pushes_before) / kBeamPushesPerPush);
  return attempt(others_, has_no_others_, [&] { return search_others(pushes); });
}

bool Improvement::search_beam() {
  if (!beam_) beam_ = make_push_beam(dynamics_, guard_);
  const bool is_guided = restarts_ || (threads_ == 1 && guided_.states < from_start_.states);
  Beams& beams = is_guided ? guided_ : from_start_;
  if (is_guided && best_ != guide_) {  // a new guide: narrow beams may find something again
    guide_ = best_;
    guided_.round = thread_ / 2;
  }
  const size_t features = is_guided ? 1 : kNumFeaturesFromStart;
  const auto feature =
      is_guided ? BeamFeature::kOffPlan : static_cast<BeamFeature>(beams.round % features);
  const size_t width = kFirstWidth << std::min(beams.round / features, kMaxDoublings);
  const uint64_t before = result_.states;
  beams.round += rounds_;
  const bool is_found = beam_->search(width, feature, best_);
  beams.states += result_.states - before;
  return is_found;
}

bool Improvement::search_others(uint64_t pushes) {
  if (!others_) others_ = std::make_unique<OtherPlans>(dynamics_, guard_, 1 + thread_ / 2, rounds_);
  return others_->advance(pushes);
}

// Lets `search` write another plan to the result and shortens that. Restores the best plan unless
// the other one is shorter. Returns the status of a limit or kUnknown.
template <typename Searcher, typename Search>
Status Improvement::attempt(std::unique_ptr<Searcher>& searcher, bool& is_impossible,
                            const Search& search) {
  if (is_impossible) return Status::kUnknown;
  best_.swap(result_.plan);
  result_.plan.clear();
  bool is_found = false;
  const Status status = guard_.run([&] {
    try {
      is_found = search();
      if (is_found && result_.plan.size() >= best_.size()) shorten_quickly();
    } catch (const std::bad_alloc&) {  // the search around the plan may have enough
      is_impossible = true;
    } catch (const std::invalid_argument&) {  // the world is too wide
      is_impossible = true;
    }
    return Status::kUnknown;
  });
  if (is_impossible) searcher.reset();
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
