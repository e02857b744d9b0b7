// The transition function of a puzzle, for single states and for batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/push_table.h"
#include "engine/world.h"
#include "util/platform.h"

namespace pushworld {

using Coordinate = int16_t;
using Lanes = std::array<uint16_t, 8>;

// A state as positions and as the array that the engine takes.
std::vector<Coordinate> coordinates_of(const std::vector<Point>& positions);
std::vector<Point> points_of(const std::vector<Coordinate>& state);

// The engine: applies actions to states. A state is an array x0, y0, x1, y1, ... of the positions
// of all objects. The agent is object 0.
class Dynamics {
 public:
  explicit Dynamics(std::shared_ptr<const World> world,
                    const Checkpoint& checkpoint = ignore_checkpoint);

  const World& world() const { return *world_; }
  const PushTable& push_table() const { return pushes_; }
  size_t state_size() const { return 2 * static_cast<size_t>(world_->num_objects()); }

  // Applies an action in place. Returns whether anything moved.
  bool step(Coordinate* state, int action) const;

  // Prefetches what a step from this state reads first; the object itself should be in the cache.
  void prefetch(const Coordinate* state) const {
    const size_t row = static_cast<size_t>(state[1]) * row_words_ + (state[0] >> 6);
    pushworld::prefetch(&blocked_[kNumActions * row]);
    pushworld::prefetch(windows_.data());
    pushworld::prefetch(object_pairs_.data());
  }

  // The actions that move something: bit k for action k.
  unsigned moving_actions(const Coordinate* state) const;

  // Writes the objects that the action moves to `moving`, the agent first. `moving` must have room
  // for kMaxObjects. Returns their number, or 0 if a wall stops one of them.
  int moving_objects(const Coordinate* state, int action, uint16_t* moving) const;

  int achieved_goals(const Coordinate* state) const;
  bool is_solved(const Coordinate* state) const {
    return world_->num_goals() > 0 && achieved_goals(state) == world_->num_goals();
  }

  // Throws std::invalid_argument if a position is outside the world.
  void check_states(const Coordinate* states, size_t count) const;

  // Applies one action to each of `count` states in place. `moved` receives whether anything moved;
  // it may be null. Throws std::invalid_argument if a position or an action is out of range; then
  // no state has changed.
  void step_batch(Coordinate* states, const uint8_t* actions, size_t count, uint8_t* moved,
                  int threads) const;

 private:
  void step_range(Coordinate* states, const uint8_t* actions, size_t count, uint8_t* moved) const;
  bool step_small(Coordinate* state, int action) const;
  // The objects that the agent itself pushes.
  uint64_t pushed_by_agent(const Coordinate* state, int action) const;
  // All objects that move if the agent pushes these; 0 if a wall stops one of them.
  uint64_t moving_with(const Coordinate* state, int action, uint64_t pushed) const;
  // Whether an object is close enough to the agent that one action could push it. Needs `windows_`.
  bool is_near_something(const Coordinate* state) const;
  bool is_blocked(int action, int object, Coordinate x, Coordinate y) const {
    const size_t word = static_cast<size_t>(y) * row_words_ + (x >> 6);
    return blocked_[blocked_begin_[object] + kNumActions * word + action] >> (x & 63) & 1;
  }

  std::shared_ptr<const World> world_;
  const int num_objects_;
  PushTable pushes_;
  std::vector<int> shape_of_;
  // The table of each ordered pair of objects, if there are at most 64 objects and all tables are
  // narrow.
  std::vector<PushTable::Pair> object_pairs_;
  // A window tests eight coordinates (four objects) of a state at once. The agent can push an
  // object only if (position - agent's position + bias) < limit in both coordinates. The last
  // window ends with the state, so it may overlap the one before. There are none for fewer than
  // four objects.
  struct Window {
    size_t begin;
    Lanes bias;
    Lanes limit;
  };
  std::vector<Window> windows_;
  // For each object, 64 positions in a row and action, the positions from which a wall stops the
  // object. Objects with the same legal positions share an entry.
  size_t row_words_;
  std::vector<size_t> blocked_begin_;
  std::vector<uint64_t> blocked_;
};

// The state after some actions.
std::vector<Coordinate> state_after(const Dynamics& dynamics, const std::vector<Point>& positions,
                                    const std::vector<uint8_t>& actions);

}  // namespace pushworld
