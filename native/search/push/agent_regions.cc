#include "search/push/agent_regions.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/flood_fill.h"

namespace pushworld {

template <int RowWords, int SetWords>
AgentRegions<RowWords, SetWords>::AgentRegions(const World& world, const ObjectClasses& classes,
                                               LimitGuard& guard)
    : classes_(classes),
      guard_(guard),
      n_(world.num_objects()),
      height_(world.height()),
      movables_(objects_from<SetWords>(1, n_)),
      placed_(n_),
      placed_rows_(&guard.memory()) {
  if (world.width() > Row::kWidth) throw std::invalid_argument("the world is too wide");
  for (Rows* rows : {&legal_, &free_, &reach_, &occupied_, &shared_, &child_free_, &child_reach_}) {
    rows->resize(height_);
  }
  const PositionIndex& agent = classes.index(0);
  for (PositionId id = 0; id < agent.size(); ++id) {
    legal_[agent.point(id).y].set(agent.point(id).x);
  }
  const Shape& body = world.shape_of(0);
  for (int c = 0; c < classes.count(); ++c) {
    const Shape& shape = world.shape(classes.shape_id(c));
    // Keep only the overlaps at which both shapes fit into the world. The others may exceed a row.
    const int left = std::max(1 - body.width, shape.width - world.width());
    const int right = std::min(shape.width - 1, world.width() - body.width);
    Mask mask{left, 1 - body.height, Rows(shape.height + body.height - 1, &guard.memory())};
    overlaps(shape, body, guard.checkpoint()).for_each([&](Point cell) {
      guard.count_work(1);
      const Point p = cell - Point{body.width, body.height};
      if (p.x >= left && p.x <= right) mask.rows[p.y - mask.top].set(p.x - left);
    });
    masks_.push_back(std::move(mask));
  }
  for (int object = 0; object < n_; ++object) {
    mask_rows_ += static_cast<int>(masks_[classes.of(object)].rows.size());
  }
  placed_rows_.resize(mask_rows_);
}

template <int RowWords, int SetWords>
PositionId AgentRegions<RowWords, SetWords>::region_of(const PositionId* state) {
  set_free_rows(state, child_free_.data());
  return fill(child_free_.data(), classes_.index(0).point(state[0]), child_reach_.data());
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::place_objects(const PositionId* state) {
  for (int y = 0; y < height_; ++y) occupied_[y] = shared_[y] = Row{};
  std::ptrdiff_t begin = 0;
  for (int object = 1; object < n_; ++object) {
    const Mask& mask = masks_[classes_.of(object)];
    const Point p = classes_.index_of(object).point(state[object]);
    const int rows = static_cast<int>(mask.rows.size());
    const int top = p.y + mask.top;
    placed_[object] = {p, std::max(0, top), std::min(height_, top + rows), begin - top};
    for (int y = placed_[object].top; y < placed_[object].end; ++y) {
      const Row row = mask.rows[y - top].shifted(p.x + mask.left);
      placed_rows_[begin + y - top] = row;
      shared_[y] |= occupied_[y] & row;
      occupied_[y] |= row;
    }
    begin += rows;
  }
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::enter(const PositionId* state) {
  place_objects(state);
  for (int y = 0; y < height_; ++y) free_[y] = legal_[y] & ~occupied_[y];
  std::copy(free_.begin(), free_.end(), child_free_.begin());
  fill(free_.data(), classes_.index(0).point(state[0]), reach_.data());
  count_rows(2 * mask_rows_);
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::block(int object, PositionId position, Row* free) const {
  const Mask& mask = masks_[classes_.of(object)];
  const Point p = classes_.index_of(object).point(position);
  const int top = p.y + mask.top;
  const int begin = std::max(0, -top);
  const int end = std::min<int>(static_cast<int>(mask.rows.size()), height_ - top);
  for (int k = begin; k < end; ++k) free[top + k] &= ~mask.rows[k].shifted(p.x + mask.left);
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::set_free_rows(const PositionId* state, Row* free) const {
  std::copy(legal_.begin(), legal_.end(), free);
  for (int object = 1; object < n_; ++object) block(object, state[object], free);
  count_rows(mask_rows_);
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::enter_child(const PositionId* child, const Set& moved) {
  changed_top_ = height_;
  changed_end_ = 0;
  moved.for_each([&](int object) {
    changed_top_ = std::min(changed_top_, placed_[object].top - 1);
    changed_end_ = std::max(changed_end_, placed_[object].end + 1);
  });
  changed_top_ = std::max(changed_top_, 0);
  changed_end_ = std::min(changed_end_, height_);
  Row* const rows = child_free_.data();
  bool any_shared = false;
  moved.for_each([&](int object) {
    for (int y = placed_[object].top; y < placed_[object].end; ++y) {
      const Row row = overlapping(object, y);
      rows[y] |= row & legal_[y] & ~shared_[y];
      any_shared |= (row & shared_[y]).any();
    }
  });
  Set others = moved;
  others.clear_first();
  if (any_shared && others.any()) {
    // Perhaps the agent overlapped two moved objects.
    for (int y = changed_top_; y < changed_end_; ++y) rows[y] = legal_[y];
    (movables_ & ~moved).for_each([&](int object) {
      const int end = std::min(placed_[object].end, changed_end_);
      for (int y = std::max(placed_[object].top, changed_top_); y < end; ++y) {
        rows[y] &= ~overlapping(object, y);
      }
    });
  }
  moved.for_each([&](int object) { block(object, child[object], rows); });
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::leave_child() {
  std::copy(free_.begin() + changed_top_, free_.begin() + changed_end_,
            child_free_.begin() + changed_top_);
}

template <int RowWords, int SetWords>
PositionId AgentRegions<RowWords, SetWords>::fill_child(Point from, Point to) {
  Row* const reach = child_reach_.data();
  if (!child_free_[from.y][from.x] ||
      !is_still_connected(reach_.data(), child_free_.data(), height_, changed_top_, changed_end_)) {
    return fill(child_free_.data(), to, reach);
  }
  int top = to.y;
  int bottom = to.y;
  std::copy(reach_.begin(), reach_.end(), reach);
  for (int y = changed_top_; y < changed_end_; ++y) {
    reach[y] &= child_free_[y];
    if (!(child_free_[y] & ~free_[y]).any()) continue;
    // The push freed positions of this row.
    if (y == to.y) reach[y].set(to.x);
    if (reach[y].any()) reach[y] = reach[y].filled(child_free_[y]);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  return spread(child_free_.data(), reach, std::max(top - 1, 0), std::min(bottom + 1, height_ - 1));
}

template <int RowWords, int SetWords>
PositionId AgentRegions<RowWords, SetWords>::fill(const Row* free, Point from, Row* reach) {
  for (int y = 0; y < height_; ++y) reach[y] = Row{};
  Row seed;
  seed.set(from.x);
  reach[from.y] = seed.filled(free[from.y]);
  return spread(free, reach, from.y, from.y);
}

template <int RowWords, int SetWords>
PositionId AgentRegions<RowWords, SetWords>::spread(const Row* free, Row* reach, int top,
                                                    int bottom) {
  flood_fill(free, reach, height_, top, bottom, [&](int rows) { count_rows(rows); });
  int first = 0;
  while (!reach[first].any()) ++first;
  return classes_.index(0).id_unchecked(reach[first].first(), first);
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::measure_walks(PositionId from, Rows& targets,
                                                     std::vector<uint32_t>& steps) {
  const PositionIndex& agent = classes_.index(0);
  steps.resize(agent.size());
  unmeasured_ = reach_;
  front_.assign(static_cast<size_t>(height_) + 2, Row{});
  next_ = front_;
  const Point start = agent.point(from);
  front_[start.y + 1].set(start.x);
  size_t left = 0;
  for (int y = 0; y < height_; ++y) left += (targets[y] &= reach_[y]).count();
  int top = start.y;
  int end = start.y + 1;
  // All positions at one distance after the other.
  for (uint32_t distance = 0;; ++distance) {
    Row any;
    for (int y = top; y < end; ++y) {
      unmeasured_[y] &= ~front_[y + 1];
      any |= front_[y + 1] & targets[y];
    }
    for (int y = top; any.any() && y < end; ++y) {
      (front_[y + 1] & targets[y]).for_each([&](int x) {
        steps[agent.id_unchecked(x, y)] = distance;
        targets[y].clear(x);
        --left;
      });
    }
    if (left == 0) return;
    top = std::max(0, top - 1);
    end = std::min(height_, end + 1);
    count_rows(2 * (end - top));
    for (int y = top; y < end; ++y) {
      const Row& here = front_[y + 1];
      next_[y + 1] =
          (here.shifted(1) | here.shifted(-1) | front_[y] | front_[y + 2]) & unmeasured_[y];
    }
    front_.swap(next_);
  }
}

template <int RowWords, int SetWords>
void AgentRegions<RowWords, SetWords>::append_walk(const PositionId* state, PositionId from,
                                                   PositionId to, std::vector<uint8_t>& actions) {
  Rows free(height_);  // of its own: a caller may be looking at the children of a node
  set_free_rows(state, free.data());
  const PositionIndex& agent = classes_.index(0);
  WalkFinder walk(agent);
  const auto is_free = [&](PositionId at) {
    const Point p = agent.point(at);
    return free[p.y][p.x];
  };
  if (!walk.find(from, to, guard_, is_free)) throw std::logic_error("the agent cannot walk there");
  for (PositionId at = from; at != to; at = agent.neighbour(at, walk.action(at))) {
    actions.push_back(walk.action(at));
  }
}

template class AgentRegions<1, 1>;
template class AgentRegions<4, 1>;
template class AgentRegions<1, kManyWords>;
template class AgentRegions<16, kManyWords>;

}  // namespace pushworld
