// What the paper's planners look at first.
#pragma once

#include "search/action/best_first.h"
#include "search/heuristics/context_enhanced.h"
#include "search/heuristics/rgd.h"
#include "search/heuristics/triple_novelty.h"

namespace pushworld {

// The recursive graph distance with any number of tools, so that an infinite value is a dead end.
class RgdEvaluator : public Evaluator {
 public:
  RgdEvaluator(const ActionSpace& space, bool fewest_tools_first);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;
  size_t bytes() const override { return distance_.bytes(); }
  size_t bytes_while_ranking(size_t) const override { return distance_.bytes_ahead(); }
  void set_on_work(std::function<void()> function) override {
    distance_.set_on_work(std::move(function));
  }

 private:
  RecursiveGraphDistance distance_;
};

// Novelty first, then the recursive graph distance.
class NoveltyRgdEvaluator : public Evaluator {
 public:
  NoveltyRgdEvaluator(const ActionSpace& space, bool fewest_tools_first);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;
  size_t bytes() const override { return rgd_.bytes() + novelty_.bytes(); }
  size_t bytes_while_ranking(size_t more) const override {
    return rgd_.bytes_while_ranking(more) + novelty_.bytes_while_recording(more);
  }
  void set_on_work(std::function<void()> function) override {
    rgd_.set_on_work(function);
    novelty_.set_on_work(std::move(function));
  }

 private:
  RgdEvaluator rgd_;
  TripleNovelty novelty_;
};

// The context-enhanced additive heuristic.
class CeaEvaluator : public Evaluator {
 public:
  explicit CeaEvaluator(const ActionSpace& space);

  // An upper bound of what it holds when it is made.
  static size_t max_set_up_bytes(const World& world);

  OpenList::Rank rank(const PositionId* state, std::span<const uint16_t> moved) override;
  size_t bytes() const override { return heuristic_.bytes(); }
  size_t bytes_while_ranking(size_t) const override { return heuristic_.bytes_ahead(); }
  void set_on_work(std::function<void()> function) override {
    heuristic_.set_on_work(std::move(function));
  }

 private:
  ContextEnhancedAdditive heuristic_;
};

}  // namespace pushworld
