// The distances of all states of a pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/core/control.h"
#include "search/heuristics/contact_distances.h"
#include "search/optimal/pattern.h"

namespace pushworld {

// What a plan costs.
enum class Minimize { kActions, kPushes };

// What may push the first movable of a pattern.
enum class Pushers { kAll, kAgent };

// The least cost from each state of a pattern to one with a known cost. Costs beyond kMost count as
// kMost. This is the search for them; PatternTable keeps them.
class PatternDatabase {
 public:
  // Without states of known cost, until `add` and `close`.
  PatternDatabase(const Pattern& pattern, Pushers pushers, Minimize minimize, LimitGuard& guard);

  static constexpr int kMost = 254;

  // The place of a state in tables. States that differ only by the agent lie together.
  static size_t index_in(const std::array<size_t, 3>& sizes, PositionId agent, PositionId first,
                         PositionId second) {
    return (size_t{first} * sizes[2] + second) * sizes[0] + agent;
  }
  static int cost_of(uint8_t remaining) { return remaining ? kMost + 1 - remaining : kInfinity; }

  // kInfinity if there is no way.
  int operator()(PositionId agent, PositionId first, PositionId second) const {
    return cost_of(remaining_[index(agent, first, second)]);
  }

  // The states with the first movable at its goal have no cost. If the second has a goal, it must
  // be there, too; otherwise `second_goal` is kNoPosition.
  void add_goals(PositionId first_goal, PositionId second_goal);

  // Adds the pushes by which the second movable itself pushes the first. `after` has the costs
  // after the push.
  void add_touches(const PatternDatabase& after);

  // Finds the costs of all other states.
  void close();

  const std::array<size_t, 3>& sizes() const { return sizes_; }
  // kMost + 1 - cost of each state, or 0, in the order of `index`.
  const uint8_t* remaining() const { return remaining_.get(); }

 private:
  struct State {
    uint16_t agent, first, second;
  };

  size_t index(PositionId agent, PositionId first, PositionId second) const {
    return index_in(sizes_, agent, first, second);
  }
  void reach(PositionId agent, PositionId first, PositionId second, int cost) {
    uint8_t& stored = remaining_[index(agent, first, second)];
    const uint8_t value = static_cast<uint8_t>(kMost + 1 - (cost < kMost ? cost : kMost));
    if (stored >= value) return;
    stored = value;
    buckets_[static_cast<size_t>(kMost + 1 - value)].push_back({static_cast<uint16_t>(agent),
                                                                static_cast<uint16_t>(first),
                                                                static_cast<uint16_t>(second)});
  }
  // Reaches all states from which one action leads to this one.
  void reach_before(State state, int cost);

  const Pattern& pattern_;
  const Pushers pushers_;
  const int cost_of_step_;
  LimitGuard& guard_;
  std::array<size_t, 3> sizes_;
  ZeroedArray<uint8_t> remaining_;                // kMost + 1 - cost; 0 if there is no way
  std::vector<std::pmr::vector<State>> buckets_;  // by cost
};

}  // namespace pushworld
