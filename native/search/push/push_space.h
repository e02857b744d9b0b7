// The search space whose transitions are pushes.
#pragma once

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
  // Sets `child_free_` for `child_`, which differs from `state` in the moved objects.
  void set_free_rows_after(const PositionId* state, const Set& moved);
  // Writes the connected component of `from` in `free` to `reach`. Returns its first position.
  PositionId fill(const Row* free, Point from, Row* reach);
  // The movables that move if the agent pushes those in `hit`; none if a wall stops one of them.
  Set closure(const PositionId* state, Set hit, int action) const;
  void add_push_group(const PositionId* state, const Set& hit, int action, int top, int end);
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
  Rows free_, reach_, occupied_, shared_, targets_, group_, child_free_, child_reach_;
  std::vector<PushGroup> push_groups_;
  Rows group_rows_;
  std::vector<PositionId> child_;
  std::vector<PositionId> walk_queue_;
};

extern template class PushSpace<1, 1>;
extern template class PushSpace<4, 1>;
extern template class PushSpace<1, kManyWords>;
extern template class PushSpace<16, kManyWords>;

template <int RowWords, int SetWords>
template <typename Walk, typename Visit>
void PushSpace<RowWords, SetWords>::for_each_push(const PositionId* state, const PushGroup& group,
                                                  Walk&& walk, Visit&& visit) {
  for (int object = 1; object < n_; ++object) {
    const PositionIndex& index = classes_.index_of(object);
    child_[object] =
        group.moved[object] ? index.neighbour(state[object], group.action) : state[object];
  }
  set_free_rows_after(state, group.moved);
  const PositionIndex& agent = classes_.index(0);
  const Point delta = kDeltas[group.action];
  Row* const rows = &group_rows_[group.rows];
  for (int y = group.top; y < group.end; ++y) {
    while (rows[y - group.top].any()) {
      Point to{rows[y - group.top].first(), y};
      const PositionId region = fill(child_free_.data(), to, child_reach_.data());
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
}

}  // namespace pushworld
