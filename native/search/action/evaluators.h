// The evaluators of the best-first planners.
#pragma once

#include <span>

#include "search/action/action_space.h"
#include "search/core/open_list.h"
#include "search/heuristics/context_enhanced.h"
#include "search/heuristics/rgd.h"
#include "search/heuristics/triple_novelty.h"

namespace pushworld {

// Assigns a rank to each state; the search expands the lowest rank first.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  static constexpr OpenList::Rank kDeadEnd = UINT64_MAX;

  // The rank of a new state; kDeadEnd if the state is unsolvable. `moved` contains the objects that
  // differ from a state that was ranked before. The low 32 bits of a rank are the heuristic value
  // that the caller sees.
  virtual OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) = 0;
};

// The recursive graph distance with any number of tools. An infinite value is a dead end.
class RgdEvaluator : public Evaluator {
 public:
  RgdEvaluator(const ActionSpace& space, LimitGuard& guard)
      : distance_(space.dynamics(), space.classes(), guard, static_cast<int>(space.num_objects())) {
  }

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t>) override {
    const int distance = distance_(state);
    return distance < kInfinity ? static_cast<OpenList::Rank>(distance) : kDeadEnd;
  }

 private:
  RecursiveGraphDistance distance_;
};

// Novelty first, then the recursive graph distance.
class NoveltyRgdEvaluator : public Evaluator {
 public:
  NoveltyRgdEvaluator(const ActionSpace& space, LimitGuard& guard)
      : rgd_(space, guard), novelty_(space.sizes(), guard) {}

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override {
    const OpenList::Rank distance = rgd_.rank(state, moved);
    const int novelty = novelty_.record(state, moved);
    return distance == kDeadEnd ? kDeadEnd : static_cast<OpenList::Rank>(novelty) << 32 | distance;
  }

 private:
  RgdEvaluator rgd_;
  TripleNovelty novelty_;
};

// The context-enhanced additive heuristic. A state with an infinite value need not be a dead end:
// the objects of a chain may have to push each other, which the heuristic does not model. Such
// states have the highest rank.
class CeaEvaluator : public Evaluator {
 public:
  CeaEvaluator(const ActionSpace& space, LimitGuard& guard)
      : heuristic_(space.dynamics(), space.classes(), guard, kMaxTools) {}

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t>) override {
    const int value = heuristic_(state);
    return heuristic_.is_dead_end() ? kDeadEnd : static_cast<OpenList::Rank>(value);
  }

 private:
  // With two tools, a single state can take a tenth of a second, and the planner solves fewer
  // puzzles in a given time.
  static constexpr int kMaxTools = 1;

  ContextEnhancedAdditive heuristic_;
};

}  // namespace pushworld
