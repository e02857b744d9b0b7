// A search around a plan and edits of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/shorten/plan_edits.h"
#include "search/shorten/plan_graph.h"

namespace pushworld {

// Improves a plan: a search around it (PlanGraph), and edits of each new best plan (PlanEdits).
class NeighbourhoodSearch {
 public:
  // With `offers`, each shorter plan is offered to others when it is found.
  NeighbourhoodSearch(const Dynamics& dynamics, bool are_walks_free, bool offers, LimitGuard& guard)
      : offers_(offers),
        guard_(guard),
        result_(guard.result()),
        graph_(dynamics, are_walks_free, guard),
        edits_(graph_) {}

  // Shortens the plan of the result within about this number of states. The status is kSolved if
  // the open list is empty, kUnknown if there is more to do.
  Status advance(uint64_t states);

  bool is_shorter() const { return result_.plan.size() < first_length_; }
  // Whether most of the graph belongs to detours that are gone.
  bool is_much_shorter() const {
    return graph_.best_length() < kMuchShorter * static_cast<double>(first_length_);
  }

 private:
  static constexpr double kMuchShorter = 0.9;

  Status search();
  void expand(PlanState state);
  void edit_plan();

  const bool offers_;
  LimitGuard& guard_;
  SearchResult& result_;
  PlanGraph graph_;
  PlanEdits edits_;
  std::vector<PlanState> visited_;
  size_t first_length_ = 0;
  uint32_t edited_length_ = 0;
  uint64_t end_ = 0;
};

// Shortens the plan of the result as long as `states` more states make it shorter. Offers
// nothing: the plan may be a part of one.
void shorten_quickly(const Dynamics& dynamics, uint64_t states, LimitGuard& guard);

}  // namespace pushworld
