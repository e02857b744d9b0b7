#include <algorithm>
#include <cstdlib>
#include <memory_resource>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "search/push/places.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

// When the objects are at their places, pushes in one direction bring goal objects home: goal
// objects, and spacers and tools between them, move as one body.
struct Layout {
  Places places;
  uint64_t cost;  // the lower, the more promising
};

// Calls visit(placed) where the next step of `pusher` pushes an object.
template <typename Visit>
void for_each_contact(const World& world, int pusher, const Placed& pushed, int action,
                      Visit&& visit) {
  const Shape& shape = world.shape_of(pusher);
  const Shape& other = world.shape_of(pushed.object);
  for (int y = pushed.at.y - shape.height; y <= pushed.at.y + other.height; ++y) {
    for (int x = pushed.at.x - shape.width; x <= pushed.at.x + other.width; ++x) {
      const Placed before = {pusher, {x, y}};
      const Placed after = moved(before, action);
      if (!world.is_legal(pusher, before.at) || !world.is_legal(pusher, after.at)) continue;
      if (overlap(world, after, pushed) && !overlap(world, before, pushed)) visit(before);
    }
  }
}

// Finds layouts by regression from the goals: right before the last push, goal objects are one step
// from home, all of them or one of them when the others are at home. As long as the agent cannot
// push them all with one step, an object that nothing pushes gets a tool behind it. Whether the
// objects can be brought to their places is another question.
class LayoutFinder {
 public:
  LayoutFinder(const World& world, const PushOptions& options, LimitGuard& guard)
      : world_(world), options_(options), guard_(guard) {
    for (int object = 0; object < world_.num_objects(); ++object) {
      positions_.push_back(reachable_among(world_, object, {}));
      in_reach_.push_back(reachable(world_, object, [&](Point at, int action) {
        bool can_push = object == 0;
        if (!can_push) {
          for_each_contact(world_, 0, {object, at}, action,
                           [&](const Placed& agent) { can_push |= positions_[0][agent.at]; });
        }
        return can_push;
      }));
      guard_.count_work(4096);
    }
    const Places goals = goals_of(world_);
    for (int action = 0; action < kNumActions; ++action) {
      if (goals.size() > 1) begin(action, goals, {});
      for (const Placed& goal : goals) {
        Places others = goals;
        std::erase(others, goal);
        begin(action, {goal}, std::move(others));
      }
    }
  }

  // Whether the agent alone can make no last push, of one goal object.
  bool is_needed() const { return is_needed_; }

  // Searches a little further. Returns the layouts that this finds, or nothing at the end.
  std::optional<std::vector<Layout>> advance() {
    constexpr int kExpansions = 20;
    std::erase_if(starts_, [](const Start& start) { return start.open.empty(); });
    if (starts_.empty()) return std::nullopt;
    Start& start = starts_[turn_++ % starts_.size()];
    layouts_.clear();
    for (int count = 0; count < kExpansions && !start.open.empty(); ++count) {
      const Partial partial = start.open.top();
      start.open.pop();
      expand(start, partial);
    }
    return layouts_;
  }

 private:
  struct Partial {
    uint64_t cost;
    uint64_t number;
    Places moving;  // all but the agent, right before the last push
    bool operator<(const Partial& other) const {
      return std::pair(cost, number) > std::pair(other.cost, other.number);
    }
    bool has(int object) const {
      return std::any_of(moving.begin(), moving.end(),
                         [&](const Placed& placed) { return placed.object == object; });
    }
  };
  // A direction, and the goal objects that the last push does not move.
  struct Start {
    int action;
    Places at_home;
    std::priority_queue<Partial, std::pmr::vector<Partial>> open;
    std::pmr::set<std::pmr::vector<int>> seen;
  };

  // Unless the goal objects cannot be there before the push.
  void begin(int action, const Places& goals, Places at_home) {
    Start start = {action, std::move(at_home), decltype(Start::open)(&guard_.memory()),
                   decltype(Start::seen)(&guard_.memory())};
    Partial partial = {0, 0, {}};
    for (const Placed& goal : goals) {
      const Placed before = moved(goal, opposite(action));
      if (!can_place(start, partial, before)) return;
      partial.moving.push_back(before);
    }
    for (const Placed& goal : start.at_home) partial.cost += cost_of(partial, goal);
    if (goals.size() == 1) is_needed_ &= !can_push(start, partial);
    push(start, std::move(partial));
    starts_.push_back(std::move(start));
  }

  void push(Start& start, Partial partial) {
    std::sort(partial.moving.begin(), partial.moving.end(),
              [](const Placed& a, const Placed& b) { return a.object < b.object; });
    std::pmr::vector<int> key;
    for (const auto& [object, at] : partial.moving) key.insert(key.end(), {object, at.x, at.y});
    if (start.seen.size() == options_.layout_partials) return;
    if (!start.seen.insert(std::move(key)).second) return;
    partial.number = start.seen.size();
    start.open.push(std::move(partial));
  }

  // An object that must move costs something, and so does each one that stands where it must go.
  uint64_t cost_of(const Partial& partial, const Placed& placed) const {
    const std::vector<Point>& start = world_.start();
    if (start[static_cast<size_t>(placed.object)] == placed.at) return 0;
    uint64_t cost = options_.object_cost;
    for (int other = world_.num_goals() + 1; other < world_.num_objects(); ++other) {
      if (other == placed.object || partial.has(other)) continue;
      cost += uint64_t{overlap(world_, placed, {other, start[static_cast<size_t>(other)]})};
    }
    return cost;
  }

  // Whether the object can be there right before the last push, and after it.
  bool can_place(const Start& start, const Partial& partial, const Placed& before) const {
    const Placed after = moved(before, start.action);
    return world_.is_legal(before.object, before.at) && world_.is_legal(after.object, after.at) &&
           positions_[static_cast<size_t>(before.object)][before.at] &&
           !overlaps_any(world_, before, partial.moving) &&
           !overlaps_any(world_, before, start.at_home) &&
           !overlaps_any(world_, after, start.at_home);
  }

  // Whether the agent can push all objects with one step, and walk to where it does when all are in
  // place.
  bool can_push(const Start& start, const Partial& partial) {
    Places obstacles = partial.moving;
    obstacles.insert(obstacles.end(), start.at_home.begin(), start.at_home.end());
    const BitGrid walks = reachable_among(world_, 0, obstacles);
    guard_.count_work(1024);
    bool can_push = false;
    for (const Placed& object : partial.moving) {
      for_each_contact(world_, 0, object, start.action, [&](const Placed& agent) {
        can_push |=
            walks[agent.at] && can_place(start, partial, agent) && moves_all(start, partial, agent);
      });
    }
    return can_push;
  }
  bool moves_all(const Start& start, const Partial& partial, const Placed& agent) const {
    Places left = partial.moving;
    Places pushers = {agent};
    for (size_t i = 0; i < pushers.size(); ++i) {
      const Placed after = moved(pushers[i], start.action);
      const auto pushed = std::stable_partition(
          left.begin(), left.end(), [&](const Placed& o) { return !overlap(world_, after, o); });
      pushers.insert(pushers.end(), pushed, left.end());
      left.erase(pushed, left.end());
    }
    return left.empty();
  }

  void expand(Start& start, const Partial& partial) {
    if (can_push(start, partial)) return add_layout(start, partial);
    Places without_pusher = partial.moving;
    std::erase_if(without_pusher, [&](const Placed& object) {
      return std::any_of(partial.moving.begin(), partial.moving.end(), [&](const Placed& other) {
        return other != object && overlap(world_, moved(other, start.action), object);
      });
    });
    for (const Placed& object : without_pusher.empty() ? partial.moving : without_pusher) {
      add_tools(start, partial, object);
    }
  }

  // A tool behind an object: of each shape the one that starts nearest.
  void add_tools(Start& start, const Partial& partial, const Placed& pushed) {
    std::set<int> shapes;
    for (int like = world_.num_goals() + 1; like < world_.num_objects(); ++like) {
      if (!shapes.insert(world_.shape_id(like)).second) continue;
      for_each_contact(world_, like, pushed, start.action, [&](const Placed& before) {
        Placed tool = {0, before.at};
        int least = INT32_MAX;
        for (int other = like; other < world_.num_objects(); ++other) {
          if (world_.shape_id(other) != world_.shape_id(like) || partial.has(other)) continue;
          const Point way = world_.start()[static_cast<size_t>(other)] - before.at;
          const bool is_far = way != Point{} && !in_reach_[static_cast<size_t>(other)][before.at];
          const int distance = std::abs(way.x) + std::abs(way.y) + (is_far ? 1 << 16 : 0);
          if (distance < least) std::tie(tool.object, least) = std::pair(other, distance);
        }
        if (tool.object == 0 || !can_place(start, partial, tool)) return;
        Partial next = partial;
        next.cost += cost_of(partial, tool);
        next.moving.push_back(tool);
        push(start, std::move(next));
      });
    }
  }

  // Goes back from the last push until most places are in the agent's reach, so that the objects
  // find ways to them in some order.
  void add_layout(const Start& start, const Partial& partial) {
    Layout best = {{}, UINT64_MAX};
    for (int steps = 0; best.cost > partial.cost; ++steps) {
      Layout layout = {{}, partial.cost};
      for (const Placed& last : partial.moving) {
        const Placed placed = moved(last, opposite(start.action), steps);
        const auto object = static_cast<size_t>(placed.object);
        if (!world_.is_legal(placed.object, placed.at) || !positions_[object][placed.at] ||
            overlaps_any(world_, placed, start.at_home)) {
          break;
        }
        layout.cost += in_reach_[object][placed.at] ? 0 : options_.reach_cost;
        layout.places.push_back(placed);
      }
      if (layout.places.size() < partial.moving.size()) break;
      layout.places.insert(layout.places.end(), start.at_home.begin(), start.at_home.end());
      if (layout.cost < best.cost && has_order(world_, layout.places, guard_)) best = layout;
    }
    if (best.places.empty()) return;
    layouts_.push_back(std::move(best));
  }

  const World& world_;
  const PushOptions& options_;
  LimitGuard& guard_;
  std::vector<BitGrid> positions_;  // of each object, among walls
  std::vector<BitGrid> in_reach_;   // where the agent can push each object by itself
  std::vector<Start> starts_;       // take turns
  size_t turn_ = 0;
  bool is_needed_ = true;
  std::vector<Layout> layouts_;  // found in this turn
};

// To bring the objects of a layout to their places is a puzzle with other goals, which is searched
// one goal after the other. That may need further layouts. The layouts take turns, the first ones
// more often; and all of them with another search of the puzzle.
class LayoutSearch : public PushSearch {
 public:
  LayoutSearch(const Dynamics& dynamics, SearchFactory::Made other, const SearchFactory& factory,
               uint64_t depth)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        other_(std::move(other)),
        factory_(factory),
        options_(factory.options()),
        guard_(factory.guard()),
        depth_(depth),
        finder_(std::in_place, world_, options_, guard_) {}

  Outcome advance(uint64_t pushes) override {
    const bool has_layouts = finder_ || !candidates_.empty();
    const uint64_t rest = has_layouts ? pushes / options_.plain_part : pushes;
    for (credit_ += pushes - rest; credit_ >= options_.layout_turn;) {
      credit_ -= options_.layout_turn;
      Outcome outcome = take_turn();
      if (outcome.status == Status::kSolved) return outcome;
    }
    return other_->advance(rest);
  }

 private:
  struct Candidate {
    Layout layout;
    uint64_t turns = 0;
    std::shared_ptr<Dynamics> puzzle = nullptr;  // to bring the objects to their places
    SearchFactory::Made search = nullptr;
  };

  // Goes on with the layout whose turn it is, or looks for more.
  Outcome take_turn() {
    const size_t count = candidates_.size();
    const auto rank = [&](size_t i) {
      return ((i < count ? candidates_[i].turns : 0) + 1) * (i + 1);
    };
    size_t next = 0;
    for (size_t i = 1; i < count + (finder_ ? 1 : 0); ++i) {
      if (rank(i) < rank(next)) next = i;
    }
    if (next < count) return go_on(next);
    for (int tries = 0; tries < 4 && finder_; ++tries) {
      std::optional<std::vector<Layout>> layouts = finder_->advance();
      if (!layouts) finder_.reset();
      if (!layouts) break;
      for (Layout& layout : *layouts) {
        const auto place =
            std::find_if(candidates_.begin(), candidates_.end(),
                         [&](const Candidate& each) { return each.layout.cost > layout.cost; });
        candidates_.insert(place, {std::move(layout)});
      }
    }
    return {};
  }

  Outcome go_on(size_t next) {
    Candidate& candidate = candidates_[next];
    ++candidate.turns;
    if (!candidate.search) {
      candidate.puzzle = part(world_.start(), candidate.layout.places);
      candidate.search = factory_.in_turn(*candidate.puzzle, depth_ - 1);
    }
    Outcome outcome = candidate.search->advance(options_.layout_turn);
    if (outcome.status == Status::kUnknown) return {};
    candidate.search.reset();
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(next));
    if (outcome.status != Status::kSolved) return {};
    const auto puzzle =
        part(points_of(state_after(dynamics_, world_.start(), outcome.plan)), goals_of(world_));
    const Outcome end = factory_.plain(*puzzle)->advance(options_.layout_turn);
    if (end.status != Status::kSolved) return {};
    outcome.plan.insert(outcome.plan.end(), end.plan.begin(), end.plan.end());
    return outcome;
  }

  // The puzzle from a state with other goals.
  std::shared_ptr<Dynamics> part(const std::vector<Point>& state, const Places& goals) {
    std::vector<int> kept = {0};
    std::vector<Point> places;
    for (const auto& [object, place] : goals) {
      kept.push_back(object);
      places.push_back(place);
    }
    for (int object = 1; object < world_.num_objects(); ++object) {
      if (std::find(kept.begin(), kept.end(), object) == kept.end()) kept.push_back(object);
    }
    return guard_.make<Dynamics>(
        guard_.make<World>(world_, state, kept, places, std::vector<int>{}));
  }

  const Dynamics& dynamics_;
  const World& world_;
  const SearchFactory::Made other_;
  const SearchFactory factory_;
  const PushOptions& options_;
  LimitGuard& guard_;
  const uint64_t depth_;                // how deep layouts may need layouts
  std::optional<LayoutFinder> finder_;  // until it is at its end
  uint64_t credit_ = 0;                 // the pushes that are left from earlier calls
  std::vector<Candidate> candidates_;   // by cost
};

}  // namespace

bool needs_layouts(const World& world, const PushOptions& options, LimitGuard& guard) {
  return options.layouts > 0 && is_small(world) && world.num_goals() > 0 &&
         LayoutFinder(world, options, guard).is_needed();
}

SearchFactory::Made SearchFactory::with_layouts(Made other, const Dynamics& dynamics,
                                                uint64_t depth) const {
  if (depth == 0 || !needs_layouts(dynamics.world(), options(), guard_)) return other;
  return std::make_unique<LayoutSearch>(dynamics, std::move(other), *this, depth);
}

}  // namespace pushworld
