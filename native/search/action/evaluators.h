// The evaluators of the best-first planners.
#pragma once

#include "search/action/best_first.h"
#include "search/heuristics/context_enhanced.h"
#include "search/heuristics/rgd.h"
#include "search/heuristics/triple_novelty.h"

namespace pushworld {

// The recursive graph distance with any number of tools. An infinite value is a dead end.
class RgdEvaluator : public Evaluator {
 public:
  RgdEvaluator(const ActionSpace& space, LimitGuard& guard, bool fewest_tools_first);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;

 private:
  RecursiveGraphDistance distance_;
};

// Novelty first, then the recursive graph distance.
class NoveltyRgdEvaluator : public Evaluator {
 public:
  NoveltyRgdEvaluator(const ActionSpace& space, LimitGuard& guard, bool fewest_tools_first);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;

 private:
  RgdEvaluator rgd_;
  TripleNovelty novelty_;
};

// The context-enhanced additive heuristic.
class CeaEvaluator : public Evaluator {
 public:
  CeaEvaluator(const ActionSpace& space, LimitGuard& guard);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;

 private:
  ContextEnhancedAdditive heuristic_;
};

}  // namespace pushworld
