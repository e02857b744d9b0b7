// The context-enhanced additive heuristic (Helmert and Geffner, 2008) on object positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/rgd.h"

namespace pushworld {

// The sum of the costs of cheapest paths of the goal objects to their goals. A step of an object
// costs what its cheapest pusher needs:
// - the agent: its walk to a contact, plus 1 for the push;
// - a tool (another movable): its own cheapest path that ends with the push.
// The context of a path is where all objects are after the path so far. Paths respect walls and
// ignore other objects. A chain of pushers contains each object once. It has at most `max_tools`
// tools, and no more than a finite value requires. No value is cached between states.
class ContextEnhancedAdditive {
 public:
  ContextEnhancedAdditive(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard,
                          int max_tools);

  // kInfinity if a goal object has no path. The state may still be solvable: see `is_dead_end`.
  int operator()(const PositionId* state);
  // Whether the last value was infinite because no chain of any length can move some goal object.
  bool is_dead_end() const { return is_dead_end_; }

 private:
  using Context = std::pmr::vector<PositionId>;
  struct QueueEntry {
    int cost;
    uint32_t age;  // breaks ties deterministically
    PositionId position;
    friend bool operator>(const QueueEntry& a, const QueueEntry& b) {
      return std::tie(a.cost, a.age) > std::tie(b.cost, b.age);
    }
  };
  using Queue = std::priority_queue<QueueEntry, std::vector<QueueEntry>, std::greater<>>;
  // The tables of one path search. The search for the path of a pusher runs inside the search for
  // the path of the object it pushes, one level deeper.
  struct Level {
    Level(size_t positions, MemoryAccount& memory)
        : run(positions, &memory),
          cost(positions, &memory),
          context(positions, &memory),
          contact_run(positions, &memory) {}

    std::pmr::vector<uint32_t> run;  // the search that wrote `cost` and `context`
    std::pmr::vector<int> cost;
    std::pmr::vector<Context> context;
    std::pmr::vector<uint32_t> contact_run;  // the search that has this position as a contact
    Context after_step;
    uint32_t now = 0;
  };
  // The end of a path: a position, or a step by an action from one of several contacts.
  struct Target {
    PositionId position = kNoPosition;
    int action = -1;
    std::span<const PositionId> contacts = {};
  };

  // The cost of a cheapest path from the object's position in `start`; `bound` if no path is
  // cheaper. Writes the context at its end to `end`.
  int path_cost(int depth, int object, const Context& start, const Target& target, int bound,
                Context& end);
  // The cost of one step of the object; `bound` if no pusher is cheaper. Writes the context after
  // the step to `after`.
  int step_cost(int depth, int object, int action, const Context& context, int bound,
                Context& after);
  // The length and the end of a shortest walk to a contact; kInfinity if there is none.
  std::pair<int, PositionId> walk(PositionId from, std::span<const PositionId> contacts);
  std::vector<PositionId> contacts(int pusher, int object, PositionId at, int action);

  const World& world_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int max_tools_;
  RecursiveGraphDistance chains_;
  bool is_dead_end_ = false;
  int tools_ = 0;  // the current limit
  std::vector<Level> levels_;
  std::vector<uint8_t> is_used_;
  std::pmr::vector<uint32_t> walk_run_;
  std::pmr::vector<uint32_t> walk_target_;
  std::pmr::vector<std::pair<PositionId, int>> walk_queue_;
  uint32_t walk_now_ = 0;
  uint32_t work_ = 0;
};

}  // namespace pushworld
