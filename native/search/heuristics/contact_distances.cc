#include "search/heuristics/contact_distances.h"

#include <algorithm>

namespace pushworld {

ContactDistances::ContactDistances(const Dynamics& dynamics, const ObjectClasses& classes)
    : dynamics_(dynamics),
      classes_(classes),
      contacts_(dynamics, classes),
      to_goal_(dynamics.world().num_goals()),
      to_contact_(static_cast<size_t>(classes.count()) * classes.count()) {}

void ContactDistances::ask_for(size_t bytes) {
  asked_bytes_ = bytes;
  on_work_();
  asked_bytes_ = 0;
  bytes_ += bytes;
}

void ContactDistances::find_distances_to_goal(int goal) {
  const PositionIndex& index = classes_.index_of(goal + 1);
  ask_for(index.size() * sizeof(uint16_t));
  to_goal_[goal] = index.distances_to(index.id(dynamics_.world().goals()[goal]));
}

uint16_t* ContactDistances::begin_search(int pusher_class, int pushed_class, PositionId pushed,
                                         int action) {
  auto& table = to_contact_[static_cast<size_t>(pusher_class) * classes_.count() + pushed_class];
  const PositionIndex& pushed_index = classes_.index(pushed_class);
  const PositionIndex& pusher_index = classes_.index(pusher_class);
  if (table.empty()) {
    ask_for(pushed_index.size() * kNumActions * sizeof(Distances));
    table.resize(pushed_index.size() * kNumActions);
  }
  ask_for(pusher_index.size() * sizeof(uint16_t));
  Distances distances(pusher_index.size());
  std::vector<PositionId> contacts;
  contacts_.for_each(pusher_class, pushed_class, pushed, action, [&](PositionId from) {
    distances[from] = 1;
    contacts.push_back(from);
  });
  bytes_ += contacts.capacity() * sizeof(PositionId);
  frontiers_.emplace(distances.get(), std::move(contacts));
  Distances& entry = table[static_cast<size_t>(pushed) * kNumActions + action];
  entry = std::move(distances);
  return entry.get();
}

void ContactDistances::resume_search(int pusher_class, uint16_t* distances, PositionId from) {
  const PositionIndex& index = classes_.index(pusher_class);
  const auto entry = frontiers_.find(distances);
  std::vector<PositionId>& queue = entry->second;
  bytes_ -= queue.capacity() * sizeof(PositionId);
  size_t next = 0;
  while (next < queue.size() && distances[from] == kUnknown) {
    const PositionId at = queue[next++];
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId to = index.neighbour(at, action);
      if (to == kNoPosition || distances[to] != kUnknown) continue;
      distances[to] = static_cast<uint16_t>(std::min<int>(distances[at] + 1, kNever - 1));
      queue.push_back(to);
    }
  }
  if (distances[from] == kUnknown) {
    std::replace(distances, distances + index.size(), kUnknown, kNever);
    frontiers_.erase(entry);
  } else {
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(next));
    bytes_ += queue.capacity() * sizeof(PositionId);
  }
  on_work_();
}

}  // namespace pushworld
