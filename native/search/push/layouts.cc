#include "search/push/layouts.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory_resource>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <vector>

namespace pushworld {

// Best-first search over partial layouts, right before the last push.
class LayoutFinder::Search {
 public:
  Search(const World& world, AgentReach& reach, const PushOptions& options, LimitGuard& guard)
      : world_(world), reach_(reach), options_(options), guard_(guard), seen_(&guard.memory()) {
    for (int object = 0; object < world_.num_objects(); ++object) {
      positions_.push_back(reachable(world_, object, {}));
    }
    for (int object = 0; object < world_.num_objects(); ++object) {
      is_movable_.push_back(can_push_from(object, world_.start()[static_cast<size_t>(object)]));
    }
    for (int action = 0; action < kNumActions; ++action) {
      begin(action, goals_without(world_, 0), {});
      for (int goal = 1; goal <= world_.num_goals() && world_.num_goals() > 1; ++goal) {
        begin(action, {{goal, world_.goals()[static_cast<size_t>(goal) - 1]}},
              goals_without(world_, goal));
      }
    }
  }

  std::vector<Layout> advance() {
    const size_t known = layouts_.size();
    while (is_over(starts_[turn_])) turn_ = (turn_ + 1) % starts_.size();
    Open& open = starts_[turn_].open;
    turn_ = (turn_ + 1) % starts_.size();
    for (uint64_t count = 0; count < options_.expansions && !open.empty(); ++count) {
      const Partial partial = open.top();
      open.pop();
      expand(partial);
    }
    return {layouts_.begin() + static_cast<std::ptrdiff_t>(known), layouts_.end()};
  }
  bool is_over() const {
    return std::all_of(starts_.begin(), starts_.end(),
                       [this](const Start& start) { return is_over(start); });
  }

 private:
  static constexpr size_t kWorkOfWalks = 1000;
  static constexpr int kFar = 1 << 16;  // more than any distance

  struct Partial {
    uint64_t cost;
    uint64_t number;
    size_t start;
    int action;
    Places moving;
    std::optional<Point> agent;
    auto order() const { return std::tuple(cost, number); }
    bool operator<(const Partial& other) const { return order() > other.order(); }
  };
  using Open = std::priority_queue<Partial, std::pmr::vector<Partial>>;
  // The goal objects that the last push moves, and its direction.
  struct Start {
    Open open;
    Places at_home;  // goal objects that it does not move
    uint64_t pushed = 0;
    uint64_t layouts = 0;
  };

  // Unless the objects cannot be there right before their last push.
  void begin(int action, const Places& goals, Places at_home) {
    Partial partial = {0, 0, starts_.size(), action, {}, {}};
    for (const Placed& goal : at_home) {
      const bool moves = world_.start()[static_cast<size_t>(goal.object)] != goal.at;
      partial.cost += moves ? options_.object_cost : 0;
    }
    starts_.push_back({Open({}, std::pmr::vector<Partial>(&guard_.memory())), std::move(at_home)});
    for (const Placed& goal : goals) {
      const Placed before = moved(goal, kDeltas[opposite(action)]);
      if (!can_place(partial, before)) {
        starts_.pop_back();
        return;
      }
      partial.moving.push_back(before);
    }
    push(std::move(partial));
  }

  const Places& at_home(const Partial& partial) const { return starts_[partial.start].at_home; }

  // Whether the object can be there right before the last push, and after it.
  bool can_place(const Partial& partial, const Placed& before) {
    const Placed after = moved(before, kDeltas[partial.action]);
    guard_.count_work(8 * (partial.moving.size() + at_home(partial).size() + 1));
    return world_.is_legal(before.object, before.at) && world_.is_legal(after.object, after.at) &&
           positions_[static_cast<size_t>(before.object)][before.at] &&
           !overlaps_any(world_, before, partial.moving) &&
           !overlaps_any(world_, before, at_home(partial)) &&
           !overlaps_any(world_, after, at_home(partial));
  }
  bool is_over(const Start& start) const {
    return start.open.empty() || start.pushed > options_.start_partials ||
           start.layouts >= options_.start_layouts;
  }

  void push(Partial partial) {
    std::pmr::vector<int> key = {static_cast<int>(partial.start),
                                 partial.agent ? partial.agent->x : -1,
                                 partial.agent ? partial.agent->y : -1};
    Places places = partial.moving;
    std::sort(places.begin(), places.end(), [](const Placed& a, const Placed& b) {
      return std::tuple(a.object, a.at.x, a.at.y) < std::tuple(b.object, b.at.x, b.at.y);
    });
    for (const Placed& placed : places) {
      key.insert(key.end(), {placed.object, placed.at.x, placed.at.y});
    }
    if (!seen_.insert(std::move(key)).second) return;
    Start& start = starts_[partial.start];
    partial.number = ++start.pushed;
    start.open.push(std::move(partial));
  }

  bool pushes(const Partial& partial, const Placed& pusher, const Placed& pushed) const {
    return overlap_at(world_, moved(pusher, kDeltas[partial.action]), pushed);
  }

  // Which objects move when the agent does.
  std::vector<bool> find_pushed(const Partial& partial) const {
    const size_t n = partial.moving.size();
    std::vector<bool> is_pushed(n);
    std::vector<Placed> stack;
    if (partial.agent) stack.push_back({0, *partial.agent});
    while (!stack.empty()) {
      const Placed pusher = stack.back();
      stack.pop_back();
      for (size_t i = 0; i < n; ++i) {
        if (is_pushed[i] || !pushes(partial, pusher, partial.moving[i])) continue;
        is_pushed[i] = true;
        stack.push_back(partial.moving[i]);
      }
    }
    return is_pushed;
  }

  bool has_pusher(const Partial& partial, const Placed& object) const {
    if (partial.agent && pushes(partial, {0, *partial.agent}, object)) return true;
    return std::any_of(partial.moving.begin(), partial.moving.end(), [&](const Placed& other) {
      return other.object != object.object && pushes(partial, other, object);
    });
  }

  // Adds a pusher for an object that needs one.
  void expand(const Partial& partial) {
    const std::vector<bool> is_pushed = find_pushed(partial);
    if (std::find(is_pushed.begin(), is_pushed.end(), false) == is_pushed.end()) {
      add_layout(partial);
      return;
    }
    guard_.count_work(64 * partial.moving.size());
    const auto without_pusher =
        std::find_if(partial.moving.begin(), partial.moving.end(),
                     [&](const Placed& object) { return !has_pusher(partial, object); });
    if (without_pusher != partial.moving.end()) {
      const bool has_agent = !partial.agent && add_agent(partial, *without_pusher);
      add_objects(partial, *without_pusher, has_agent ? options_.detour_cost : 0);
      return;
    }
    for (size_t i = 0; i < partial.moving.size(); ++i) {
      if (is_pushed[i]) continue;
      if (partial.agent) add_objects(partial, partial.moving[i], 0);
      if (!partial.agent) add_agent(partial, partial.moving[i]);
    }
  }

  // One position for each set of objects that the agent itself pushes, preferably one to which it
  // can walk among the other objects, and from which it can push from afar what cannot be near.
  // Returns whether there is one.
  bool add_agent(const Partial& partial, const Placed& pushed) {
    Places obstacles = partial.moving;
    obstacles.insert(obstacles.end(), at_home(partial).begin(), at_home(partial).end());
    const BitGrid walks = reachable(world_, 0, obstacles);
    for (int other = 1; other < world_.num_objects(); ++other) {
      if (is_used(partial, other) || other <= world_.num_goals()) continue;
      obstacles.push_back({other, world_.start()[static_cast<size_t>(other)]});
    }
    const BitGrid walks_now = reachable(world_, 0, obstacles);
    guard_.count_work(kWorkOfWalks);
    std::map<std::vector<bool>, bool> known;  // whether it is easy for the agent to get there
    bool has_easy = false;
    for_each_contact(world_, 0, pushed, partial.action, [&](Point at) {
      if (!walks[at] || !can_place(partial, {0, at})) return;
      std::vector<bool> contacts;
      for (const Placed& other : partial.moving) {
        contacts.push_back(pushes(partial, {0, at}, other));
      }
      Partial next = partial;
      next.agent = at;
      const bool is_easy = walks_now[at] && can_come_together(next);
      const auto [entry, is_new] = known.try_emplace(std::move(contacts), is_easy);
      if (!is_new && (entry->second || !is_easy)) return;
      entry->second = is_easy;
      if (!is_easy) next.cost += options_.hard_cost;
      has_easy |= is_easy;
      push(std::move(next));
    });
    return has_easy;
  }

  // Unless an object lacks a pusher, whether all can be in the agent's reach before some pushes.
  bool can_come_together(const Partial& partial) {
    const std::vector<bool> is_pushed = find_pushed(partial);
    if (std::find(is_pushed.begin(), is_pushed.end(), false) != is_pushed.end()) return true;
    guard_.count_work(64 * partial.moving.size());
    return !pushes_in_reach(world_, reach_, partial.action, body_of(partial), at_home(partial))
                .empty();
  }
  static Places body_of(const Partial& partial) {
    Places body = {{0, *partial.agent}};
    body.insert(body.end(), partial.moving.begin(), partial.moving.end());
    return body;
  }

  void add_objects(const Partial& partial, const Placed& pushed, uint64_t cost) {
    if (partial.moving.size() >= options_.body) return;
    std::set<int> shapes;
    for (int object = world_.num_goals() + 1; object < world_.num_objects(); ++object) {
      if (!shapes.insert(world_.shape_id(object)).second) continue;
      for_each_contact(world_, object, pushed, partial.action, [&](Point at) {
        const int like = nearest_like(partial, object, at);
        if (like == 0 || !can_place(partial, {like, at})) return;
        if (partial.agent && overlap_at(world_, {0, *partial.agent}, {like, at})) return;
        Partial next = partial;
        next.moving.push_back({like, at});
        next.cost += cost + cost_of(partial, {like, at});
        push(std::move(next));
      });
    }
  }

  // Whether the agent itself can push the object from there, among walls.
  bool can_push_from(int object, Point at) const {
    bool can_push = false;
    for (int action = 0; action < kNumActions && object > 0; ++action) {
      if (!world_.is_legal(object, at + kDeltas[action])) continue;
      for_each_contact(world_, 0, {object, at}, action,
                       [&](Point from) { can_push |= positions_[0][from]; });
    }
    return can_push;
  }

  // The object of the same shape that is not in use, is there or can be moved, and starts nearest;
  // 0 if there is none.
  int nearest_like(const Partial& partial, int object, Point at) const {
    int nearest = 0;
    int least = INT32_MAX;
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      if (world_.shape_id(other) != world_.shape_id(object)) continue;
      if (is_used(partial, other)) continue;
      const Point way = world_.start()[static_cast<size_t>(other)] - at;
      const bool is_hard = way != Point{} && !is_movable_[static_cast<size_t>(other)];
      const int distance = std::abs(way.x) + std::abs(way.y) + (is_hard ? kFar : 0);
      if (distance < least) std::tie(nearest, least) = std::tuple(other, distance);
    }
    return nearest;
  }
  static bool is_used(const Partial& partial, int object) {
    return std::any_of(partial.moving.begin(), partial.moving.end(),
                       [&](const Placed& placed) { return placed.object == object; });
  }

  uint64_t cost_of(const Partial& partial, const Placed& placed) const {
    const std::vector<Point>& start = world_.start();
    if (start[static_cast<size_t>(placed.object)] == placed.at) return 0;
    uint64_t cost = options_.object_cost;
    if (!is_movable_[static_cast<size_t>(placed.object)]) cost += options_.object_cost;
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      if (other == placed.object || is_used(partial, other)) continue;
      const bool is_there = overlap_at(world_, placed, {other, start[static_cast<size_t>(other)]});
      cost += is_there ? options_.obstacle_cost : 0;
    }
    return cost;
  }

  // Goes back from the last push as far as walls permit.
  void add_layout(const Partial& partial) {
    Layout layout = {partial.action, 1, body_of(partial), at_home(partial), partial.cost};
    const auto can_go_back = [&](int steps) {
      return std::all_of(layout.body.begin(), layout.body.end(), [&](const Placed& placed) {
        const Placed before = moved(placed, opposite(partial.action), steps);
        return world_.is_legal(before.object, before.at) &&
               (before.object == 0 || !overlaps_any(world_, before, at_home(partial))) &&
               positions_[static_cast<size_t>(before.object)][before.at];
      });
    };
    while (can_go_back(layout.max_pushes)) ++layout.max_pushes;
    // Those that differ in the agent's position alone are one.
    const bool is_known = std::any_of(layouts_.begin(), layouts_.end(), [&](const Layout& other) {
      return other.action == layout.action && other.at_home == layout.at_home &&
             std::equal(other.body.begin() + 1, other.body.end(), layout.body.begin() + 1,
                        layout.body.end());
    });
    if (is_known) return;
    ++starts_[partial.start].layouts;
    layouts_.push_back(std::move(layout));
  }

  const World& world_;
  AgentReach& reach_;
  std::vector<BitGrid> positions_;  // of each object, among walls
  const PushOptions& options_;
  LimitGuard& guard_;
  std::vector<bool> is_movable_;  // whether the agent itself can push each object at first
  std::vector<Start> starts_;     // take turns
  size_t turn_ = 0;
  std::pmr::set<std::pmr::vector<int>> seen_;
  std::vector<Layout> layouts_;
};

Places Layout::places_before(int pushes) const {
  Places places;
  for (size_t i = 1; i < body.size(); ++i) {
    places.push_back(moved(body[i], opposite(action), pushes - 1));
  }
  places.insert(places.end(), at_home.begin(), at_home.end());
  return places;
}

LayoutFinder::LayoutFinder(const World& world, AgentReach& reach, const PushOptions& options,
                           LimitGuard& guard)
    : search_(std::make_unique<Search>(world, reach, options, guard)) {}
LayoutFinder::~LayoutFinder() = default;
std::vector<Layout> LayoutFinder::advance() { return search_->advance(); }
bool LayoutFinder::is_over() const { return search_->is_over(); }

}  // namespace pushworld
