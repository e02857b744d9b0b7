#include "search/optimal/start_distances.h"

#include <algorithm>
#include <utility>

namespace pushworld {

std::pmr::vector<uint16_t> distances_from_start(const Pattern& pattern, PositionId agent,
                                                const std::vector<PositionId>& starts,
                                                Minimize minimize, LimitGuard& guard) {
  using State = std::pair<PositionId, PositionId>;  // the agent, the movable
  std::pmr::vector<uint16_t> distances(pattern.num_states(), kUnreachable, &guard.memory());
  std::pmr::vector<State> now(&guard.memory()), later(&guard.memory());
  int distance = 0;
  const auto reach = [&](PositionId at, PositionId movable, int cost) {
    uint16_t& known = distances[pattern.index(at, movable, 0)];
    const int reached = std::min(distance + cost, kUnreachable - 1);
    if (known <= reached) return;
    known = static_cast<uint16_t>(reached);
    (cost ? later : now).push_back({at, movable});
  };
  const int cost_of_step = minimize == Minimize::kActions ? 1 : 0;
  for (const PositionId start : starts) reach(agent, start, 0);
  for (; !now.empty(); now.clear(), now.swap(later), ++distance) {
    // Steps without cost add states to those of this distance.
    for (size_t next = 0; next < now.size(); ++next) {
      guard.count_work(16);
      const auto [at, movable] = now[next];
      if (distances[pattern.index(at, movable, 0)] < std::min(distance, kUnreachable - 1)) continue;
      for (int action = 0; action < kNumActions; ++action) {
        const PositionId to = pattern.neighbour(0, at, action);
        if (to == kNoPosition) continue;
        const PositionId moved = pattern.neighbour(1, movable, action);
        if (!pattern.overlap(0, 1, to, movable)) reach(to, movable, cost_of_step);
        const bool pushes = pattern.pushes(0, 1).any(at, movable) >> action & 1;
        if (pushes && moved != kNoPosition) reach(to, moved, 1);
      }
    }
  }
  return distances;
}

}  // namespace pushworld
