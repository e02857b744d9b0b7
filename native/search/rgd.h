// The recursive graph distance of the paper, with its caches.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/dynamics.h"
#include "search/contacts.h"
#include "search/position_index.h"
#include "search/zeroed_array.h"

namespace pushworld {

inline constexpr int kInfinity = 1 << 28;

// Estimates the number of actions to the goal, obstacles ignored. Path lengths and the distances of
// pushers to their contacts are computed once for each pair of positions that comes up.
class RecursiveGraphDistance {
 public:
  // `max_tools` bounds the objects in a chain between the agent and a goal object. With
  // `fewest_tools_first`, a chain counts only if none with fewer tools exists, as in the paper's
  // experiments; otherwise the cheapest chain of any length counts, as in its pseudocode.
  RecursiveGraphDistance(const Dynamics& dynamics, const ObjectClasses& classes, int max_tools,
                         bool fewest_tools_first = true);

  // Calls `function` while caches grow and long computations go on; it may throw.
  void set_on_work(std::function<void()> function) { on_work_ = std::move(function); }

  // kInfinity if no chain of pushers (of at most max_tools tools) can move a goal object that is
  // not at its goal. Without a bound on the tools, that proves a dead end: when a plan moves an
  // object for the first time, its pusher has come to a contact by moves that walls allow, and that
  // pusher is the agent, or was moved for the first time earlier or closer to the agent in the same
  // action. So a chain leads from the agent to every object that any plan moves.
  int operator()(const PositionId* state);

  // The cost for a single object, by index among those with goals.
  int goal_cost(const PositionId* state, int goal);
  // Distance of each position of the goal's object to its goal.
  const std::vector<uint16_t>& goal_distances(int goal) {
    if (goal_distances_[goal].empty()) find_goal_distances(goal);
    return goal_distances_[goal];
  }

  Contacts& contacts() { return contacts_; }
  // The distance of a pusher at `from` to the nearest place from where it pushes the pushed one;
  // kUnreachable if there is none. The search from those places is kept and goes on only as far as
  // it must.
  int contact_distance(int pusher_class, int pushed_class, PositionId pushed, int action,
                       PositionId from) {
    uint16_t* const known = known_distances(pusher_class, pushed_class, pushed, action);
    if (known[from] == kUnknown) search_on(pusher_class, known, from);
    return known[from] == kNever ? kUnreachable : known[from] - 1;
  }

  size_t bytes() const { return bytes_ + contacts_.bytes(); }
  // What `bytes` comes to if `on_work`, at the moment, does not throw.
  size_t bytes_ahead() const { return bytes() + asked_bytes_; }

 private:
  // Distances are kept plus one, so that large arrays of unknown ones are not even touched.
  static constexpr uint16_t kUnknown = 0;
  static constexpr uint16_t kNever = UINT16_MAX;
  using Distances = ZeroedArray<uint16_t>;

  uint16_t* known_distances(int pusher_class, int pushed_class, PositionId pushed, int action) {
    const auto& table =
        contact_distances_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
    const size_t entry = static_cast<size_t>(pushed) * kNumActions + action;
    if (!table.empty() && table[entry]) return table[entry].get();
    return begin_search(pusher_class, pushed_class, pushed, action);
  }
  // To be called before so much memory is taken: it may be refused.
  void ask_for(size_t bytes);
  void find_goal_distances(int goal);
  uint16_t* begin_search(int pusher_class, int pushed_class, PositionId pushed, int action);
  // Goes on with the search until it has reached `from` or everything.
  void search_on(int pusher_class, uint16_t* distances, PositionId from);

  // The objects of a chain so far: one that is pushed, what it pushes in turn, and so on.
  struct Chain {
    int object;
    const Chain* rest;

    bool contains(int other) const {
      return other == object || (rest != nullptr && rest->contains(other));
    }
  };
  // Actions to get a pusher that is not in the chain, with at most `depth` tools, to push the
  // chain's first object once in the direction of the action; `bound` if no way is cheaper.
  int pushing_cost(const PositionId* state, const Chain& chain, int action, int depth, int bound);

  // Costs of pushing each object in each direction, at [object * 4 + action].
  using PushCosts = std::vector<int>;

  PushCosts costs_without_tools(const PositionId* state);
  // The costs with chains one tool longer; an object may come up twice in a chain.
  PushCosts costs_with_one_more_tool(const PositionId* state, const PushCosts& shorter);
  int cost_with_pushes(const PositionId* state, int goal, const PushCosts& costs) const;
  int cost_with_fewest_tools(const PositionId* state, int goal);
  int cost_with_any_tools(const PositionId* state, int goal);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  const int n_;
  const int max_tools_;
  const bool fewest_tools_first_;
  std::function<void()> on_work_ = [] {};
  uint32_t work_ = 0;
  Contacts contacts_;
  PushCosts lower_bounds_;  // of pushing costs in the state at hand; may be empty
  std::vector<std::vector<uint16_t>> goal_distances_;  // empty until they are asked for
  // [pusher class * classes + pushed class][pushed position * 4 + action]
  std::vector<std::vector<Distances>> contact_distances_;
  // Of the searches that have not reached all positions, those from where to go on.
  std::unordered_map<const uint16_t*, std::vector<PositionId>> frontiers_;
  size_t bytes_ = 0;
  size_t asked_bytes_ = 0;
};

}  // namespace pushworld
