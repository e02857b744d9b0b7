// Other plans of a puzzle, as starts for shortening.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/limit_guard.h"
#include "search/push/search_factory.h"

namespace pushworld {

// Plans that begin with given actions and go on by the strategies of the planner `default`. These
// take turns, and each finds one plan: those of one strategy are much alike, and that of another
// may become half as long.
class OtherPlans {
 public:
  // Throws std::invalid_argument if the world is too large, std::bad_alloc without memory.
  OtherPlans(const Dynamics& dynamics, std::vector<uint8_t> beginning, uint64_t seed,
             LimitGuard& guard);

  // Goes on for about `pushes` pushes, or until a plan is found. Then shortens it as long as that
  // is quick and it may become shorter than `length`, writes it to the guard's result, whose plan
  // must be empty, and returns true.
  bool advance(uint64_t pushes, size_t length);
  // Whether every strategy has ended.
  bool is_finished() const;

 private:
  // The number of pushes of a strategy in a turn, for each of its shares.
  static constexpr uint64_t kTurn = 1000;
  static constexpr uint64_t kStatesAround = 50'000;
  // How much a plan may become shorter.
  static constexpr double kMuchLonger = 1.2;

  const Dynamics& dynamics_;
  const std::vector<uint8_t> beginning_;
  LimitGuard& guard_;
  const std::shared_ptr<Dynamics> rest_;
  const std::vector<Strategy> strategies_;
  PushSearches searches_;  // by strategy; nullptr where it has ended
  size_t turn_ = 0;
};

}  // namespace pushworld
