// The search space whose transitions are pushes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"
#include "util/bit_row.h"

namespace pushworld {

// The agent walks freely inside its region, the connected component of free agent positions. So a
// node is the positions of the movables and the agent's region, and a transition is a macro: a walk
// and a push. The walks are computed when a plan is written. A state holds the position ids of all
// objects, the agent's first. RowWords and SetWords are the numbers of words per row of the world
// and per set of objects.
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
  std::vector<PositionId> initial_state() const;

  // Returns the first position of the agent's region, in row-major order.
  PositionId region_of(const PositionId* state);

  // A group of pushes by one action that move the same objects.
  struct PushGroup {
    int action;
    Set moved;
    int top, end;  // the rows of the agent positions after the pushes
    size_t rows;   // the index of these rows in `group_rows_`
  };

  // Returns the push groups that the agent can reach. They are valid until the next call.
  const std::vector<PushGroup>& find_push_groups(const PositionId* state);

  // Calls visit(push, state after the push) once for each different outcome of a group. Consumes
  // the group.
  template <typename Visit>
  void for_each_push(const PositionId* state, const PushGroup& group, Visit&& visit) {
    for_each_push(state, group, nullptr, visit);
  }
  // The same; of the agent positions (x, y) with the same outcome, takes one of least walk(x, y)
  // unless `walk` is nullptr.
  template <typename Walk, typename Visit>
  void for_each_push(const PositionId* state, const PushGroup& group, Walk&& walk, Visit&& visit);

  // Writes the number of steps from the agent's position to each position of its region to `steps`.
  // Applies to the state of the last call of `find_push_groups`.
  void measure_walks(PositionId from, std::vector<uint32_t>& steps);

  // Calls visit(agent position before the push) for each push of a group that is not consumed.
  template <typename Visit>
  void for_each_origin(const PushGroup& group, Visit&& visit) const {
    for (int y = group.top; y < group.end; ++y) {
      for (Row row = group_rows_[group.rows + y - group.top]; row.any(); row.clear_first()) {
        visit(Point{row.first(), y} - kDeltas[group.action]);
      }
    }
  }

  // Appends the actions of a shortest walk of the agent between two positions of its region.
  void append_walk(const PositionId* state, PositionId from, PositionId to,
                   std::vector<uint8_t>& actions);

 private:
  struct Mask {  // the agent positions that overlap an object at the origin
    int left, top;
    Rows rows;
  };

  // Adds the agent positions that overlap the object to `rows`.
  void add_obstacle(int object, PositionId position, Row* rows) const;
  void set_free_rows(const PositionId* state, Row* free) const;
  // Sets `child_free_` for `child_`, which differs from the placed objects in the moved ones.
  // Before and after, `child_free_` is `free_`.
  void set_free_rows_after(const Set& moved);
  void restore_free_rows();
  // Writes the connected component of `from` in `free` to `reach`. Returns its first position.
  PositionId fill(const Row* free, Point from, Row* reach);
  // The same for the agent at `to` in `child_free_`, after a push from `from`. Starts from the
  // parent's region if the push leaves that connected.
  PositionId fill_after(Point from, Point to);
  // Whether a part of `reach_` is one connected component without the positions that `child_free_`
  // lacks. May be false for one that is.
  bool is_still_connected() const;
  // Adds to `reach` what is connected to its rows `top` to `bottom` in `free`. Returns the first
  // position of the whole.
  PositionId spread(const Row* free, Row* reach, int top, int bottom);
  void place_objects(const PositionId* state);
  // The movables that move if the agent pushes those in `hit`; none if a wall stops one of them.
  Set closure(const PositionId* state, Set hit, int action);
  // Sets `pushed_` of an object.
  void find_pushed(int pusher);
  // Calls visit(row of the world, positions of the agent) for each row with a position at which the
  // agent overlaps the object. Requires `place_objects`.
  template <typename Visit>
  void for_each_row(int object, Visit&& visit) const {
    const Placed& placed = placed_[object];
    for (int y = placed.top; y < placed.end; ++y) visit(y, placed_rows_[placed.rows + y]);
  }
  void count_rows(int rows) const { guard_.count_work(static_cast<size_t>(rows) * RowWords); }

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int height_;
  const Set movables_;
  Rows agent_legal_;
  std::vector<Mask> masks_;  // of each class
  int mask_rows_ = 0;        // of all objects
  // `occupied_` holds the agent positions that overlap an object, `shared_` those that overlap two.
  // `targets_` holds the occupied positions that the agent can enter by each action.
  Rows free_, reach_, occupied_, shared_, child_free_, child_reach_;
  std::array<Rows, kNumActions> targets_;
  int changed_top_ = 0,
      changed_end_ = 0;  // the rows in which `child_free_` may differ from `free_`
  struct Placed {
    Point at;
    int top, end;         // the rows of the world where the agent overlaps the object
    std::ptrdiff_t rows;  // the index of row 0 of the world in `placed_rows_`
  };
  std::vector<Placed> placed_;  // of each object
  Rows placed_rows_;
  // The movables that each movable pushes itself by each action. Computed on demand for `known_`.
  std::pmr::vector<std::array<Set, kNumActions>> pushed_;
  Set known_;
  std::vector<PushTable::Pair> pairs_;  // of each ordered pair of objects, if tables are narrow
  std::vector<PushGroup> push_groups_;
  Rows group_rows_;
  std::vector<PositionId> child_;
  std::vector<PositionId> walk_queue_;
  Rows unmeasured_;
};

extern template class PushSpace<1, 1>;
extern template class PushSpace<4, 1>;
extern template class PushSpace<1, kManyWords>;
extern template class PushSpace<16, kManyWords>;

template <int RowWords, int SetWords>
template <typename Walk, typename Visit>
void PushSpace<RowWords, SetWords>::for_each_push(const PositionId* state, const PushGroup& group,
                                                  Walk&& walk, Visit&& visit) {
  std::copy(state, state + n_, child_.begin());
  group.moved.for_each([&](int object) {
    child_[object] = classes_.index_of(object).neighbour(state[object], group.action);
  });
  set_free_rows_after(group.moved);
  const PositionIndex& agent = classes_.index(0);
  const Point delta = kDeltas[group.action];
  Row* const rows = &group_rows_[group.rows];
  for (int y = group.top; y < group.end; ++y) {
    while (rows[y - group.top].any()) {
      Point to{rows[y - group.top].first(), y};
      const PositionId region = fill_after(to - delta, to);
      if constexpr (!std::is_same_v<std::decay_t<Walk>, std::nullptr_t>) {
        uint32_t least = UINT32_MAX;
        for (int row = y; row < group.end; ++row) {
          (rows[row - group.top] & child_reach_[row]).for_each([&](int x) {
            const uint32_t steps = walk(x - delta.x, row - delta.y);
            if (steps >= least) return;
            least = steps;
            to = {x, row};
          });
        }
      }
      for (int row = y; row < group.end; ++row) rows[row - group.top] &= ~child_reach_[row];
      child_[0] = agent.id(to);
      visit(Push{group.action, agent.id(to - delta), region, group.moved}, child_);
    }
  }
  restore_free_rows();
}

}  // namespace pushworld
