#include "search/push/manipulation_graph.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "util/flood_fill.h"

namespace pushworld {

ManipulationGraph::ManipulationGraph(const World& world, const ObjectClasses& classes,
                                     int object_class, Contacts& contacts, LimitGuard& guard)
    : num_agent_positions_(classes.index(0).size()),
      region_of_(&guard.memory()),
      places_(&guard.memory()),
      position_of_(&guard.memory()),
      pushable_(&guard.memory()),
      edges_(&guard.memory()),
      edges_begin_(&guard.memory()),
      predecessors_(&guard.memory()),
      predecessors_begin_(&guard.memory()) {
  if (world.width() <= 64) {
    find_regions<1>(world, classes, object_class, guard);
  } else if (world.width() <= 256) {
    find_regions<4>(world, classes, object_class, guard);
  } else {
    find_regions<16>(world, classes, object_class, guard);
  }
  find_edges(classes, object_class, contacts, guard);
}

template <int Words>
void ManipulationGraph::find_regions(const World& world, const ObjectClasses& classes,
                                     int object_class, LimitGuard& guard) {
  const PositionIndex& index = classes.index(object_class);
  const PositionIndex& agent = classes.index(0);
  const Shape& body = world.shape(classes.shape_id(0));
  const Shape& shape = world.shape(classes.shape_id(object_class));
  std::vector<Point> overlapping;
  overlaps(shape, body, guard.checkpoint()).for_each([&](Point cell) {
    overlapping.push_back(cell - Point{body.width, body.height});
  });
  using Row = BitRow<Words>;
  const int height = world.height();
  std::vector<Row> legal(height), free, region(height);
  for (PositionId q = 0; q < num_agent_positions_; ++q) {
    legal[agent.point(q).y].set(agent.point(q).x);
  }
  const auto count_rows = [&](int rows) { guard.count_work(static_cast<size_t>(rows) * Words); };
  region_of_.assign(num_agent_positions_, 0);
  for (PositionId p = 0; p < index.size(); ++p) {
    guard.count_work(num_agent_positions_ / 8 + overlapping.size());
    Place& place = places_.emplace_back(Place{static_cast<Node>(position_of_.size()), 0});
    free = legal;
    for (const Point offset : overlapping) {
      const Point at = index.point(p) + offset;
      if (agent.id(at) != kNoPosition) free[at.y].clear(at.x);
    }
    const int first_row = std::max(0, index.point(p).y - body.height);
    const int end_row = std::min(height, index.point(p).y + shape.height);
    if (is_still_connected(legal.data(), free.data(), height, first_row, end_row)) {
      position_of_.push_back(p);
      continue;
    }
    uint8_t regions = 0;
    for (int top = 0; top < height; ++top) {
      while (free[top].any()) {
        std::fill(region.begin(), region.end(), Row{});
        region[top].set(free[top].first());
        region[top] = region[top].filled(free[top]);
        flood_fill(free.data(), region.data(), height, top, top, count_rows);
        if (regions == 1) {
          place.row = static_cast<uint32_t>(region_of_.size());
          region_of_.resize(region_of_.size() + num_agent_positions_);
        }
        for (int y = top; y < height; ++y) {
          free[y] &= ~region[y];
          if (regions == 0) continue;  // the row has it already
          region[y].for_each(
              [&](int x) { region_of_[place.row + agent.id_unchecked(x, y)] = regions; });
        }
        if (place.first + regions == position_of_.size()) position_of_.push_back(p);
        if (regions < kLastRegion) ++regions;
      }
    }
  }
  places_.emplace_back(Place{static_cast<Node>(position_of_.size()), 0});
  region_of_.shrink_to_fit();
}

void ManipulationGraph::find_edges(const ObjectClasses& classes, int object_class,
                                   Contacts& contacts, LimitGuard& guard) {
  const PositionIndex& index = classes.index(object_class);
  const PositionIndex& agent = classes.index(0);
  pushable_.assign(size(), 0);
  // The nodes of a position follow those of the one before it, so it is enough to sort the edges of
  // each position.
  std::vector<Edge> edges;
  const auto ends = [](const Edge& e) { return std::tuple(e.from, e.to); };
  for (PositionId p = 0; p < index.size(); ++p) {
    edges.clear();
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId next = index.neighbour(p, action);
      guard.count_work(4);
      if (next == kNoPosition) continue;
      contacts.for_each(0, object_class, p, action, [&](PositionId q) {
        guard.count_work(8);
        const Node from = node(p, q);
        pushable_[from] |= static_cast<uint8_t>(1 << action);
        edges.push_back(
            {from, node(next, agent.neighbour(q, action)), static_cast<uint8_t>(action), q});
      });
    }
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
      return std::tuple(ends(a), a.agent) < std::tuple(ends(b), b.agent);
    });
    std::unique_copy(edges.begin(), edges.end(), std::back_inserter(edges_),
                     [&](const Edge& a, const Edge& b) { return ends(a) == ends(b); });
  }
  edges_begin_.assign(size() + 1, 0);
  predecessors_begin_.assign(size() + 1, 0);
  for (const Edge& edge : edges_) {
    guard.count_work(4);
    ++edges_begin_[edge.from + 1];
    ++predecessors_begin_[edge.to + 1];
  }
  for (size_t i = 0; i < size(); ++i) {
    edges_begin_[i + 1] += edges_begin_[i];
    predecessors_begin_[i + 1] += predecessors_begin_[i];
  }
  predecessors_.resize(edges_.size());
  std::pmr::vector<uint32_t> next(predecessors_begin_, predecessors_begin_.get_allocator());
  for (const Edge& edge : edges_) predecessors_[next[edge.to]++] = edge.from;
}

std::pmr::vector<uint16_t> ManipulationGraph::distances(const std::vector<Node>& targets,
                                                        LimitGuard& guard) const {
  std::pmr::vector<uint16_t> distance(size(), kUnreachable, edges_.get_allocator());
  std::pmr::vector<Node> queue(edges_.get_allocator());
  queue.reserve(size());
  for (const Node target : targets) {
    if (distance[target] == 0) continue;
    distance[target] = 0;
    queue.push_back(target);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    guard.count_work(4);
    const Node to = queue[next];
    for (const Node from : predecessors(to)) {
      if (distance[from] != kUnreachable) continue;
      distance[from] = static_cast<uint16_t>(std::min<int>(distance[to] + 1, kUnreachable - 1));
      queue.push_back(from);
    }
  }
  return distance;
}

}  // namespace pushworld
