#include "search/push/layout_search.h"

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "search/push/layouts.h"
#include "search/push/serial_search.h"

namespace pushworld {
namespace {

class LayoutSearch : public PushSearch {
 public:
  LayoutSearch(const Dynamics& dynamics, const SearchFactory& factory, Means means,
               const Places& later)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        means_{means.few_objects, means.layouts - 1},
        guard_(factory.guard()),
        reach_(world_),
        finder_(std::make_unique<LayoutFinder>(world_, reach_, options_, later, guard_)) {}

  Outcome advance(uint64_t pushes) override {
    for (credit_ += pushes; credit_ >= options_.layout_turn;) {
      Outcome outcome = take_turn();
      if (outcome.progress != Progress::kOpen) return outcome;
    }
    return {};
  }

 private:
  static constexpr size_t kWorkOfGaps = 1000;

  struct Candidate {
    int action;
    Places places;
    int pushes_from_places;
    uint64_t cost;
    bool is_over = false;
    SubSearch search = {};           // to bring the objects to their places
    std::vector<uint8_t> plan = {};  // to the places, if another search goes on from there
  };

  // Looks for more layouts, or goes on with the one whose turn it is. Takes its time from
  // `credit_`.
  Outcome take_turn() {
    if (finder_ && (finder_->is_over() || candidates_.size() >= options_.most_layouts))
      finder_.reset();
    const bool has_enough = !finder_;
    size_t next = candidates_.size();
    // Of equal costs, all get as many pushes.
    const auto rank = [&](size_t i) {
      if (i == candidates_.size()) return options_.layout_turn * (i + 1);
      size_t cheaper = i;
      while (cheaper > 0 && candidates_[cheaper - 1].cost == candidates_[i].cost) --cheaper;
      return (candidates_[i].search.pushes + options_.layout_turn) * (cheaper + 1);
    };
    for (size_t i = 0; i < candidates_.size(); ++i) {
      const bool is_first = next == candidates_.size() && has_enough;
      if (!candidates_[i].is_over && (is_first || rank(i) < rank(next))) next = i;
    }
    if (next < candidates_.size()) {
      credit_ -= options_.layout_turn;
      return advance(candidates_[next]);
    }
    if (has_enough) return {Progress::kExhausted};
    credit_ -= options_.find_pushes;
    for (const Layout& layout : finder_->advance()) {
      add(layout);
    }
    return {};
  }

  void add(const Layout& layout) {
    // Other searches look for pushes of one object by the agent alone.
    if (layout.body.size() == 2 && layout.at_home.empty()) return;
    const auto [fewest, out_of_reach] = fewest_pushes(layout);
    if (out_of_reach > 0 && options_.gaps) add_with_gaps(layout);
    if (fewest == 0) return;
    const uint64_t cost = layout.cost + options_.reach_cost * out_of_reach;
    add(layout, all_by(layout, fewest), cost);
    const std::vector<int> most = all_by(layout, layout.max_pushes);
    if (layout.max_pushes == fewest || !has_order(*puzzle_of(layout.places_before(most)), guard_)) {
      return;
    }
    add(layout, most, cost + options_.other_cost);
  }
  // Parts of the body wait in the agent's reach until the others come.
  void add_with_gaps(const Layout& layout) {
    guard_.count_work(kWorkOfGaps * layout.body.size());
    const std::vector<int> pushes =
        pushes_in_reach(world_, reach_, layout.action, layout.body, layout.at_home, InReach::kSome);
    if (std::adjacent_find(pushes.begin(), pushes.end(), std::not_equal_to<>{}) == pushes.end()) {
      return;
    }
    const Places places = layout.places_before(pushes);
    if (!has_order(*puzzle_of(places), guard_)) return;
    add(layout, pushes, layout.cost + options_.reach_cost * count_out_of_reach(places));
  }
  void add(const Layout& layout, const std::vector<int>& pushes, uint64_t cost) {
    add({.action = layout.action,
         .places = layout.places_before(pushes),
         .pushes_from_places = *std::max_element(pushes.begin(), pushes.end()),
         .cost = cost});
  }
  static std::vector<int> all_by(const Layout& layout, int pushes) {
    return std::vector<int>(layout.body.size(), pushes);
  }
  void add(Candidate candidate) {
    const auto next = std::find_if(candidates_.begin(), candidates_.end(),
                                   [&](const auto& other) { return other.cost > candidate.cost; });
    candidates_.insert(next, std::move(candidate));
  }

  Outcome advance(Candidate& candidate) {
    SubSearch& search = candidate.search;
    if (!search.search) {
      search.puzzle = guard_.make<Dynamics>(puzzle_of(candidate.places));
      search.search = factory_.in_turn(*search.puzzle, means_);
    }
    const Outcome outcome = search.advance(options_.layout_turn);
    if (outcome.progress == Progress::kOpen) return {};
    search.end();
    candidate.is_over = true;
    if (outcome.progress != Progress::kSolved) return {};
    std::vector<uint8_t> plan = std::exchange(candidate.plan, {});
    plan.insert(plan.end(), outcome.plan.begin(), outcome.plan.end());
    const std::vector<Coordinate> state = state_after(dynamics_, world_.start(), plan);
    const bool is_end = dynamics_.is_solved(state.data());
    if (is_end || finish(candidate, state, plan)) return {Progress::kSolved, std::move(plan)};
    if (!has_all_goals(candidate)) begin_rest(candidate, points_of(state), std::move(plan));
    return {};
  }

  bool has_all_goals(const Candidate& candidate) const {
    const auto is_goal = [&](const Placed& placed) { return placed.object <= world_.num_goals(); };
    return std::count_if(candidate.places.begin(), candidate.places.end(), is_goal) ==
           world_.num_goals();
  }

  // Goes on from the places with all goals.
  void begin_rest(Candidate& candidate, const std::vector<Point>& state,
                  std::vector<uint8_t> plan) {
    std::vector<int> all(static_cast<size_t>(world_.num_objects()));
    std::iota(all.begin(), all.end(), 0);
    SubSearch& search = candidate.search;
    search.puzzle = guard_.make<Dynamics>(
        guard_.make<World>(world_, state, all, world_.num_goals(), World::Others::kBecomeWalls));
    search.search = factory_.plain(*search.puzzle);
    search.max_pushes = search.pushes + options_.rest_pushes;
    candidate.plan = std::move(plan);
    candidate.is_over = false;
  }

  // The fewest pushes from places so that the objects find ways to them in some order, preferably
  // places in the agent's reach. No pushes if there are none.
  struct Fewest {
    int pushes;
    int out_of_reach;  // the number of places that the agent does not reach
  };
  Fewest fewest_pushes(const Layout& layout) {
    Fewest fewest = {0, INT32_MAX};
    for (int pushes = 1; pushes <= layout.max_pushes && fewest.out_of_reach > 0; ++pushes) {
      const Places places = layout.places_before(all_by(layout, pushes));
      const int out_of_reach = count_out_of_reach(places);
      if (out_of_reach >= fewest.out_of_reach) continue;
      if (has_order(*puzzle_of(places), guard_)) fewest = {pushes, out_of_reach};
    }
    return fewest;
  }

  int count_out_of_reach(const Places& places) {
    return static_cast<int>(std::count_if(places.begin(), places.end(),
                                          [&](const Placed& placed) { return !reach_[placed]; }));
  }

  // The puzzle to bring the objects to their places.
  std::shared_ptr<World> puzzle_of(const Places& places) {
    std::vector<int> kept = {0};
    std::vector<Point> goals;
    for (const auto& [object, place] : places) {
      kept.push_back(object);
      goals.push_back(place);
    }
    for (int object = 1; object < world_.num_objects(); ++object) {
      if (std::find(kept.begin(), kept.end(), object) == kept.end()) kept.push_back(object);
    }
    return guard_.make<World>(world_, world_.start(), kept, std::move(goals),
                              World::Others::kBecomeWalls);
  }

  // Pushes from each position that the agent can walk to. Returns whether that solves the puzzle;
  // then adds the actions to the plan.
  bool finish(const Candidate& candidate, const std::vector<Coordinate>& state,
              std::vector<uint8_t>& plan) const {
    struct Step {
      std::vector<Coordinate> state;
      size_t before;
      uint8_t action;
    };
    std::vector<Step> steps = {{state, 0, 0}};
    BitGrid seen(world_.width(), world_.height());
    seen.set({state[0], state[1]});
    std::vector<uint16_t> moving(kMaxObjects);
    for (size_t i = 0; i < steps.size(); ++i) {
      for (int action = 0; action < kNumActions; ++action) {
        std::vector<Coordinate> next = steps[i].state;
        const int count = dynamics_.moving_objects(next.data(), action, moving.data());
        guard_.count_work(state.size());
        if (count == 0) continue;
        if (count == 1) {
          dynamics_.step(next.data(), action);
          const Point at = {next[0], next[1]};
          if (seen[at]) continue;
          seen.set(at);
          steps.push_back({std::move(next), i, static_cast<uint8_t>(action)});
        } else if (action == candidate.action) {
          int pushes = 0;
          while (pushes < candidate.pushes_from_places && !dynamics_.is_solved(next.data())) {
            dynamics_.step(next.data(), action);
            ++pushes;
          }
          if (!dynamics_.is_solved(next.data())) continue;
          std::vector<uint8_t> walk;
          for (size_t k = i; k > 0; k = steps[k].before) walk.push_back(steps[k].action);
          plan.insert(plan.end(), walk.rbegin(), walk.rend());
          plan.insert(plan.end(), static_cast<size_t>(pushes), static_cast<uint8_t>(action));
          return true;
        }
      }
    }
    return false;
  }

  const Dynamics& dynamics_;
  const World& world_;
  const SearchFactory factory_;
  const PushOptions& options_;
  const Means means_;  // of the searches for places
  LimitGuard& guard_;
  AgentReach reach_;
  std::unique_ptr<LayoutFinder> finder_;  // until there are enough layouts
  uint64_t credit_ = 0;                   // the pushes that are left from earlier calls
  std::vector<Candidate> candidates_;     // by cost
};

}  // namespace

std::unique_ptr<PushSearch> make_layout_search(const Dynamics& dynamics,
                                               const SearchFactory& factory, Means means,
                                               const Places& later) {
  return std::make_unique<LayoutSearch>(dynamics, factory, means, later);
}

}  // namespace pushworld
