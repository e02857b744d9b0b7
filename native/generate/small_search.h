// Optimal plans for small puzzles, thousands of puzzles a second.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "generate/distribution.h"
#include "generate/push_bound.h"
#include "generate/state_table.h"

namespace pushworld {

enum class Proof { kSolved, kUnsolvable, kTooManyStates };

// A* over pushes, each with the walk to it: nodes are the states right after a push, and their cost
// is the number of actions. Plans are as short as possible; whether one is found depends on the
// number of states that may be seen, never on time. One object serves any number of puzzles, so
// that its memory is allocated once.
class SmallSearch {
 public:
  // Whether states of this many objects in a world of this size can be told apart.
  static bool can_hold(int width, int height, int num_objects);

  Proof solve(const Draft& draft, uint32_t max_states);

  // The plan of the last puzzle, if it was solved.
  const std::vector<uint8_t>& plan() const { return plan_; }

 private:
  using State = PushBound::State;
  using Position = PushBound::Position;

  void prepare(const Draft& draft);
  StateTable::Key pack(const State& state) const;
  State unpack(StateTable::Key key) const;
  // Orders objects that nothing tells apart.
  void sort_equal_obstacles(State& state) const;
  void reach(State& state, uint32_t parent, int action, int cost);
  void expand(uint32_t number);
  // Shows the movables of a state in the grids, or removes them and the traces of a walk.
  void show(const State& state);
  void hide(const State& state);
  // Lets the agent walk from its position wherever it can without pushing, nearest places first.
  // Calls on_push(place, action) wherever it bumps into a movable.
  template <typename OnPush>
  void walk(Position from, const OnPush& on_push);
  // Moves the agent and what it pushes; returns false if a wall stops one of them.
  bool push(State& state, int action) const;
  void write_plan(uint32_t node);
  void write_walk(const State& state, Position to);

  PushBound bound_;
  StateTable table_;
  int num_objects_ = 0;
  int num_goals_ = 0;
  int bits_ = 0;  // of a position
  std::array<int, kNumActions> deltas_;
  std::vector<std::vector<int>> cells_;      // of each object, as differences of positions
  std::vector<int> twin_;                    // the next obstacle of the same shape, or 0
  std::vector<uint8_t> grid_;                // nothing, a wall, or 1 + a movable, in each cell
  std::vector<uint8_t> touched_;             // nothing, a wall, or movables, by the agent's cells
  std::vector<std::vector<uint32_t>> open_;  // nodes by cost + bound
  std::vector<Position> walked_;             // the agent's places, nearest first
  std::vector<uint16_t> steps_;              // the length of the walk to each place
  std::vector<uint8_t> plan_;
};

}  // namespace pushworld
