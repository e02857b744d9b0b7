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

// Sums up, over the goal objects, the cost of a cheapest path of the object to its goal. A step of
// an object costs what it takes to make a pusher step into it: 1 more than its walk to a contact
// for the agent, and a cheapest path of its own, the step included, for a tool. All objects are
// taken to be where the path so far has left them: that is the context. Walls are heeded, other
// objects are not in the way. A chain holds each object once and `max_tools` tools at most, and no
// more than are needed for a finite value. Nothing is kept from one state to the next.
class ContextEnhancedAdditive {
 public:
  ContextEnhancedAdditive(const Dynamics& dynamics, const ObjectClasses& classes, LimitGuard& guard,
                          int max_tools);

  // kInfinity if no path was found; that alone does not prove that there is no plan.
  int operator()(const PositionId* state);
  // Whether the last value was infinite because nothing can ever move some goal object.
  bool is_dead_end() const { return is_dead_end_; }

 private:
  using Context = std::pmr::vector<PositionId>;
  struct QueueEntry {
    int cost;
    uint32_t age;  // so that ties are broken the same way everywhere
    PositionId position;
    friend bool operator>(const QueueEntry& a, const QueueEntry& b) {
      return std::tie(a.cost, a.age) > std::tie(b.cost, b.age);
    }
  };
  using Queue = std::priority_queue<QueueEntry, std::vector<QueueEntry>, std::greater<>>;
  // What one search for a path needs; searches for a pusher's path happen within that for the path
  // of the pushed object, one level deeper.
  struct Level {
    Level(size_t positions, MemoryAccount& memory)
        : run(positions, &memory),
          cost(positions, &memory),
          context(positions, &memory),
          contact_run(positions, &memory) {}

    std::pmr::vector<uint32_t> run;  // the search in which the next two were written
    std::pmr::vector<int> cost;
    std::pmr::vector<Context> context;
    std::pmr::vector<uint32_t> contact_run;  // the search for which a position is a contact
    Context after_step;
    uint32_t now = 0;
  };
  // Where a path ends: at a position, or with a step in a direction from one of several contacts.
  struct Target {
    PositionId position = kNoPosition;
    int action = -1;
    std::span<const PositionId> contacts = {};
  };

  // The cost of a cheapest path from where `start` has the object; `bound` if none is cheaper. The
  // context at its end is written to `end`.
  int path_cost(int depth, int object, const Context& start, const Target& target, int bound,
                Context& end);
  // The cost of one step of the object; `bound` if no way is cheaper. `after` is the context then.
  int step_cost(int depth, int object, int action, const Context& context, int bound,
                Context& after);
  // The cheapest walk to a contact and where it ends; the cost is kInfinity if there is none.
  std::pair<int, PositionId> walk(PositionId from, std::span<const PositionId> contacts);
  std::vector<PositionId> contacts(int pusher, int object, PositionId at, int action);

  const World& world_;
  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int max_tools_;
  RecursiveGraphDistance chains_;
  bool is_dead_end_ = false;
  int tools_ = 0;  // allowed at the moment
  std::vector<Level> levels_;
  std::vector<uint8_t> is_used_;
  std::pmr::vector<uint32_t> walk_run_;
  std::pmr::vector<uint32_t> walk_target_;
  std::pmr::vector<std::pair<PositionId, int>> walk_queue_;
  uint32_t walk_now_ = 0;
  uint32_t work_ = 0;
};

}  // namespace pushworld
