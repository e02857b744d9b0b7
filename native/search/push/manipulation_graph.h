// The pushes of one object by the agent, as if there were no other movables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"

namespace pushworld {

// The state space of one object and the agent. A node is a position of the object and a region: a
// connected component of the agent positions that do not overlap the object. An edge is a push by
// the agent.
class ManipulationGraph {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  struct Edge {
    Node from;
    Node to;
    uint8_t action;
    PositionId agent;  // before the push
  };

  ManipulationGraph(const World& world, const ObjectClasses& classes, int object_class,
                    Contacts& contacts, LimitGuard& guard);

  // The entries of the largest table of a graph. They grow with the square of the world's size.
  static uint64_t table_size(const ObjectClasses& classes, int object_class) {
    return uint64_t{classes.index(0).size()} * classes.index(object_class).size();
  }

  size_t size() const { return position_of_.size(); }
  // The agent must not overlap the object.
  Node node(PositionId object, PositionId agent) const {
    return places_[object].first + region_of_[places_[object].row + agent];
  }
  PositionId position(Node node) const { return position_of_[node]; }
  // The nodes of a position are first(position), ..., first(position + 1) - 1.
  Node first(PositionId position) const { return places_[position].first; }
  bool can_push(Node node, int action) const { return pushable_[node] >> action & 1; }
  std::span<const Edge> edges_from(Node node) const {
    return {edges_.data() + edges_begin_[node], edges_.data() + edges_begin_[node + 1]};
  }
  std::span<const Node> predecessors(Node node) const {
    return {predecessors_.data() + predecessors_begin_[node],
            predecessors_.data() + predecessors_begin_[node + 1]};
  }

  // The number of pushes from each node to the nearest target; kUnreachable if there is none.
  std::pmr::vector<uint16_t> distances(const std::vector<Node>& targets, LimitGuard& guard) const;

 private:
  // Few objects divide the world into this many regions. All further ones count as one region,
  // which only permits more pushes.
  static constexpr uint8_t kLastRegion = UINT8_MAX;

  struct Place {
    Node first;
    uint32_t row;  // the index of its first entry in `region_of_`
  };

  template <int Words>  // of a row of the world
  void find_regions(const World& world, const ObjectClasses& classes, int object_class,
                    LimitGuard& guard);
  void find_edges(const ObjectClasses& classes, int object_class, Contacts& contacts,
                  LimitGuard& guard);

  size_t num_agent_positions_;
  // Rows of agent positions. Positions of the object with a single region share the first row.
  std::pmr::vector<uint8_t> region_of_;
  std::pmr::vector<Place> places_;  // of each position, and of the end
  std::pmr::vector<PositionId> position_of_;
  std::pmr::vector<uint8_t> pushable_;
  std::pmr::vector<Edge> edges_;
  std::pmr::vector<uint32_t> edges_begin_;
  std::pmr::vector<Node> predecessors_;
  std::pmr::vector<uint32_t> predecessors_begin_;
};

}  // namespace pushworld
