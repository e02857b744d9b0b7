// The admissible heuristic of SmallSearch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "generate/distribution.h"

namespace pushworld {

// A lower bound on the number of actions to the goal. For an object with a goal, it is the minimum
// over the directions d of the object's next move of a sum:
// - the length of a shortest path to the goal that starts with d. The path respects walls, and each
//   step needs room for a pusher.
// - the moves of a pusher to a contact for direction d: of the agent, or of a tool j (another
//   movable). For a tool, the moves of the agent to its first contact with any movable are added.
// The object does not move before its next move, so these are different actions. An action may
// serve several objects, so the bound is the maximum over the objects. The bound is consistent: an
// action decreases it by at most one.
class PushBound {
 public:
  static constexpr int kMaxDraftObjects = 16;
  static constexpr int kInfinity = UINT16_MAX;
  using Position = uint16_t;  // y * width + x
  using State = std::array<Position, kMaxDraftObjects>;

  void prepare(const Draft& draft, const std::vector<uint8_t>& is_wall);

  // Whether no wall overlaps the object at this position.
  bool is_legal(int object, Position position) const { return legal_[object][position]; }

  // Whether each object can reach its goal if only walls stop it. If not, the state is a dead end.
  bool is_alive(const State& state) const {
    for (int object = 1; object <= num_goals_; ++object) {
      if (distances_[object][state[object]] == kInfinity) return false;
    }
    return true;
  }
  // Requires that the state is alive.
  int operator()(const State& state) const;
  bool is_solved(const State& state) const {
    for (int object = 1; object <= num_goals_; ++object) {
      if (state[object] != goals_[object]) return false;
    }
    return num_goals_ > 0;
  }

 private:
  // The offsets (pushed - pusher) at which an object pushes another in one direction.
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
  // For each object with a goal, position and action: the length of a shortest path to the goal
  // that starts with the action; kInfinity if there is none.
  std::vector<std::vector<std::array<uint16_t, kNumActions>>> costs_by_action_;
  State goals_;
  std::vector<std::vector<uint16_t>> distances_;  // of each object with a goal, by position
  std::vector<Position> queue_;
};

}  // namespace pushworld
