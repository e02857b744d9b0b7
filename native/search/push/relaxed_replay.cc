#include "search/push/relaxed_replay.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace pushworld {
namespace {

// A push of the relaxed plan, and where the kept objects are after it.
struct RelaxedPush {
  Point from;
  int action;
  std::vector<Coordinate> after;
};

class Replay {
 public:
  Replay(const Dynamics& dynamics, const std::vector<int>& kept, const std::vector<int>& walls,
         LimitGuard& guard)
      : dynamics_(dynamics), world_(dynamics.world()), kept_(kept), walls_(walls), guard_(guard) {
    restart();
  }

  void restart() {
    plan_.clear();
    path_.clear();
    state_ = coordinates_of(world_.start());
  }

  // Walks to a push and makes it. If missing movables are in the way, returns them.
  std::vector<int> push(const RelaxedPush& push) {
    std::vector<int> met = walk(push.from);
    if (!met.empty()) return met;
    const std::vector<Coordinate> before = state_;
    dynamics_.step(state_.data(), push.action);
    if (positions_of_kept() == push.after) {
      plan_.push_back(static_cast<uint8_t>(push.action));
      return {};
    }
    state_ = before;
    guard_.count_work(kept_.size() * world_.shape_of(0).cells.size());
    return missing(pushed_without_walls(world_, state(), push.action));
  }

  // Clears the way of the pushes from `first` on. Returns whether something was in the way, and
  // less of it is now.
  bool clear(const std::vector<RelaxedPush>& pushes, size_t first, const Clear& clear) {
    const BitGrid way = way_of(pushes, first);
    bool is_clear = true;
    for (int object = 1; object < world_.num_objects(); ++object) {
      is_clear &= is_there(object) || !covers_any(world_.shape_of(object), at(object), way);
    }
    if (is_clear) return false;
    const std::vector<uint8_t> actions = clear(state(), way);
    for (const uint8_t action : actions) act(action);
    return !actions.empty();
  }

  std::vector<uint8_t>& plan() { return plan_; }
  std::vector<Point> state() const { return points_of(state_); }

 private:
  // The cells that the pushes from `first` on sweep, with those of a walk that ended.
  BitGrid way_of(const std::vector<RelaxedPush>& pushes, size_t first) const {
    BitGrid way(world_.width(), world_.height());
    const auto add = [&](int object, Point at) { way.add_moved(world_.shape_of(object).bits, at); };
    for (size_t k = first; k < pushes.size(); ++k) {
      guard_.count_work(kept_.size() * static_cast<size_t>(world_.height()));
      for (size_t i = 0; i < kept_.size(); ++i) {
        add(kept_[i], {pushes[k].after[2 * i], pushes[k].after[2 * i + 1]});
      }
      add(0, pushes[k].from);
    }
    for (const Point p : path_) add(0, p);
    return way;
  }

  std::vector<Coordinate> positions_of_kept() const {
    std::vector<Coordinate> positions;
    for (const int object : kept_) {
      positions.push_back(state_[2 * static_cast<size_t>(object)]);
      positions.push_back(state_[2 * static_cast<size_t>(object) + 1]);
    }
    return positions;
  }

  void act(int action) {
    dynamics_.step(state_.data(), action);
    plan_.push_back(static_cast<uint8_t>(action));
  }
  Point at(int object) const { return {state_[2 * object], state_[2 * object + 1]}; }
  // Whether the relaxed puzzle has an object, or a wall where it is.
  bool is_there(int object) const {
    return std::binary_search(kept_.begin(), kept_.end(), object) ||
           (at(object) == world_.start()[static_cast<size_t>(object)] &&
            std::binary_search(walls_.begin(), walls_.end(), object));
  }
  std::vector<int> missing(std::vector<int> objects) const {
    std::erase_if(objects, [&](int object) { return is_there(object); });
    std::sort(objects.begin(), objects.end());
    objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
    return objects;
  }

  std::vector<int> overlapped_by_agent(Point agent) const {
    std::vector<int> objects;
    for (int other = 1; other < world_.num_objects(); ++other) {
      guard_.count_work(4);
      if (overlap(world_.shape_of(0), world_.shape_of(other), at(other) - agent)) {
        objects.push_back(other);
      }
    }
    return objects;
  }

  // Walks to `to` on a path that overlaps the fewest missing movables. If it overlaps some, does
  // not walk: returns them, and sets `path_`.
  std::vector<int> walk(Point to) {
    constexpr int kUnseen = -1;
    constexpr int64_t kCostOfOverlap = 1 << 16;  // more than any walk
    const auto index = [&](Point p) { return static_cast<size_t>(p.y) * world_.width() + p.x; };
    std::vector<int> action_to(static_cast<size_t>(world_.width()) * world_.height(), kUnseen);
    std::vector<int64_t> cost_of(action_to.size(), INT64_MAX);
    using Entry = std::pair<int64_t, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto point = [&](size_t i) {
      return Point{static_cast<int>(i % world_.width()), static_cast<int>(i / world_.width())};
    };
    cost_of[index(at(0))] = 0;
    open.emplace(0, index(at(0)));
    while (!open.empty() && cost_of[index(to)] == INT64_MAX) {
      const auto [cost, i] = open.top();
      open.pop();
      if (cost > cost_of[i]) continue;
      for (int action = 0; action < kNumActions; ++action) {
        const Point next = point(i) + kDeltas[action];
        guard_.count_work(16);
        if (!world_.is_legal(0, next)) continue;
        const std::vector<int> objects = overlapped_by_agent(next);
        if (std::any_of(objects.begin(), objects.end(), [&](int o) { return is_there(o); })) {
          continue;
        }
        const int64_t next_cost = cost + 1 + kCostOfOverlap * static_cast<int64_t>(objects.size());
        if (next_cost >= cost_of[index(next)]) continue;
        cost_of[index(next)] = next_cost;
        action_to[index(next)] = action;
        open.emplace(next_cost, index(next));
      }
    }
    std::vector<uint8_t> actions;
    std::vector<int> met;
    path_.clear();
    for (Point p = to; p != at(0);) {
      for (const int object : overlapped_by_agent(p)) met.push_back(object);
      const int action = action_to[index(p)];
      actions.push_back(static_cast<uint8_t>(action));
      path_.push_back(p);
      p = p - kDeltas[action];
    }
    if (!met.empty()) return missing(std::move(met));
    path_.clear();
    for (auto action = actions.rbegin(); action != actions.rend(); ++action) act(*action);
    return {};
  }

  const Dynamics& dynamics_;
  const World& world_;
  const std::vector<int>& kept_;
  const std::vector<int>& walls_;
  LimitGuard& guard_;
  std::vector<Coordinate> state_;
  std::vector<uint8_t> plan_;  // to this state
  std::vector<Point> path_;    // of the last walk, if missing movables are in its way
};

}  // namespace

std::vector<int> pushed_without_walls(const World& world, const std::vector<Point>& state,
                                      int action) {
  std::vector<int> moving = {0};
  for (size_t k = 0; k < moving.size(); ++k) {
    const Point to = state[static_cast<size_t>(moving[k])] + kDeltas[action];
    for (int other = 1; other < world.num_objects(); ++other) {
      if (std::find(moving.begin(), moving.end(), other) != moving.end()) continue;
      const Point offset = state[static_cast<size_t>(other)] - to;
      if (overlap(world.shape_of(moving[k]), world.shape_of(other), offset)) {
        moving.push_back(other);
      }
    }
  }
  return moving;
}

RelaxedReplay replay_relaxed_plan(const Dynamics& dynamics, const Dynamics& relaxed,
                                  const std::vector<int>& kept, const std::vector<int>& walls,
                                  const std::vector<uint8_t>& plan, LimitGuard& guard,
                                  uint64_t clearings, const Clear& clear) {
  std::vector<RelaxedPush> pushes;
  std::vector<Coordinate> state = coordinates_of(relaxed.world().start());
  std::vector<uint16_t> moving(kMaxObjects);
  for (const uint8_t action : plan) {
    const Point from = {state[0], state[1]};
    const bool is_push = relaxed.moving_objects(state.data(), action, moving.data()) > 1;
    relaxed.step(state.data(), action);
    if (is_push) pushes.push_back({from, action, state});
  }
  Replay replay(dynamics, kept, walls, guard);
  uint64_t times = 0;
  for (size_t next = 0; next < pushes.size();) {
    std::vector<int> met = replay.push(pushes[next]);
    if (met.empty()) {
      ++next;
    } else if (times == 0 && clearings > 0) {
      replay.restart();
      next = 0;
      for (++times; times < clearings && replay.clear(pushes, 0, clear);) ++times;
    } else if (times++ >= clearings || !replay.clear(pushes, next, clear)) {
      return {std::move(met), {}, {}};
    }
  }
  return {{}, std::move(replay.plan()), replay.state()};
}

}  // namespace pushworld
