// Where the agent can stand and walk among the movables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "search/core/limit_guard.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"
#include "util/bit_row.h"

namespace pushworld {

// The agent walks freely inside its region, the connected component of free agent positions. Sets
// of agent positions are rows of bits, one for each row of the world. The class holds the rows of a
// state and of one child, which differs from it by a push.
template <int RowWords, int SetWords>
class AgentRegions {
 public:
  using Row = BitRow<RowWords>;
  using Set = ObjectSet<SetWords>;
  using Rows = std::pmr::vector<Row>;

  AgentRegions(const World& world, const ObjectClasses& classes, LimitGuard& guard);

  // Returns the first position of the agent's region, in row-major order.
  PositionId region_of(const PositionId* state);

  // Sets the rows of a state.
  void enter(const PositionId* state);
  // The rest applies to the state of the last call of `enter`.
  const Row& legal(int y) const { return legal_[y]; }        // among walls
  const Row& reach(int y) const { return reach_[y]; }        // the agent's region
  const Row& occupied(int y) const { return occupied_[y]; }  // overlaps an object
  const Row& shared(int y) const { return shared_[y]; }      // overlaps two objects

  struct Placed {
    Point at;
    int top, end;         // the rows of the world where the agent overlaps the object
    std::ptrdiff_t rows;  // the index of row 0 of the world in `placed_rows_`
  };
  const Placed& placed(int object) const { return placed_[object]; }
  // The positions of a row, from `top` to `end`, at which the agent overlaps the object.
  const Row& overlapping(int object, int y) const { return placed_rows_[placed_[object].rows + y]; }

  // Sets the free positions of `child`, which differs from the state in the moved objects.
  void enter_child(const PositionId* child, const Set& moved);
  // Sets `child_reach` to the region of the agent at `to` after a push from `from`, and returns its
  // first position.
  PositionId fill_child(Point from, Point to);
  const Row& child_reach(int y) const { return child_reach_[y]; }
  void leave_child();

  // Writes the number of steps from the agent's position to each position of its region that is in
  // `targets` to `steps`. Clears the targets.
  void measure_walks(PositionId from, Rows& targets, std::vector<uint32_t>& steps);

  // Appends the actions of a shortest walk of the agent between two positions of its region.
  // Applies to the given state.
  void append_walk(const PositionId* state, PositionId from, PositionId to,
                   std::vector<uint8_t>& actions);

 private:
  struct Mask {  // the agent positions that overlap an object at the origin
    int left, top;
    Rows rows;
  };

  // Removes the agent positions that overlap the object.
  void block(int object, PositionId position, Row* free) const;
  void set_free_rows(const PositionId* state, Row* free) const;
  void place_objects(const PositionId* state);
  // Writes the connected component of `from` in `free` to `reach`. Returns its first position.
  PositionId fill(const Row* free, Point from, Row* reach);
  // Adds to `reach` what is connected to its rows `top` to `bottom` in `free`. Returns the first
  // position of the whole.
  PositionId spread(const Row* free, Row* reach, int top, int bottom);
  void count_rows(int rows) const { guard_.count_work(static_cast<size_t>(rows) * RowWords); }

  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int height_;
  const Set movables_;
  Rows legal_;
  std::vector<Mask> masks_;  // of each class
  int mask_rows_ = 0;        // of all objects
  Rows free_, reach_, occupied_, shared_;
  std::vector<Placed> placed_;  // of each object
  Rows placed_rows_;
  Rows child_free_, child_reach_;  // outside of a child, `child_free_` is `free_`
  int changed_top_ = 0,
      changed_end_ = 0;             // the rows in which `child_free_` may differ from `free_`
  Rows unmeasured_, front_, next_;  // of walks, with an empty row at each end of the last two
};

}  // namespace pushworld
