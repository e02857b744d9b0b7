// What the paper's planners look at first.
#pragma once

#include "search/best_first.h"
#include "search/novelty_triples.h"
#include "search/rgd.h"

namespace pushworld {

// The recursive graph distance with any number of tools, so that an infinite value is a dead end.
class RgdRanking : public Ranking {
 public:
  RgdRanking(const ActionSpace& space, bool fewest_tools_first);

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
class NoveltyRgdRanking : public Ranking {
 public:
  NoveltyRgdRanking(const ActionSpace& space, bool fewest_tools_first);

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
  RgdRanking rgd_;
  NoveltyOfTriples novelty_;
};

}  // namespace pushworld
