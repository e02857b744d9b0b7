// A pattern: the puzzle with the agent and one or two of its movables, as if the others could be
// anywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"

namespace pushworld {

enum class Minimize { kActions, kPushes };

// Which of two bodies overlap or push each other, by their positions.
class Relation {
 public:
  Relation(size_t pushers, size_t pushed, MemoryAccount& memory)
      : stride_(pushed), bits_(pushers * pushed, 0, &memory) {}

  // The actions by which the pusher itself pushes the other body.
  unsigned direct(PositionId pusher, PositionId pushed) const { return at(pusher, pushed) & 15; }
  // The actions by which it pushes it itself or may do so through other movables.
  unsigned any(PositionId pusher, PositionId pushed) const {
    const unsigned bits = at(pusher, pushed);
    return (bits | bits >> 4) & 15;
  }

  void add_direct(PositionId pusher, PositionId pushed, int action) {
    bits_[pusher * stride_ + pushed] |= static_cast<uint8_t>(1 << action);
  }
  void add_through_others(PositionId pusher, PositionId pushed, int action) {
    bits_[pusher * stride_ + pushed] |= static_cast<uint8_t>(16 << action);
  }

 private:
  unsigned at(PositionId pusher, PositionId pushed) const {
    return bits_[pusher * stride_ + pushed];
  }

  size_t stride_;
  std::pmr::vector<uint8_t>
      bits_;  // the low half direct pushes, the high half those through others
};

// The other movables do not stop anything, and they push what they can reach: in direction d, the
// agent or a kept movable may push a kept movable through a chain of others if there are positions
// of the others, among the walls, at which each pushes the next. Whatever happens in the puzzle
// happens in the pattern, so its distances are lower bounds.
class Pattern {
 public:
  static constexpr int kNone = -1;

  // `second` may be kNone. Then there is one position for it, at which nothing touches it.
  Pattern(const World& world, const ObjectClasses& classes, Contacts& contacts, int first,
          int second, LimitGuard& guard);

  // The number of positions of the agent, of the first and of the second movable.
  const std::array<size_t, 3>& sizes() const { return sizes_; }
  size_t num_states() const { return sizes_[0] * sizes_[1] * sizes_[2]; }
  static uint64_t num_states(const ObjectClasses& classes, int first, int second);
  // The place of a state in tables. States that differ only by the agent lie together.
  size_t index(PositionId agent, PositionId first, PositionId second) const {
    return (size_t{first} * sizes_[2] + second) * sizes_[0] + agent;
  }

  // kNoPosition if a wall stops the body. `body` is 0 for the agent, 1 or 2 for a movable.
  PositionId neighbour(int body, PositionId at, int action) const {
    return indices_[body] ? indices_[body]->neighbour(at, action) : kNoPosition;
  }
  const Relation& pushes(int pusher, int pushed) const {
    return relations_[pusher * 2 + pushed - 1];
  }
  bool overlap(int one, int other, PositionId p, PositionId q) const {
    return overlaps_[one + other - 1][p * sizes_[other] + q];
  }

 private:
  using Table = std::pmr::vector<uint8_t>;

  void find_overlaps(const World& world, const ObjectClasses& classes, int one, int other);
  void find_contacts(Contacts& contacts, int pusher, int pushed);
  // Finds the pushes of a body through other movables.
  void find_chains(const World& world, const ObjectClasses& classes, Contacts& contacts,
                   int pusher);

  LimitGuard& guard_;
  std::array<int, 3> objects_;
  std::array<int, 3> classes_of_;
  std::array<const PositionIndex*, 3> indices_;
  std::array<size_t, 3> sizes_;
  std::vector<Relation> relations_;  // [pusher][pushed - 1]
  std::array<Table, 3> overlaps_;    // agent and 1, agent and 2, 1 and 2
};

// The least cost from the start to each state of a pattern with one movable, by the index of the
// state; kUnreachable if there is no way. `starts` has the positions at which the movable may
// start.
std::pmr::vector<uint16_t> distances_from_start(const Pattern& pattern, PositionId agent,
                                                const std::vector<PositionId>& starts,
                                                Minimize minimize, LimitGuard& guard);

}  // namespace pushworld
