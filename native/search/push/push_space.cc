#include "search/push/push_space.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace pushworld {

template <int RowWords, int SetWords>
PushSpace<RowWords, SetWords>::PushSpace(const Dynamics& dynamics, const ObjectClasses& classes,
                                         LimitGuard& guard)
    : dynamics_(dynamics),
      classes_(classes),
      guard_(guard),
      n_(dynamics.world().num_objects()),
      height_(dynamics.world().height()),
      regions_(dynamics.world(), classes, guard),
      targets_(static_cast<size_t>(height_), &guard.memory()),
      alone_(static_cast<size_t>(height_), &guard.memory()),
      pushed_(n_, &guard.memory()),
      group_rows_(static_cast<size_t>(height_), &guard.memory()),
      child_(n_) {
  const World& world = dynamics.world();
  const PushTable& table = dynamics.push_table();
  if (!table.is_narrow() || n_ > kFewObjects) return;
  std::vector<PushTable::Pair> of_shapes;
  for (int pusher = 0; pusher < world.num_shapes(); ++pusher) {
    for (int pushed = 0; pushed < world.num_shapes(); ++pushed) {
      PushTable::Pair pair = table.pair(pusher, pushed);
      const uint32_t begin = static_cast<uint32_t>(pushing_actions_.size());
      for (int y = 0; y < pair.rows; ++y) {
        for (int x = 0; x < pair.columns; ++x) {
          pushing_actions_.push_back(static_cast<uint8_t>(
              table.narrow_pushing_actions(pair, x - pair.bias_x, y - pair.bias_y)));
        }
      }
      pair.begin = begin;
      of_shapes.push_back(pair);
    }
  }
  nearness_.resize(n_);
  for (int pusher = 0; pusher < n_; ++pusher) {
    for (int pushed = 0; pushed < n_; ++pushed) {
      const PushTable::Pair& pair =
          of_shapes[world.shape_id(pusher) * world.num_shapes() + world.shape_id(pushed)];
      pairs_.push_back(pair);
      if (pushed == 0 || pushed == pusher) continue;
      nearness_[pusher].bias_x[pushed] = static_cast<uint16_t>(pair.bias_x);
      nearness_[pusher].bias_y[pushed] = static_cast<uint16_t>(pair.bias_y);
      nearness_[pusher].columns[pushed] = pair.columns;
      nearness_[pusher].rows[pushed] = pair.rows;
    }
  }
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::find_pushed(int pusher) {
  guard_.count_work(static_cast<size_t>(n_));
  known_.set(pusher);
  std::array<Set, kNumActions>& pushed = pushed_[pusher];
  pushed = {};
  const Point from = regions_.placed(pusher).at;
  const auto add = [&](int other, unsigned actions) {
    for (; actions; actions &= actions - 1) pushed[std::countr_zero(actions)].set(other);
  };
  if (pairs_.empty()) {
    const int shape = world().shape_id(pusher);
    for (int other = 1; other < n_; ++other) {
      if (other == pusher) continue;
      const Point offset = regions_.placed(other).at - from;
      for (int action = 0; action < kNumActions; ++action) {
        const int pushed_shape = world().shape_id(other);
        const bool pushes = dynamics_.push_table().pushes(action, shape, pushed_shape, offset);
        add(other, static_cast<unsigned>(pushes) << action);
      }
    }
    return;
  }
  const Nearness& near = nearness_[pusher];
  for (int first = 0; first < n_; first += 8) {
    // Compilers make this loop a few vector instructions.
    std::array<uint8_t, 8> is_near;
    for (int k = 0; k < 8; ++k) {
      const int other = first + k;
      const auto x = static_cast<uint16_t>(xs_[other] - from.x + near.bias_x[other]);
      const auto y = static_cast<uint16_t>(ys_[other] - from.y + near.bias_y[other]);
      is_near[k] = (x < near.columns[other]) & (y < near.rows[other]);
    }
    uint64_t eight;
    std::memcpy(&eight, is_near.data(), sizeof(eight));
    for (; eight; eight &= eight - 1) {
      const int other = first + std::countr_zero(eight) / 8;
      const PushTable::Pair& pair = pairs_[pusher * n_ + other];
      const Point at = regions_.placed(other).at - from + Point{pair.bias_x, pair.bias_y};
      add(other, pushing_actions_[pair.begin + static_cast<size_t>(at.y) * pair.columns + at.x]);
    }
  }
}

template <int RowWords, int SetWords>
typename PushSpace<RowWords, SetWords>::Set PushSpace<RowWords, SetWords>::closure(Set hit,
                                                                                   int action) {
  for (Set frontier = hit; frontier.any();) {
    if ((frontier & stuck_[action]).any()) return {};
    const int pusher = frontier.first();
    frontier.clear_first();
    if (!known_[pusher]) find_pushed(pusher);
    const Set more = pushed_[pusher][action] & ~hit;
    hit |= more;
    frontier |= more;
  }
  return hit;
}

template <int RowWords, int SetWords>
const std::vector<typename PushSpace<RowWords, SetWords>::PushGroup>&
PushSpace<RowWords, SetWords>::find_push_groups(const PositionId* state) {
  push_groups_.clear();
  regions_.enter(state);
  known_ = {};
  stuck_ = {};
  for (int object = 1; object < n_; ++object) {
    const PositionIndex& index = classes_.index_of(object);
    for (int action = 0; action < kNumActions; ++action) {
      if (index.neighbour(state[object], action) == kNoPosition) stuck_[action].set(object);
    }
  }
  for (int object = 1; !pairs_.empty() && object < n_; ++object) {
    xs_[object] = static_cast<uint16_t>(regions_.placed(object).at.x);
    ys_[object] = static_cast<uint16_t>(regions_.placed(object).at.y);
  }

  bool any_shared = false;
  Row above;
  for (int y = 0; y < height_; ++y) {
    const Row allowed = regions_.legal(y) & regions_.occupied(y);
    const Row here = regions_.reach(y);
    const Row below = y + 1 < height_ ? regions_.reach(y + 1) : Row{};
    // In the order of the actions. Those up and down come from the rows below and above.
    targets_[y] = {here.shifted(-1) & allowed, here.shifted(1) & allowed, below & allowed,
                   above & allowed};
    const Row all = (here.shifted(-1) | here.shifted(1) | below | above) & allowed;
    const Row shared = regions_.shared(y);
    alone_[y] = all & ~shared;
    any_shared |= (all & shared).any();
    above = here;
  }
  std::array<Set, kNumActions> hit{};  // by the agent at a position that is not shared
  for (int object = 1; object < n_; ++object) {
    const auto& placed = regions_.placed(object);
    Targets rows{};
    for (int y = placed.top; y < placed.end; ++y) {
      const Row alone = regions_.overlapping(object, y) & alone_[y];
      if (!alone.any()) continue;
      for (int action = 0; action < kNumActions; ++action) {
        rows[action] |= alone & targets_[y][action];
      }
    }
    for (int action = 0; action < kNumActions; ++action) {
      if (rows[action].any()) hit[action].set(object);
    }
  }
  for (int action = 0; action < kNumActions; ++action) {
    (hit[action] & ~stuck_[action]).for_each([&](int object) {
      const Set moved = closure(objects_from<SetWords>(object, object + 1), action);
      if (!moved.any()) return;
      const auto& placed = regions_.placed(object);
      push_groups_.push_back({action, moved, placed.top, placed.end, object, 0});
    });
    for (int y = 0; any_shared && y < height_; ++y) {
      for (Row cells = targets_[y][action] & regions_.shared(y); cells.any(); cells.clear_first()) {
        guard_.count_work(static_cast<size_t>(n_) * RowWords);
        const int x = cells.first();
        Set objects;
        for (int object = 1; object < n_; ++object) {
          const auto& placed = regions_.placed(object);
          if (y < placed.top || y >= placed.end) continue;
          if (regions_.overlapping(object, y)[x]) objects.set(object);
        }
        const Set moved = closure(objects, action);
        if (moved.any()) push_groups_.push_back({action, moved, y, y + 1, 0, x});
      }
    }
  }
  return push_groups_;
}

template <int RowWords, int SetWords>
typename PushSpace<RowWords, SetWords>::Push PushSpace<RowWords, SetWords>::find_push(
    const PositionId* from, const PositionId* to, InterchangeableObjects& interchangeable) {
  std::optional<Push> found;
  std::vector<PositionId> canonical;
  for (const PushGroup& group : find_push_groups(from)) {
    for_each_push(from, group, [&](const Push& push, const std::vector<PositionId>& after) {
      canonical = after;
      canonical[0] = push.region;
      interchangeable.canonicalize(canonical.data());
      if (!found && std::equal(canonical.begin(), canonical.end(), to)) found = push;
    });
  }
  return found.value();
}

template <int RowWords, int SetWords>
void PushSpace<RowWords, SetWords>::measure_walks(PositionId from, std::vector<uint32_t>& steps) {
  origins_.assign(static_cast<size_t>(height_), Row{});
  for (const PushGroup& group : push_groups_) {
    const Point delta = kDeltas[group.action];
    for (int y = std::max(group.top, delta.y); y < std::min(group.end, height_ + delta.y); ++y) {
      origins_[y - delta.y] |= row_of(group, y).shifted(-delta.x);
    }
  }
  regions_.measure_walks(from, origins_, steps);
}

template <int RowWords, int SetWords>
std::vector<uint8_t> PushSpace<RowWords, SetWords>::plan_to(
    const NodeStore& store, NodeId node, InterchangeableObjects& interchangeable) {
  std::vector<uint8_t> plan;
  std::vector<PositionId> from(store.entries_of_state()), to(from);
  PositionId agent = classes_.index(0).id(world().start()[0]);
  const std::vector<NodeId> path = store.path_to(node);
  for (size_t i = 1; i < path.size(); ++i) {
    store.read(path[i - 1], from.data());
    store.read(path[i], to.data());
    const Push push = find_push(from.data(), to.data(), interchangeable);
    append_walk(from.data(), agent, push.from, plan);
    plan.push_back(static_cast<uint8_t>(push.action));
    agent = classes_.index(0).neighbour(push.from, push.action);
  }
  return plan;
}

template class PushSpace<1, 1>;
template class PushSpace<4, 1>;
template class PushSpace<1, kManyWords>;
template class PushSpace<16, kManyWords>;

}  // namespace pushworld
