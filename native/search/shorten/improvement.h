// Shorter plans of one puzzle: searches around the best plan and searches for different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/shorten/other_plans.h"
#include "search/shorten/push_beam.h"

namespace pushworld {

class Shortening;

// Alternates between the search around the best plan and searches for quite different ones. One of
// `threads`. Threads with even numbers look for different plans by beam searches from the start,
// the others by beam searches from the best plan and by restarts.
class Improvement {
 public:
  Improvement(const Dynamics& dynamics, LimitGuard& guard, size_t thread, size_t threads);
  ~Improvement();

  // Makes the plan of the guard's result shorter: one search around it and one elsewhere. Returns
  // kSolved if no plan is shorter, kUnknown if there is more to do, otherwise the limit.
  Status advance();

 private:
  static constexpr uint64_t kFirstStates = 100'000;
  // A state around the plan takes about a quarter of the time of one in a beam.
  static constexpr uint64_t kStatesPerBeamState = 2;
  // A push of another plan's search takes about twice as long as one in a beam.
  static constexpr uint64_t kBeamPushesPerPush = 2;
  static constexpr uint64_t kFirstPushes = 10'000;
  static constexpr size_t kFirstWidth = 16;
  static constexpr size_t kMaxDoublings = 20;

  void begin_again();
  Status search_elsewhere();
  bool search_beam();
  bool search_others(uint64_t pushes);
  template <typename Searcher, typename Search>
  Status attempt(std::unique_ptr<Searcher>& searcher, bool& is_impossible, const Search& search);
  void shorten_quickly();

  const Dynamics& dynamics_;
  LimitGuard& guard_;
  SearchResult& result_;
  std::vector<uint8_t> best_;  // while the result has another plan
  std::unique_ptr<Shortening> around_;
  size_t length_ = 0;                      // of the plan that it is around
  uint64_t states_around_ = kFirstStates;  // of the next search around the plan
  std::unique_ptr<PushBeam> beam_;
  std::unique_ptr<OtherPlans> others_;
  bool has_no_beam_ = false;
  bool has_no_others_ = false;
  const size_t thread_, threads_;
  const bool restarts_;
  const size_t rounds_;  // the number of threads of this kind
  // Each round of beam searches is for one of these threads; rounds become wider.
  struct Beams {
    size_t round = 0;
    uint64_t states = 0;
  };
  Beams from_start_, guided_;
  std::vector<uint8_t> guide_;
};

}  // namespace pushworld
