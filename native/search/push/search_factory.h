// How the searches of a strategy are made of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/places.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// Makes searches with the open lists, the commitment and the options of one strategy:
//
//   in_turn      -> together for each stage, with layouts
//   with_layouts -> in_turn for the places of each layout, plain from there
//   few_objects  -> plain for each set of objects, together to clear the way
//   together     -> few_objects or plain
//
// Each arrow searches a smaller puzzle or takes one from the depth of layouts, so this ends.
class SearchFactory {
 public:
  using Made = std::unique_ptr<PushSearch>;

  SearchFactory(const Strategy& strategy, uint64_t seed, LimitGuard& guard)
      : strategy_(std::make_shared<Strategy>(strategy)), seed_(seed), guard_(guard) {}
  SearchFactory with_other_seed(uint64_t more) const {
    SearchFactory other = *this;
    other.seed_ += more;
    return other;
  }

  const PushOptions& options() const { return strategy_->options; }
  LimitGuard& guard() const { return guard_; }

  Made plain(const Dynamics& dynamics, const BitGrid* way = nullptr) const;
  Made few_objects(const Dynamics& dynamics, const BitGrid* way = nullptr) const;
  // Layouts may need layouts at most `depth` deep.
  Made in_turn(const Dynamics& dynamics, uint64_t depth) const;
  // If the puzzle needs layouts, they take turns with the other search.
  Made with_layouts(Made other, const Dynamics& dynamics, uint64_t depth) const;
  // With few objects, if the strategy says so and there is something to leave out; else plain.
  Made together(const Dynamics& dynamics, const BitGrid* way = nullptr) const;
  // What the strategy says.
  Made whole(const Dynamics& dynamics) const;

 private:
  std::shared_ptr<const Strategy> strategy_;
  uint64_t seed_;
  LimitGuard& guard_;
};

// Whether layouts may help: the agent alone can make no last push.
bool needs_layouts(const World& world, const PushOptions& options, LimitGuard& guard);
// Whether there is an order in which the objects find ways to their places.
bool has_order(const World& world, Places places, LimitGuard& guard);

// Whether a puzzle is small enough to make the tables of many puzzles like it.
bool is_small(const World& world);
// Whether there is a movable to leave out, and the puzzle is small.
bool can_leave_out(const World& world);

struct Applicable {
  std::vector<Strategy> strategies;
  std::vector<std::string> unsuitable;  // the names of the others
};
// Returns the strategies that make sense for this puzzle. If none does, all of them, with all
// objects and all goals together.
Applicable applicable(std::vector<Strategy> strategies, const World& world, LimitGuard& guard);

// Returns a search for each strategy. If memory is short, the last ones are missing.
PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
