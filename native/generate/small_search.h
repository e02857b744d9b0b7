// An optimal solver for small puzzles: thousands per second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "generate/distribution.h"
#include "generate/push_bound.h"
#include "util/hash.h"

namespace pushworld {

// A hash table of states, each with its cost, its parent and its last action.
class StateTable {
 public:
  using Key = std::array<uint64_t, 2>;

  struct Node {
    Key key;
    uint32_t parent;
    uint16_t cost;
    uint8_t action;
    bool closed;
  };

  static constexpr uint32_t kNone = UINT32_MAX;

  // Removes all states but keeps the memory.
  void clear() {
    nodes_.clear();
    slots_.assign(kFirstSlots, kNone);
  }

  size_t size() const { return nodes_.size(); }
  Node& operator[](uint32_t node) { return nodes_[node]; }

  // Returns the node of a state. Adds it with the cost UINT16_MAX if it is new.
  uint32_t find_or_add(const Key& key) {
    if (2 * (nodes_.size() + 1) > slots_.size()) grow();
    uint32_t& slot = slot_of(key);
    if (slot == kNone) {
      slot = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({key, kNone, UINT16_MAX, 0, false});
    }
    return slot;
  }

 private:
  static constexpr size_t kFirstSlots = 1024;

  uint32_t& slot_of(const Key& key) {
    const size_t mask = slots_.size() - 1;
    size_t place = mix(key[0] + mix(key[1])) & mask;
    while (slots_[place] != kNone && !is_at(slots_[place], key)) place = (place + 1) & mask;
    return slots_[place];
  }

  bool is_at(uint32_t node, const Key& key) const {
    return nodes_[node].key[0] == key[0] && nodes_[node].key[1] == key[1];
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kNone);
    for (uint32_t node = 0; node < nodes_.size(); ++node) slot_of(nodes_[node].key) = node;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> slots_;
};

enum class Proof { kSolved, kUnsolvable, kTooManyStates };

// A* over macros: a walk and a push. A node is the state right after a push; its cost is the number
// of actions. Plans are optimal. The only limit is the number of states, so results do not depend
// on time. To reuse memory, one object solves many puzzles.
class SmallSearch {
 public:
  // Whether the states of such puzzles fit into a key.
  static bool can_hold(int width, int height, int num_objects);

  Proof solve(const Draft& draft, uint32_t max_states);

  // The plan of the last puzzle that was solved.
  const std::vector<uint8_t>& plan() const { return plan_; }

 private:
  using State = PushBound::State;
  using Position = PushBound::Position;

  void prepare(const Draft& draft);
  StateTable::Key pack(const State& state) const;
  State unpack(StateTable::Key key) const;
  // Sorts the positions of interchangeable obstacles.
  void canonicalize(State& state) const;
  void reach(State& state, uint32_t parent, int action, int cost);
  void expand(uint32_t number);
  // Adds the movables of a state to the grids, or removes them and the marks of a walk.
  void add_movables(const State& state);
  void remove_movables(const State& state);
  // A breadth-first search over the walks of the agent. Calls on_push(position, action) for each
  // action that makes the agent enter a movable.
  template <typename OnPush>
  void walk(Position from, const OnPush& on_push);
  // Moves the agent and the objects that it pushes. Returns false if a wall stops one of them.
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
  std::vector<int> next_equal_;              // the next obstacle of the same shape, or 0
  std::vector<uint8_t> grid_;                // of each cell: kNothing, kWall, or 1 + a movable
  std::vector<uint8_t> agent_grid_;          // what the agent overlaps at each position
  std::vector<std::vector<uint32_t>> open_;  // the open list: nodes by cost + bound
  std::vector<Position> walked_;             // the agent's reachable positions, nearest first
  std::vector<uint16_t> steps_;              // the length of the walk to each position
  std::vector<uint8_t> plan_;
};

}  // namespace pushworld
