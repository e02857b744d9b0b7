#include "search/heuristics/contact_distances.h"

#include <algorithm>

namespace pushworld {

ContactDistances::ContactDistances(const Dynamics& dynamics, const ObjectClasses& classes,
                                   LimitGuard& guard)
    : dynamics_(dynamics),
      classes_(classes),
      guard_(guard),
      contacts_(dynamics, classes, guard),
      to_goal_(dynamics.world().num_goals(), &guard.memory()),
      to_contact_(static_cast<size_t>(classes.count()) * classes.count(), &guard.memory()),
      arrays_(&guard.memory()),
      frontiers_(&guard.memory()) {}

void ContactDistances::find_distances_to_goal(int goal) {
  const PositionIndex& index = classes_.index_of(goal + 1);
  guard_.check();
  to_goal_[goal] = index.distances_to(index.id(dynamics_.world().goals()[goal]), guard_);
}

uint16_t* ContactDistances::begin_search(int pusher_class, int pushed_class, PositionId pushed,
                                         int action) {
  auto& table = to_contact_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
  const PositionIndex& pushed_index = classes_.index(pushed_class);
  const PositionIndex& pusher_index = classes_.index(pusher_class);
  guard_.check();
  if (!table) table = {pushed_index.size() * kNumActions, guard_.memory()};
  uint16_t* const distances = arrays_.emplace_back(pusher_index.size(), guard_.memory()).get();
  std::pmr::vector<PositionId>& frontier = frontiers_[distances];
  contacts_.for_each(pusher_class, pushed_class, pushed, action, [&](PositionId from) {
    distances[from] = 1;
    frontier.push_back(from);
  });
  table.at(static_cast<size_t>(pushed) * kNumActions + action) = distances;
  return distances;
}

void ContactDistances::resume_search(int pusher_class, uint16_t* distances, PositionId from) {
  const PositionIndex& index = classes_.index(pusher_class);
  const auto entry = frontiers_.find(distances);
  std::pmr::vector<PositionId>& queue = entry->second;
  size_t next = 0;
  while (next < queue.size() && distances[from] == kUnknown) {
    guard_.count_work(4);
    const PositionId at = queue[next++];
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId to = index.neighbour(at, action);
      if (to == kNoPosition || distances[to] != kUnknown) continue;
      // Push first: if it throws, the search can still be resumed.
      queue.push_back(to);
      distances[to] = static_cast<uint16_t>(std::min<int>(distances[at] + 1, kNever - 1));
    }
  }
  if (distances[from] == kUnknown) {
    std::replace(distances, distances + index.size(), kUnknown, kNever);
    frontiers_.erase(entry);
  } else {
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(next));
    queue.shrink_to_fit();  // most of its capacity went to positions that are done
  }
  guard_.check();
}

}  // namespace pushworld
