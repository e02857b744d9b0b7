#include "search/push/layout_search.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "search/push/layouts.h"
#include "search/push/serial_search.h"

namespace pushworld {
namespace {

// The layouts take turns, the first ones more often, and so does another search.
class LayoutSearch : public PushSearch {
 public:
  LayoutSearch(std::unique_ptr<PushSearch> search, const Dynamics& dynamics,
               const Strategy& strategy, uint64_t seed, LimitGuard& guard, int depth)
      : search_(std::move(search)),
        dynamics_(dynamics),
        world_(dynamics.world()),
        strategy_(strategy),
        seed_(seed),
        guard_(guard),
        depth_(depth),
        finder_(world_, guard) {}

  Status advance(uint64_t pushes) override {
    for (uint64_t done = 0; done < pushes; done += kTurn) {
      if (advance_layouts()) return Status::kSolved;
      const Status status = search_->advance(kTurn);
      if (status != Status::kUnknown) return status;
      done += kTurn;
    }
    return Status::kUnknown;
  }

 private:
  static constexpr uint64_t kTurn = 2000;

  struct Candidate {
    Layout layout;
    uint64_t pushes = 0;
    bool is_over = false;
    std::unique_ptr<Dynamics> puzzle = nullptr;  // to bring the objects to their places
    std::unique_ptr<PushSearch> search = nullptr;
  };

  // Looks for more layouts, or goes on with the one whose turn it is.
  bool advance_layouts() {
    size_t next = candidates_.size();
    const auto rank = [&](size_t i) {
      return ((i < candidates_.size() ? candidates_[i].pushes : 0) + kTurn) * (i + 1);
    };
    for (size_t i = 0; i < candidates_.size(); ++i) {
      const bool is_first = next == candidates_.size() && finder_.is_over();
      if (!candidates_[i].is_over && (is_first || rank(i) < rank(next))) next = i;
    }
    if (next < candidates_.size()) return advance(candidates_[next]);
    if (finder_.is_over()) return false;
    for (Layout& layout : finder_.advance()) {
      candidates_.push_back({std::move(layout)});
    }
    return false;
  }

  // Returns whether this solves the puzzle.
  bool advance(Candidate& candidate) {
    if (!candidate.search) begin(candidate);
    if (candidate.is_over) return false;
    const Status status = candidate.search->advance(kTurn);
    candidate.pushes += kTurn;
    if (status == Status::kUnknown) return false;
    candidate.search.reset();
    candidate.puzzle.reset();
    candidate.is_over = true;
    if (status != Status::kSolved) return false;
    std::vector<uint8_t> plan = std::exchange(guard_.result().plan, {});
    std::vector<Coordinate> state = coordinates_of(world_.start());
    for (const uint8_t action : plan) dynamics_.step(state.data(), action);
    if (!finish(candidate.layout, state, plan)) return false;
    guard_.result().plan = std::move(plan);
    return true;
  }

  void begin(Candidate& candidate) {
    std::vector<int> kept = {0};
    std::vector<Point> goals;
    for (const auto& [object, place] : candidate.layout.places) {
      kept.push_back(object);
      goals.push_back(place);
    }
    for (int object = 1; object < world_.num_objects(); ++object) {
      if (std::find(kept.begin(), kept.end(), object) == kept.end()) kept.push_back(object);
    }
    const auto world = std::make_shared<World>(world_, world_.start(), kept, std::move(goals),
                                               World::Others::kBecomeWalls, guard_.checkpoint());
    candidate.is_over = !has_order(*world, guard_);
    if (candidate.is_over) return;
    candidate.puzzle = std::make_unique<Dynamics>(world, guard_.checkpoint());
    candidate.search = make_serial_search(*candidate.puzzle, strategy_, seed_, guard_, depth_ - 1);
  }

  // Pushes from each position that the agent can walk to. Returns whether that solves the puzzle;
  // then adds the actions to the plan.
  bool finish(const Layout& layout, const std::vector<Coordinate>& state,
              std::vector<uint8_t>& plan) const {
    struct Step {
      std::vector<Coordinate> state;
      size_t before;
      uint8_t action;
    };
    std::vector<Step> steps = {{state, 0, 0}};
    BitGrid seen(world_.width(), world_.height());
    seen.set({state[0], state[1]});
    std::vector<uint16_t> moving(kMaxObjects);
    for (size_t i = 0; i < steps.size(); ++i) {
      for (int action = 0; action < kNumActions; ++action) {
        std::vector<Coordinate> next = steps[i].state;
        const int count = dynamics_.moving_objects(next.data(), action, moving.data());
        guard_.count_work(state.size());
        if (count == 0) continue;
        if (count == 1) {
          dynamics_.step(next.data(), action);
          const Point at = {next[0], next[1]};
          if (seen[at]) continue;
          seen.set(at);
          steps.push_back({std::move(next), i, static_cast<uint8_t>(action)});
        } else if (action == layout.action) {
          int pushes = 0;
          while (pushes < layout.pushes && !dynamics_.is_solved(next.data())) {
            dynamics_.step(next.data(), action);
            ++pushes;
          }
          if (!dynamics_.is_solved(next.data())) continue;
          std::vector<uint8_t> walk;
          for (size_t k = i; k > 0; k = steps[k].before) walk.push_back(steps[k].action);
          plan.insert(plan.end(), walk.rbegin(), walk.rend());
          plan.insert(plan.end(), static_cast<size_t>(pushes), static_cast<uint8_t>(action));
          return true;
        }
      }
    }
    return false;
  }

  const std::unique_ptr<PushSearch> search_;  // for all goals
  const Dynamics& dynamics_;
  const World& world_;
  const Strategy strategy_;
  const uint64_t seed_;
  LimitGuard& guard_;
  const int depth_;
  LayoutFinder finder_;
  std::vector<Candidate> candidates_;
};

}  // namespace

bool can_lay_out(const World& world) { return is_small(world) && needs_layout(world); }

std::unique_ptr<PushSearch> with_layouts(std::unique_ptr<PushSearch> search,
                                         const Dynamics& dynamics, const Strategy& strategy,
                                         uint64_t seed, LimitGuard& guard, int depth) {
  if (depth == 0 || !can_lay_out(dynamics.world())) return search;
  return std::make_unique<LayoutSearch>(std::move(search), dynamics, strategy, seed, guard, depth);
}

}  // namespace pushworld
