// Parts and constants of the searches above the plain push search, as values with names.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pushworld {

// Of each option: its name, default, range and meaning. A part that can be left out has the range 0
// to 1. Pushes and states are limits on work.
#define PUSHWORLD_OPTIONS(X)                                                                    \
  X(remaining_weight, 2, 0, 100, "what a push still needed adds to the guided cost")            \
  X(blocker_weight, 4, 0, 100, "what a blocker adds to the guided cost")                        \
  X(first_states, 2000, 1, 1 << 30, "few objects: states of a search in the first round")       \
  X(stage_states, 500, 1, 1 << 30, "few objects: the same for clearing the way")                \
  X(growth, 4, 2, 100, "few objects: factor of these limits from round to round")               \
  X(searches, 12, 1, 1000, "few objects: states of a round, relative to those of a search")     \
  X(least_states, 200, 0, 1 << 30, "few objects: states that a search counts at least")         \
  X(begin_pushes, 500, 1, 1 << 30, "pushes that the tables of a sub-puzzle count as")           \
  X(mending, 1, 0, 1, "few objects: clearing the way for plans of other puzzles")               \
  X(mending_pushes, 2, 0, 1000, "mending: pushes at first, relative to the states of a search") \
  X(mending_growth, 8, 1, 100, "mending: factor of this limit from round to round")             \
  X(mending_most, 1'024'000, 0, 1 << 30, "mending: where this limit ends")                      \
  X(mending_part, 4, 1, 100, "mending: within itself it gets one part of this many")            \
  X(clearings, 32, 1, 1000, "mending: times to clear something for a plan")                     \
  X(stage_pushes, 6000, 1, 1 << 30, "goals in turn: pushes of a stage in the first round")      \
  X(stage_growth, 4, 2, 100, "goals in turn: factor of this limit")                             \
  X(orders, 2, 1, 100, "goals in turn: orders of a round, relative to the number of goals")     \
  X(stage_turn, 500, 1, 1 << 30, "goals in turn: pushes of a turn")

struct PushOptions {
#define PUSHWORLD_MEMBER(name, value, least, most, meaning) uint64_t name = value;
  PUSHWORLD_OPTIONS(PUSHWORLD_MEMBER)
#undef PUSHWORLD_MEMBER

  bool operator==(const PushOptions&) const = default;
};

struct PushOption {
  std::string_view name;
  uint64_t PushOptions::* member;
  uint64_t least, most;
  std::string_view meaning;
};
inline constexpr auto kPushOptions = std::to_array<PushOption>({
#define PUSHWORLD_ENTRY(name, value, least, most, meaning) \
  {#name, &PushOptions::name, least, most, meaning},
    PUSHWORLD_OPTIONS(PUSHWORLD_ENTRY)
#undef PUSHWORLD_ENTRY
});

}  // namespace pushworld
