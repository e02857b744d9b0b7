// A lower bound of the number of actions that a small puzzle still takes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "generate/distribution.h"

namespace pushworld {

// For an object with a goal, the bound is the least, over the directions d of its next move, of
// - 1 for that move, and the length of the way on from there to the goal, where a move needs free
//   cells ahead and a place behind the object for something that pushes it, walls considered alone;
// - before it, the moves that bring a pusher to a place from where it pushes in direction d: the
//   agent's own, or those of a tool j, to which those of the agent to its first push of anything
//   add up.
// Until its next move the object stands still, so these are different actions. One action may serve
// several objects, so of the bounds for different objects only the largest counts. An action
// lowers the bound by at most one.
class PushBound {
 public:
  static constexpr int kMaxObjects = 16;
  static constexpr int kInfinity = UINT16_MAX;
  using Position = uint16_t;  // y * width + x
  using State = std::array<Position, kMaxObjects>;

  void prepare(const Draft& draft, const std::vector<uint8_t>& is_wall);

  // Whether an object may stand at a position as far as walls are concerned.
  bool is_legal(int object, Position position) const { return legal_[object][position]; }

  // Whether every object can still reach its goal as far as walls are concerned.
  bool is_alive(const State& state) const {
    for (int object = 1; object <= num_goals_; ++object) {
      if (distances_[object][state[object]] == kInfinity) return false;
    }
    return true;
  }
  // Of a state that is alive.
  int operator()(const State& state) const;
  bool is_solved(const State& state) const {
    for (int object = 1; object <= num_goals_; ++object) {
      if (state[object] != goals_[object]) return false;
    }
    return num_goals_ > 0;
  }

 private:
  // Where the pushed object stands relative to one that pushes it in some direction.
  using Contacts = std::vector<Point>;

  const Contacts& contacts(int pusher, int pushed, int action) const {
    return contacts_[(pusher * num_objects_ + pushed) * kNumActions + action];
  }
  void find_legal_positions(const Draft& draft, const std::vector<uint8_t>& is_wall);
  void find_contacts(const Draft& draft);
  void find_distances(const Draft& draft, int object);
  bool has_place_for_pusher(int object, int position, int action) const;
  int moves_to_contact(int pusher, int pushed, int action, const State& state) const;
  int moves_to_any_contact(const State& state) const;

  int width_ = 0;
  int height_ = 0;
  int num_objects_ = 0;
  int num_goals_ = 0;
  std::array<int, kNumActions> deltas_;
  std::vector<Point> boxes_;                 // width and height of each object
  std::vector<Point> points_;                // of each position
  std::vector<std::vector<uint8_t>> legal_;  // of each object and position
  std::vector<Contacts> contacts_;           // of each pusher, pushed object, and action
  // For each object with a goal and each position and action, the way to the goal if it begins
  // with that action; kInfinity if it cannot.
  std::vector<std::vector<std::array<uint16_t, kNumActions>>> ways_;
  State goals_;
  std::vector<std::vector<uint16_t>> distances_;  // of each object with a goal, to it
  std::vector<Position> queue_;
};

}  // namespace pushworld
