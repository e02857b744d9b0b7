// Shorter plans in one world: searches around the best plan and searches for different ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/shorten/other_plans.h"
#include "search/shorten/push_beam.h"

namespace pushworld {

class NeighbourhoodSearch;

// Alternates between the search around the best plan and searches for quite different ones. One of
// `threads`. Threads with even numbers look for different plans by beam searches from the start,
// the others by beam searches from the best plan and by other strategies. A single thread does all.
// Around the plan, walks are free for threads with even numbers, as soon as the first detours are
// gone: the two orders find different plans.
class WorldShortening {
 public:
  WorldShortening(const Dynamics& dynamics, LimitGuard& guard, size_t thread, size_t threads);
  ~WorldShortening();

  // Makes the plan of the guard's result shorter: one search around it and one far from it. Returns
  // kSolved if no plan is shorter, kUnknown if there is more to do, otherwise the limit.
  Status advance();

 private:
  static constexpr uint64_t kFirstStates = 100'000;
  static constexpr uint64_t kMinStates = 10'000;
  static constexpr uint64_t kMinPushes = 5'000;  // that a distant search counts for its tables
  // A state around the plan takes about a quarter of the time of one in a beam.
  static constexpr uint64_t kStatesPerBeamState = 2;
  static constexpr size_t kFirstWidth = 16;
  static constexpr uint64_t kPushes = 30'000;  // for other plans, in a round
  static constexpr size_t kMaxDoublings = 20;
  // How much of the plan other plans keep, in turn. What is left of a late state is soon solved.
  static constexpr std::array<size_t, 14> kEighthsKept = {0, 6, 0, 4, 0, 2, 0, 7, 0, 5, 0, 3, 0, 1};

  // Searches for quite different plans, by where they begin.
  enum Kind { kFromStart, kFromPlan, kOtherPlans, kNumKinds };
  struct DistantSearch {
    bool is_used = false;
    uint64_t cost = 1;           // of a push
    uint64_t effort = 0;         // the costs of all pushes
    size_t round = 0;            // of all threads with this kind
    std::vector<uint8_t> plan;   // the best in the last round
    size_t too_long = SIZE_MAX;  // with a plan of this length, memory ran out
  };

  void begin_again();
  Status search_far_away();
  PushBeam& beam() {
    if (!beam_) beam_ = make_push_beam(dynamics_, guard_);
    return *beam_;
  }
  static size_t width(size_t doublings) {
    return kFirstWidth << std::min(doublings, kMaxDoublings);
  }
  size_t next_round(DistantSearch& kind);
  bool search_from_start();
  bool search_from_plan();
  bool search_other_plans();
  template <typename Search>
  Status attempt(DistantSearch& kind, const Search& search);
  // Drops the tables of distant searches. Returns whether there were any.
  bool drop_tables();

  const Dynamics& dynamics_;
  LimitGuard& guard_;
  SearchResult& result_;
  std::vector<uint8_t> best_;  // while the result has another plan
  std::unique_ptr<NeighbourhoodSearch> around_;
  size_t length_ = 0;                      // of the plan that it is around
  uint64_t states_around_ = kFirstStates;  // of the next search around the plan
  std::unique_ptr<PushBeam> beam_;
  std::array<DistantSearch, kNumKinds> distant_;
  std::array<std::unique_ptr<OtherPlans>, 8> other_plans_;  // by the eighths kept
  const bool are_walks_free_;                               // around the plan
  bool is_first_;  // whether the search around the plan is the first of all
  const size_t first_round_;
  const size_t rounds_;  // the number of threads with the same kinds
  uint64_t seed_;
};

}  // namespace pushworld
