// The search space whose transitions are pushes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/node_store.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"
#include "search/push/agent_regions.h"
#include "util/bit_row.h"

namespace pushworld {

// The agent walks freely inside its region. So a node is the positions of the movables and the
// agent's region, and a transition is a macro: a walk and a push. The walks are computed when a
// plan is written. A state holds the position ids of all objects, the agent's first. RowWords and
// SetWords are the numbers of words per row of the world and per set of objects.
template <int RowWords, int SetWords>
class PushSpace {
 public:
  using Row = BitRow<RowWords>;
  using Set = ObjectSet<SetWords>;
  using Rows = std::pmr::vector<Row>;

  struct Push {
    int action;
    PositionId from;    // the agent's position before the push
    PositionId region;  // the first position of the agent's region after the push
    Set moved;          // the movables that move
  };

  PushSpace(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard);

  const ObjectClasses& classes() const { return classes_; }
  const World& world() const { return dynamics_.world(); }
  int num_objects() const { return n_; }

  // See agent_regions.h.
  PositionId region_of(const PositionId* state) { return regions_.region_of(state); }

  // A group of pushes by one action that move the same objects.
  struct PushGroup {
    int action;
    Set moved;
    int top, end;  // the rows of the agent positions after the pushes
    int object;    // that the agent pushes, or 0 if it pushes several from a single position
    int x;         // that position, after the push
  };

  // Returns the push groups that the agent can reach. They are valid until the next call.
  const std::vector<PushGroup>& find_push_groups(const PositionId* state);

  // Calls visit(push, state after the push) once for each different outcome of a group.
  template <typename Visit>
  void for_each_push(const PositionId* state, const PushGroup& group, Visit&& visit) {
    for_each_push(state, group, nullptr, visit);
  }
  // The same; of the agent positions (x, y) with the same outcome, takes one of least walk(x, y)
  // unless `walk` is nullptr.
  template <typename Walk, typename Visit>
  void for_each_push(const PositionId* state, const PushGroup& group, Walk&& walk, Visit&& visit);

  // Writes the number of steps from the agent's position to the origins of all push groups of the
  // last call of `find_push_groups` to `steps`.
  void measure_walks(PositionId from, std::vector<uint32_t>& steps);
  void append_walk(const PositionId* state, PositionId from, PositionId to,
                   std::vector<uint8_t>& actions) {
    regions_.append_walk(state, from, to, actions);
  }

  // Calls visit(agent position before the push) for each push of a group.
  template <typename Visit>
  void for_each_origin(const PushGroup& group, Visit&& visit) const {
    for (int y = group.top; y < group.end; ++y) {
      row_of(group, y).for_each([&](int x) { visit(Point{x, y} - kDeltas[group.action]); });
    }
  }

  // Returns the plan that leads to a node. A key of the store begins with a state in its canonical
  // form. The pushes are found once more, so that nodes need not hold them.
  std::vector<uint8_t> plan_to(const NodeStore& store, NodeId node,
                               InterchangeableObjects& interchangeable);

 private:
  // The push that leads from one state to another, in its canonical form.
  Push find_push(const PositionId* from, const PositionId* to,
                 InterchangeableObjects& interchangeable);
  // The agent positions of a row after the pushes of a group.
  Row row_of(const PushGroup& group, int y) const {
    if (group.object > 0) {
      return regions_.overlapping(group.object, y) & alone_[y] & targets_[y][group.action];
    }
    Row row;
    row.set(group.x);
    return row;
  }
  // The movables that move if the agent pushes those in `hit`; none if a wall stops one of them.
  Set closure(Set hit, int action);
  // Sets `pushed_` of an object.
  void find_pushed(int pusher);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int height_;
  AgentRegions<RowWords, SetWords> regions_;
  // Of each row: the occupied positions that each action leads to, and all of them that overlap one
  // object alone.
  using Targets = std::array<Row, kNumActions>;
  std::pmr::vector<Targets> targets_;
  Rows alone_;
  // The movables that each movable pushes itself by each action. Computed on demand for `known_`.
  std::pmr::vector<std::array<Set, kNumActions>> pushed_;
  Set known_;
  std::array<Set, kNumActions> stuck_;  // the movables that a wall stops
  // Of each ordered pair of objects, if tables are narrow. They begin in `pushing_actions_`, which
  // has a byte for each offset: bit k for action k.
  std::vector<PushTable::Pair> pairs_;
  std::vector<uint8_t> pushing_actions_;
  // The offsets of the other objects from a pusher for which `pairs_` has an entry.
  using Numbers = std::array<uint16_t, kFewObjects>;  // of each object
  struct Nearness {
    Numbers bias_x{}, bias_y{}, columns{}, rows{};
  };
  std::vector<Nearness> nearness_;  // of each pusher
  Numbers xs_{}, ys_{};             // the positions
  std::vector<PushGroup> push_groups_;
  Rows group_rows_;  // of the group that `for_each_push` looks at
  Rows origins_;
  std::vector<PositionId> child_;
};

// Returns visit.operator()<RowWords, SetWords>() with enough words for the rows of a world of at
// most 1024 columns and for its sets of objects. One word each is enough for most puzzles.
template <typename Visit>
auto with_widths(const World& world, Visit&& visit) {
  const int width = world.width();
  if (world.num_objects() <= kFewObjects) {
    if (width <= 64) return visit.template operator()<1, 1>();
    if (width <= 256) return visit.template operator()<4, 1>();
  }
  if (width <= 64) return visit.template operator()<1, kManyWords>();
  return visit.template operator()<16, kManyWords>();
}

template <int RowWords, int SetWords>
template <typename Walk, typename Visit>
void PushSpace<RowWords, SetWords>::for_each_push(const PositionId* state, const PushGroup& group,
                                                  Walk&& walk, Visit&& visit) {
  std::copy(state, state + n_, child_.begin());
  group.moved.for_each([&](int object) {
    child_[object] = classes_.index_of(object).neighbour(state[object], group.action);
  });
  regions_.enter_child(child_.data(), group.moved);
  const PositionIndex& agent = classes_.index(0);
  const Point delta = kDeltas[group.action];
  Row* const rows = group_rows_.data();
  for (int y = group.top; y < group.end; ++y) rows[y - group.top] = row_of(group, y);
  for (int y = group.top; y < group.end; ++y) {
    while (rows[y - group.top].any()) {
      Point to{rows[y - group.top].first(), y};
      const PositionId region = regions_.fill_child(to - delta, to);
      if constexpr (!std::is_same_v<std::decay_t<Walk>, std::nullptr_t>) {
        uint32_t least = UINT32_MAX;
        for (int row = y; row < group.end; ++row) {
          (rows[row - group.top] & regions_.child_reach(row)).for_each([&](int x) {
            const uint32_t steps = walk(x - delta.x, row - delta.y);
            if (steps >= least) return;
            least = steps;
            to = {x, row};
          });
        }
      }
      for (int row = y; row < group.end; ++row) rows[row - group.top] &= ~regions_.child_reach(row);
      child_[0] = agent.id(to);
      visit(Push{group.action, agent.id(to - delta), region, group.moved}, child_);
    }
  }
  regions_.leave_child();
}

}  // namespace pushworld
