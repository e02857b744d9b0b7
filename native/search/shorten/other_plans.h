// Other plans of a puzzle, as starts for shortening.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/push/push_search.h"

namespace pushworld {

// Solves a puzzle again and again by push searches: with each strategy of the planner `default`,
// then with the next seed. Searches of one seed take turns. When one has solved the puzzle, the
// others have as much time again.
class OtherPlans {
 public:
  // The seeds are `seed`, `seed` + `step`, and so on.
  OtherPlans(const Dynamics& dynamics, LimitGuard& guard, uint64_t seed, uint64_t step);

  // Goes on until about `pushes` more pushes are generated or the puzzle is solved. If it is,
  // writes the plan to the guard's result, whose plan must be empty, and returns true.
  bool advance(uint64_t pushes);

 private:
  // The number of pushes that a search of share 1 generates in a turn.
  static constexpr uint64_t kTurn = 5000;

  void begin();

  const Dynamics& dynamics_;
  LimitGuard& guard_;
  SearchResult& result_;
  std::vector<Strategy> strategies_;
  PushSearches searches_;  // of this seed; null if it has ended
  size_t running_ = 0;
  size_t turn_ = 0;
  uint64_t pushes_ = 0;      // of this seed
  uint64_t max_pushes_ = 0;  // of this seed
  uint64_t seed_;
  const uint64_t step_;
};

}  // namespace pushworld
