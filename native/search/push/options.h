// Constants of the push searches, as values with names.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pushworld {

// Of each option: its name, default, range and meaning. Pushes and states are limits on work.
#define PUSHWORLD_OPTIONS(X)                                                                  \
  X(remaining_weight, 2, 0, 100, "what a push still needed adds to the guided cost")          \
  X(blocker_weight, 4, 0, 100, "what a blocker adds to the guided cost")                      \
  X(noise, 3, 0, 1000, "what a seed other than 0 adds to it at most, at random")              \
  X(tool_cost, 8, 1, 1000, "pushes that a push by a tool counts as, before one is chosen")    \
  X(tool_for_tool_cost, 80, 0, 1000, "pushes more, if only another tool can move the tool")   \
  X(tools, 2, 0, 1000, "tools in a chain of the recursive graph distance, at most")           \
  X(turn, 2000, 1, 1 << 30, "pushes of a turn of a strategy, for each unit of its share")     \
  X(first_states, 2000, 1, 1 << 30, "few objects: states of a search in the first round")     \
  X(growth, 4, 2, 100, "few objects: factor of these limits from round to round")             \
  X(searches, 6, 1, 1000, "few objects: states of a round, relative to those of a search")    \
  X(least_states, 200, 0, 1 << 30, "few objects: states that a search counts at least")       \
  X(mending, 4, 0, 1000, "few objects: pushes to clear a way, relative to these states")      \
  X(clearings, 32, 1, 1000, "mending: times to clear something for a plan")                   \
  X(clearing_states, 500, 1, 1 << 30, "mending: states of a search in the first round")       \
  X(clearing_part, 4, 1, 100, "mending: one part of this many goes to mending within it")     \
  X(begin_pushes, 500, 1, 1 << 30, "pushes that the tables of a sub-puzzle count as")         \
  X(stage_pushes, 6000, 1, 1 << 30, "goals in turn: pushes of a stage in the first round")    \
  X(stage_growth, 4, 2, 100, "goals in turn: factor of this limit")                           \
  X(orders, 2, 1, 100, "goals in turn: orders of a round, relative to the number of goals")   \
  X(stage_turn, 500, 1, 1 << 30, "goals in turn: pushes of a turn")                           \
  X(layout_stage, 32, 1, 1000, "goals in turn: factor of the limit where layouts are needed") \
  X(layouts, 3, 0, 10, "how deep layouts may need layouts; 0 for none")                       \
  X(plain_part, 8, 1, 100, "layouts: the other search gets one part of this many")            \
  X(layout_turn, 2000, 1, 1 << 30, "layouts: pushes of a turn")                               \
  X(layout_partials, 1000, 1, 1 << 30, "layouts: partial ones of a direction and its goals")  \
  X(object_cost, 2, 0, 100, "layouts: cost of an object that must move")                      \
  X(reach_cost, 2, 0, 100, "layouts: cost of a place out of the agent's reach")

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
