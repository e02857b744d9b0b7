// The search space over pushes: a node is where the movables stand and which region the agent is
// in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/bit_row.h"
#include "search/position_index.h"

namespace pushworld {

// The agent walks freely inside its region, so only pushes matter; a walk between two pushes is
// filled in when a plan is written. A state holds the position ids of all objects, the agent's
// first.
template <int Words>
class PushSpace {
 public:
  using Row = BitRow<Words>;
  using Rows = std::vector<Row>;

  struct Push {
    int action;
    PositionId from;    // where the agent stands before the push
    PositionId to;      // and after it
    PositionId region;  // the first position of the region the agent is in then
    uint64_t moved;     // the objects that move with the agent
  };

  PushSpace(const Dynamics& dynamics, const ObjectClasses& classes);

  const ObjectClasses& classes() const { return classes_; }
  const World& world() const { return dynamics_.world(); }
  int num_objects() const { return n_; }
  std::vector<PositionId> initial_state() const;

  // Returns the first position of the agent's region.
  PositionId region_of(const PositionId* state);

  // Calls visit(push) for every push possible from anywhere in the agent's region, once for each
  // different outcome. The state must not change meanwhile.
  template <typename Visit>
  void for_each_push(const PositionId* state, Visit&& visit);

  // Writes the actions of a shortest walk of the agent between two positions of its region.
  void append_walk(const PositionId* state, PositionId from, PositionId to,
                   std::vector<uint8_t>& actions);

 private:
  struct Mask {  // the agent positions that overlap an object at the origin
    int left, top;
    Rows rows;
  };

  // ORs the agent positions that overlap the object into `rows`.
  void add_obstacle(int object, PositionId position, Row* rows) const;
  void set_free_rows(const PositionId* state, Row* free) const;
  // Sets `child_free_` for `child_`, which differs from `state` in the moved objects.
  void set_free_rows_after(const PositionId* state, uint64_t moved);
  // Fills the connected free cells around `from`; returns the first of them.
  PositionId fill(const Row* free, Point from, Row* reach);
  // The objects that the action moves if the agent hits those in `hit`; 0 if a wall stops one.
  uint64_t closure(const PositionId* state, uint64_t hit, int action) const;
  // Visits the different outcomes of moving the objects with the agent in one of the positions
  // `group_[top .. end)` afterwards.
  template <typename Visit>
  void visit_outcomes(const PositionId* state, int action, uint64_t moved, int top, int end,
                      Visit&& visit);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  const int n_;
  const int height_;
  Rows agent_legal_;
  std::vector<Mask> masks_;  // of each class
  Rows free_, reach_, occupied_, shared_, targets_, group_, child_free_, child_reach_;
  std::vector<PositionId> child_;
};

extern template class PushSpace<1>;
extern template class PushSpace<4>;
extern template class PushSpace<16>;

template <int Words>
template <typename Visit>
void PushSpace<Words>::for_each_push(const PositionId* state, Visit&& visit) {
  // `occupied_` holds the agent positions that overlap an object, `shared_` those that overlap two.
  for (int y = 0; y < height_; ++y) occupied_[y] = shared_[y] = Row{};
  for (int object = 1; object < n_; ++object) {
    const Mask& mask = masks_[classes_.of(object)];
    const Point p = classes_.index_of(object).point(state[object]);
    for (size_t k = 0; k < mask.rows.size(); ++k) {
      const int y = p.y + mask.top + static_cast<int>(k);
      if (y < 0 || y >= height_) continue;
      const Row row = mask.rows[k].shifted(p.x + mask.left);
      shared_[y] |= occupied_[y] & row;
      occupied_[y] |= row;
    }
  }
  for (int y = 0; y < height_; ++y) free_[y] = agent_legal_[y] & ~occupied_[y];
  fill(free_.data(), classes_.index(0).point(state[0]), reach_.data());

  for (int action = 0; action < kNumActions; ++action) {
    const Point delta = kDeltas[action];
    bool any_shared = false;
    bool any = false;
    for (int y = 0; y < height_; ++y) {
      const int source = y - delta.y;
      targets_[y] = source < 0 || source >= height_
                        ? Row{}
                        : reach_[source].shifted(delta.x) & agent_legal_[y] & occupied_[y];
      any |= targets_[y].any();
      any_shared |= (targets_[y] & shared_[y]).any();
    }
    if (!any) continue;
    for (int object = 1; object < n_; ++object) {
      const Mask& mask = masks_[classes_.of(object)];
      const Point p = classes_.index_of(object).point(state[object]);
      const int top = std::max(0, p.y + mask.top);
      const int end = std::min(height_, p.y + mask.top + static_cast<int>(mask.rows.size()));
      bool hit = false;
      for (int y = top; y < end; ++y) {
        const Row row = mask.rows[y - p.y - mask.top].shifted(p.x + mask.left);
        group_[y] = row & targets_[y] & ~shared_[y];
        hit |= group_[y].any();
      }
      if (!hit) continue;
      const uint64_t moved = closure(state, uint64_t{1} << object, action);
      if (moved) visit_outcomes(state, action, moved, top, end, visit);
    }
    if (!any_shared) continue;
    for (int y = 0; y < height_; ++y) {
      for (Row cells = targets_[y] & shared_[y]; cells.any(); cells.clear_first()) {
        const int x = cells.first();
        uint64_t hit = 0;
        for (int object = 1; object < n_; ++object) {
          const Mask& mask = masks_[classes_.of(object)];
          const Point p = classes_.index_of(object).point(state[object]);
          const int k = y - p.y - mask.top;
          if (k < 0 || k >= static_cast<int>(mask.rows.size())) continue;
          if (mask.rows[k].shifted(p.x + mask.left)[x]) hit |= uint64_t{1} << object;
        }
        const uint64_t moved = closure(state, hit, action);
        if (!moved) continue;
        group_[y] = Row{};
        group_[y].set(x);
        visit_outcomes(state, action, moved, y, y + 1, visit);
      }
    }
  }
}

template <int Words>
template <typename Visit>
void PushSpace<Words>::visit_outcomes(const PositionId* state, int action, uint64_t moved, int top,
                                      int end, Visit&& visit) {
  for (int object = 1; object < n_; ++object) {
    const bool moves = moved >> object & 1;
    child_[object] =
        moves ? classes_.index_of(object).neighbour(state[object], action) : state[object];
  }
  set_free_rows_after(state, moved);
  const PositionIndex& agent = classes_.index(0);
  const Point delta = kDeltas[action];
  for (int y = top; y < end; ++y) {
    while (group_[y].any()) {
      const Point to{group_[y].first(), y};
      const PositionId region = fill(child_free_.data(), to, child_reach_.data());
      for (int row = y; row < end; ++row) group_[row] &= ~child_reach_[row];
      visit(Push{action, agent.id(to - delta), agent.id(to), region, moved});
    }
  }
}

}  // namespace pushworld
