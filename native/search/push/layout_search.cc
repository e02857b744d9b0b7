#include <algorithm>
#include <utility>
#include <vector>

#include "search/push/layouts.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

// Finds layouts (see layouts.h). To bring the objects to their places is a puzzle with other goals,
// which is searched one goal after the other. That may need further layouts. The layouts take
// turns, the first ones more often.
class LayoutSearch : public PushSearch {
 public:
  LayoutSearch(const Dynamics& dynamics, const SearchFactory& factory, Means means)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        means_{means.few_objects, means.layouts - 1},
        guard_(factory.guard()),
        reach_(world_),
        finder_(std::make_unique<LayoutFinder>(world_, reach_, options_, guard_)) {}

  Outcome advance(uint64_t pushes) override {
    for (credit_ += pushes; credit_ >= options_.layout_turn;) {
      Outcome outcome = take_turn();
      if (outcome.progress != Progress::kOpen) return outcome;
    }
    return {};
  }

 private:
  struct Candidate {
    int action;
    Places places;
    int pushes_from_places;
    uint64_t cost;
    bool is_over = false;
    SubSearch search = {};  // to bring the objects to their places
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
    if (fewest == 0) return;
    const uint64_t cost = layout.cost + options_.reach_cost * out_of_reach;
    add(layout, fewest, cost);
    const int most = layout.max_pushes;
    if (most == fewest || !has_order(*puzzle_of(layout.places_before(most)), guard_)) return;
    add(layout, most, cost + options_.other_cost);
  }
  void add(const Layout& layout, int pushes, uint64_t cost) {
    const auto next = std::find_if(candidates_.begin(), candidates_.end(),
                                   [&](const auto& other) { return other.cost > cost; });
    candidates_.insert(next, {layout.action, layout.places_before(pushes), pushes, cost});
  }

  Outcome advance(Candidate& candidate) {
    SubSearch& search = candidate.search;
    if (!search.search) {
      search.puzzle = guard_.make<Dynamics>(puzzle_of(candidate.places));
      search.search = factory_.in_turn(*search.puzzle, means_);
    }
    Outcome outcome = search.advance(options_.layout_turn);
    if (outcome.progress == Progress::kOpen) return {};
    search.end();
    candidate.is_over = true;
    if (outcome.progress != Progress::kSolved) return {};
    std::vector<uint8_t>& plan = outcome.plan;
    const std::vector<Coordinate> state = state_after(dynamics_, world_.start(), plan);
    const bool is_end = dynamics_.is_solved(state.data());
    if (is_end || finish(candidate, state, plan)) return {Progress::kSolved, std::move(plan)};
    return {};
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
      const Places places = layout.places_before(pushes);
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

SearchFactory::Made SearchFactory::layouts(const Dynamics& dynamics, Means means) const {
  return std::make_unique<LayoutSearch>(dynamics, *this, means);
}

}  // namespace pushworld
