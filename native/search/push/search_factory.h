// How the searches of a strategy are made of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/push_search.h"
#include "search/push/strategy.h"

namespace pushworld {

// Makes searches with the open lists, the commitment and the options of one strategy:
//
//   in_turn      -> together for each stage
//   few_objects  -> plain for each set of objects, together to clear the way
//   together     -> few_objects or plain
//
// Each arrow searches a smaller puzzle, so this ends.
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
  Made in_turn(const Dynamics& dynamics) const;
  // With few objects, if the strategy says so and there is something to leave out; else plain.
  Made together(const Dynamics& dynamics, const BitGrid* way = nullptr) const;
  // What the strategy says.
  Made whole(const Dynamics& dynamics) const;

 private:
  std::shared_ptr<const Strategy> strategy_;
  uint64_t seed_;
  LimitGuard& guard_;
};

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
Applicable applicable(std::vector<Strategy> strategies, const World& world);

// Returns a search for each strategy. If memory is short, the last ones are missing.
PushSearches make_push_searches(const Dynamics& dynamics, const std::vector<Strategy>& strategies,
                                uint64_t seed, LimitGuard& guard);

}  // namespace pushworld
