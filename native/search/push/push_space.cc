#include "search/push/push_space.h"

#include <algorithm>
#include <stdexcept>

namespace pushworld {

template <int RowWords, int SetWords>
PushSpace<RowWords, SetWords>::PushSpace(const Dynamics& dynamics, const ObjectClasses& classes,
                                         LimitGuard& guard)
    : dynamics_(dynamics),
      classes_(classes),
      guard_(guard),
      n_(dynamics.world().num_objects()),
      height_(dynamics.world().height()),
      movables_(objects_from<SetWords>(1, n_)) {
  const World& world = dynamics.world();
  if (world.width() > Row::kWidth) throw std::invalid_argument("the world is too wide");
  for (Rows* rows : {&agent_legal_, &free_, &reach_, &occupied_, &shared_, &targets_, &group_,
                     &child_free_, &child_reach_}) {
    rows->resize(height_);
  }
  child_.resize(n_);
  const PositionIndex& agent = classes.index(0);
  for (PositionId id = 0; id < agent.size(); ++id) {
    agent_legal_[agent.point(id).y].set(agent.point(id).x);
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
}

template <int RowWords, int SetWords>
std::vector<PositionId> PushSpace<RowWords, SetWords>::initial_state() const {
  std::vector<PositionId> state;
  for (int object = 0; object < n_; ++object) {
    state.push_back(classes_.index_of(object).id(world().start()[object]));
  }
  return state;
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::add_obstacle(int object, PositionId position, Row* rows) const {
  const Mask& mask = masks_[classes_.of(object)];
  const Point p = classes_.index_of(object).point(position);
  const int top = p.y + mask.top;
  const int begin = std::max(0, -top);
  const int end = std::min<int>(static_cast<int>(mask.rows.size()), height_ - top);
  for (int k = begin; k < end; ++k) rows[top + k] |= mask.rows[k].shifted(p.x + mask.left);
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::set_free_rows(const PositionId* state, Row* free) const {
  for (int y = 0; y < height_; ++y) free[y] = Row{};
  for (int object = 1; object < n_; ++object) add_obstacle(object, state[object], free);
  for (int y = 0; y < height_; ++y) free[y] = agent_legal_[y] & ~free[y];
  count_rows(mask_rows_);
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::set_free_rows_after(const PositionId* state, const Set& moved) {
  // Start from the parent's rows and free the positions that the moved objects occupied. If another
  // object occupies one of them, compute the rows from scratch.
  bool is_shared = false;
  std::copy(occupied_.begin(), occupied_.end(), child_free_.begin());
  for (Set rest = moved; rest.any() && !is_shared; rest.clear_first()) {
    const int object = rest.first();
    const Mask& mask = masks_[classes_.of(object)];
    const Point p = classes_.index_of(object).point(state[object]);
    const int top = p.y + mask.top;
    const int end = std::min<int>(static_cast<int>(mask.rows.size()), height_ - top);
    for (int k = std::max(0, -top); k < end; ++k) {
      const Row row = mask.rows[k].shifted(p.x + mask.left);
      is_shared |= (row & shared_[top + k]).any();
      child_free_[top + k] &= ~row;
    }
  }
  if (is_shared) {
    set_free_rows(child_.data(), child_free_.data());
    return;
  }
  moved.for_each([&](int object) { add_obstacle(object, child_[object], child_free_.data()); });
  for (int y = 0; y < height_; ++y) child_free_[y] = agent_legal_[y] & ~child_free_[y];
}

template <int RowWords, int SetWords>
PositionId PushSpace<RowWords, SetWords>::fill(const Row* free, Point from, Row* reach) {
  for (int y = 0; y < height_; ++y) reach[y] = Row{};
  Row seed;
  seed.set(from.x);
  reach[from.y] = seed.filled(free[from.y]);
  // Sweep down and up until an upward sweep changes nothing.
  int first = from.y;
  int last = from.y;
  const auto enter = [&](int y, const Row& neighbours) {
    const Row entered = neighbours & free[y];
    if (!(entered & ~reach[y]).any()) return false;
    reach[y] = (reach[y] | entered).filled(free[y]);
    first = std::min(first, y);
    last = std::max(last, y);
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    count_rows(2 * (last - first + 1));
    for (int y = first + 1; y < height_; ++y) {
      if (!enter(y, reach[y - 1]) && y > last) break;
    }
    for (int y = last - 1; y >= 0; --y) {
      const bool entered = enter(y, reach[y + 1]);
      changed |= entered;
      if (!entered && y < first) break;
    }
  }
  return classes_.index(0).id_unchecked(reach[first].first(), first);
}

template <int RowWords, int SetWords>
PositionId PushSpace<RowWords, SetWords>::region_of(const PositionId* state) {
  set_free_rows(state, child_free_.data());
  return fill(child_free_.data(), classes_.index(0).point(state[0]), child_reach_.data());
}

template <int RowWords, int SetWords>
typename PushSpace<RowWords, SetWords>::Set PushSpace<RowWords, SetWords>::closure(
    const PositionId* state, Set hit, int action) const {
  const PushTable& table = dynamics_.push_table();
  Set standing = movables_ & ~hit;
  for (Set frontier = hit; frontier.any();) {
    const int pusher = frontier.first();
    frontier.clear_first();
    guard_.count_work(static_cast<size_t>(n_));
    const PositionIndex& index = classes_.index_of(pusher);
    if (index.neighbour(state[pusher], action) == kNoPosition) return {};
    const Point from = index.point(state[pusher]);
    standing.for_each([&](int other) {
      const Point at = classes_.index_of(other).point(state[other]);
      if (!table.pushes(action, world().shape_id(pusher), world().shape_id(other), at - from)) {
        return;
      }
      standing.clear(other);
      hit.set(other);
      frontier.set(other);
    });
  }
  return hit;
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::add_push_group(const PositionId* state, const Set& hit,
                                                   int action, int top, int end) {
  const Set moved = closure(state, hit, action);
  if (!moved.any()) return;
  push_groups_.push_back({action, moved, top, end, group_rows_.size()});
  group_rows_.insert(group_rows_.end(), group_.begin() + top, group_.begin() + end);
}

template <int RowWords, int SetWords>
const std::vector<typename PushSpace<RowWords, SetWords>::PushGroup>&
PushSpace<RowWords, SetWords>::find_push_groups(const PositionId* state) {
  push_groups_.clear();
  group_rows_.clear();
  for (int y = 0; y < height_; ++y) occupied_[y] = shared_[y] = Row{};
  for (int object = 1; object < n_; ++object) {
    const Mask& mask = masks_[classes_.of(object)];
    const Point p = classes_.index_of(object).point(state[object]);
    for (size_t k = 0; k < mask.rows.size(); ++k) {
      const int y = p.y + mask.top + static_cast<int>(k);
      if (y < 0 || y >= height_) continue;
      const Row row = mask.rows[k].shifted(p.x + mask.left);
      shared_[y] |= occupied_[y] & row;
      occupied_[y] |= row;
    }
  }
  for (int y = 0; y < height_; ++y) free_[y] = agent_legal_[y] & ~occupied_[y];
  fill(free_.data(), classes_.index(0).point(state[0]), reach_.data());

  for (int action = 0; action < kNumActions; ++action) {
    count_rows(mask_rows_);
    const Point delta = kDeltas[action];
    bool any_shared = false;
    bool any = false;
    for (int y = 0; y < height_; ++y) {
      const int source = y - delta.y;
      targets_[y] = source < 0 || source >= height_
                        ? Row{}
                        : reach_[source].shifted(delta.x) & agent_legal_[y] & occupied_[y];
      any |= targets_[y].any();
      any_shared |= (targets_[y] & shared_[y]).any();
    }
    if (!any) continue;
    for (int object = 1; object < n_; ++object) {
      const Mask& mask = masks_[classes_.of(object)];
      const Point p = classes_.index_of(object).point(state[object]);
      const int top = std::max(0, p.y + mask.top);
      const int end = std::min(height_, p.y + mask.top + static_cast<int>(mask.rows.size()));
      bool hit = false;
      for (int y = top; y < end; ++y) {
        const Row row = mask.rows[y - p.y - mask.top].shifted(p.x + mask.left);
        group_[y] = row & targets_[y] & ~shared_[y];
        hit |= group_[y].any();
      }
      if (hit) add_push_group(state, objects_from<SetWords>(object, object + 1), action, top, end);
    }
    if (!any_shared) continue;
    for (int y = 0; y < height_; ++y) {
      for (Row cells = targets_[y] & shared_[y]; cells.any(); cells.clear_first()) {
        count_rows(n_);
        const int x = cells.first();
        Set hit;
        for (int object = 1; object < n_; ++object) {
          const Mask& mask = masks_[classes_.of(object)];
          const Point p = classes_.index_of(object).point(state[object]);
          const int k = y - p.y - mask.top;
          if (k < 0 || k >= static_cast<int>(mask.rows.size())) continue;
          if (mask.rows[k].shifted(p.x + mask.left)[x]) hit.set(object);
        }
        group_[y] = Row{};
        group_[y].set(x);
        add_push_group(state, hit, action, y, y + 1);
      }
    }
  }
  return push_groups_;
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::measure_walks(PositionId from, std::vector<uint32_t>& steps) {
  const PositionIndex& agent = classes_.index(0);
  steps.resize(agent.size());
  std::copy(reach_.begin(), reach_.end(), group_.begin());  // the positions not yet measured
  walk_queue_.assign(1, from);
  group_[agent.point(from).y].clear(agent.point(from).x);
  steps[from] = 0;
  for (size_t next = 0; next < walk_queue_.size(); ++next) {
    const PositionId at = walk_queue_[next];
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId to = agent.neighbour(at, action);
      if (to == kNoPosition) continue;
      const Point p = agent.point(to);
      if (!group_[p.y][p.x]) continue;
      group_[p.y].clear(p.x);
      steps[to] = steps[at] + 1;
      walk_queue_.push_back(to);
    }
  }
  guard_.count_work(4 * walk_queue_.size());
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::append_walk(const PositionId* state, PositionId from,
                                                PositionId to, std::vector<uint8_t>& actions) {
  set_free_rows(state, child_free_.data());
  const PositionIndex& agent = classes_.index(0);
  std::vector<uint8_t> via(agent.size(), kNumActions);
  std::vector<PositionId> queue{to};  // search backward, to write the walk forward
  for (size_t next = 0; next < queue.size() && queue[next] != from; ++next) {
    guard_.count_work(4);
    for (int action = 0; action < kNumActions; ++action) {
      const PositionId before = agent.neighbour(queue[next], opposite(action));
      if (before == kNoPosition || before == to || via[before] != kNumActions) continue;
      const Point p = agent.point(before);
      if (!child_free_[p.y][p.x]) continue;
      via[before] = static_cast<uint8_t>(action);
      queue.push_back(before);
    }
  }
  for (PositionId at = from; at != to; at = agent.neighbour(at, via[at])) {
    if (via[at] == kNumActions) throw std::logic_error("the agent cannot walk there");
    actions.push_back(via[at]);
  }
}

template class PushSpace<1, 1>;
template class PushSpace<4, 1>;
template class PushSpace<1, kManyWords>;
template class PushSpace<16, kManyWords>;

}  // namespace pushworld
