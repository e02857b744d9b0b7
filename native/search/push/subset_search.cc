#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "search/core/object_set.h"
#include "search/push/relaxed_replay.h"
#include "search/push/search_factory.h"

namespace pushworld {
namespace {

// Most puzzles are solved by moving few objects, and a search that moves only those is many times
// faster. This search looks for them by abstraction refinement. It begins with the goal objects.
// For a set of objects it searches two puzzles with the strategy's open lists and commitment:
//   - All other movables are walls. A plan for this puzzle solves the original one.
//   - All other movables are gone. If some of them are in the way of a plan for this puzzle (see
//     relaxed_replay.h), they are cleared away. Where that fails, they become walls, or join the
//     set: both are tried. If there is no plan, and there are no such walls, the set lacks a tool:
//     every other movable in turn joins the set.
// To clear the way is a puzzle from a state of the plan: the objects of the set are walls, and the
// goal is that fewer of the others are in the way. It is searched in the same way, from sets of one
// object that is in the way, and its own plans have their way cleared. So what needs what becomes a
// chain of small searches. Each of these searches has a limit on states. When enough of them have
// ended, the search begins again with a higher limit, and keeps what it knows. It is complete: the
// set of all movables has its turn as well.
class SubsetSearch : public PushSearch {
 public:
  // With a `way`, looks for a state in which fewer movables cover cells of it.
  SubsetSearch(const Dynamics& dynamics, const SearchFactory& factory, const BitGrid* way)
      : dynamics_(dynamics),
        world_(dynamics.world()),
        factory_(factory),
        options_(factory.options()),
        guard_(factory.guard()),
        result_(guard_.result()),
        way_(way),
        max_states_(way ? options_.clearing_states : options_.first_states),
        waiting_(std::greater<>{}, Entries(&guard_.memory())),
        seen_(&guard_.memory()),
        known_(&guard_.memory()) {
    begin_round();
  }

  Outcome advance(uint64_t pushes) override {
    uint64_t done = std::min(debt_, pushes);
    debt_ -= done;
    while (done < pushes) {
      if (!search_) {
        begin_search();
        done += options_.begin_pushes;
        continue;
      }
      const uint64_t generated = result_.generated;
      const uint64_t states_left = max_states_ - states_;
      const uint64_t states = result_.states;
      Outcome outcome = search_->advance(std::min(pushes - done, states_left));
      states_ += result_.states - states;
      done += result_.generated - generated + 1;
      if (outcome.status == Status::kUnknown && states_ < max_states_) continue;
      budget_ = options_.mending * max_states_;
      if (way_) {
        budget_ = std::min(budget_, (pushes - std::min(pushes, done)) / options_.clearing_part);
      }
      const uint64_t budget = budget_;
      outcome = end_search(std::move(outcome));
      done += budget - budget_;
      if (outcome.status != Status::kUnknown) return outcome;
    }
    debt_ += done - pushes;
    return {};
  }

 private:
  using Objects = ObjectSet<1>;  // the agent and the goal objects included

  // Some objects move, some are walls, and the others are gone.
  struct Part {
    Objects objects;
    Objects walls{};
    auto key() const { return std::pair(objects.word[0], walls.word[0]); }
  };
  // What is known about a part of the puzzle.
  struct Known {
    uint64_t max_states = 0;  // of the search; UINT64_MAX if it has come to an end
    Objects met{};            // if a plan was found, which some of the others are in the way of
  };
  // A part that waits. Parts with few guessed tools come first.
  struct Entry {
    int guesses;
    uint64_t number;
    Part part;
    auto order() const { return std::tuple(guesses, number); }
    bool operator>(const Entry& other) const { return order() > other.order(); }
  };
  using Entries = std::pmr::vector<Entry>;

  void begin_round() {
    while (!waiting_.empty()) waiting_.pop();
    seen_.clear();
    states_of_round_ = 0;
    has_entry_ = false;
    if (!way_) return add(0, {objects_from<1>(0, world_.num_goals() + 1)});
    for (int object = 1; object < world_.num_objects(); ++object) {
      if (!is_in_way(object, world_.start())) continue;
      add(0, {objects_from<1>(0, 1) | objects_from<1>(object, object + 1)});
    }
  }

  void add(int guesses, const Part& part) {
    const auto [seen, is_new] = seen_.try_emplace(part.key(), guesses);
    if (!is_new && seen->second <= guesses) return;
    seen->second = guesses;
    waiting_.push({guesses, ++added_, part});
  }
  Known& known() { return known_[part_.key()]; }

  Objects others() const { return objects_from<1>(0, world_.num_objects()) & ~entry_.part.objects; }

  // Begins the search of the next puzzle, or a new round if there is none.
  void begin_search() {
    if (!has_entry_) {
      if (waiting_.empty() || states_of_round_ >= options_.searches * max_states_) {
        max_states_ *= options_.growth;
        ++rounds_;
        begin_round();
      }
      entry_ = waiting_.top();
      waiting_.pop();
      has_entry_ = true;
      part_ = {entry_.part.objects, others()};
      is_exact_ = true;
    }
    if (known().max_states >= max_states_) return end_puzzle();
    puzzle_ = guard_.make<Dynamics>(guard_.make<World>(
        world_, world_.start(), list_of(part_.objects), world_.goals(), list_of(part_.walls)));
    states_ = 0;
    search_ = factory_.with_other_seed(is_exact_ ? 0 : rounds_).plain(*puzzle_, way_);
  }

  // Records how the search ended. Returns an open outcome unless this decides the original puzzle.
  Outcome end_search(Outcome outcome) {
    search_.reset();
    states_of_round_ += std::max(states_, options_.least_states);
    const bool is_unsolvable = outcome.status == Status::kUnsolvable;
    const bool is_solved = outcome.status == Status::kSolved;
    known().max_states = is_unsolvable ? UINT64_MAX : max_states_;
    if (is_exact_) {
      if (is_solved || (!part_.walls.any() && is_unsolvable)) return outcome;
    } else if (is_solved) {
      RelaxedReplay replay = replay_relaxed_plan(
          dynamics_, *puzzle_, list_of(part_.objects), list_of(part_.walls), outcome.plan, guard_,
          options_.mending > 0 ? options_.clearings : 0,
          [&](const auto& state, const auto& way) { return clear(state, way); });
      if (replay.met.empty() && has_goal(replay.end)) {
        return {Status::kSolved, std::move(replay.plan)};
      }
      known().met = {};
      for (const int object : replay.met) known().met.set(object);
    }
    end_puzzle();
    return {};
  }

  bool is_in_way(int object, const std::vector<Point>& state) const {
    return covers_any(world_.shape_of(object), state[static_cast<size_t>(object)], *way_);
  }
  // Whether a mended plan ends as it should: it may have brought other objects into the way.
  bool has_goal(const std::vector<Point>& end) const {
    if (!way_) return true;
    int more = 0;
    for (int object = 1; object < world_.num_objects(); ++object) {
      more += int{is_in_way(object, end)} - int{is_in_way(object, world_.start())};
    }
    return more < 0;
  }

  // Looks for actions after which fewer of the other objects are in the way, within half of the
  // budget, so that later clearings have some.
  std::vector<uint8_t> clear(const std::vector<Point>& state, const BitGrid& way) {
    if (budget_ < 2 * options_.begin_pushes) return {};
    Objects movable = objects_from<1>(0, 1) | (others() & ~part_.walls);
    part_.walls.for_each([&](int wall) {  // which the plan may have pushed along
      const auto object = static_cast<size_t>(wall);
      if (state[object] != world_.start()[object]) movable.set(wall);
    });
    const Objects walls = objects_from<1>(0, world_.num_objects()) & ~movable;
    const auto puzzle = guard_.make<Dynamics>(
        guard_.make<World>(world_, state, list_of(movable), std::vector<Point>{}, list_of(walls)));
    const auto search = factory_.together(*puzzle, &way);
    const uint64_t generated = result_.generated;
    const uint64_t half = budget_ / 2;
    Outcome outcome = search->advance(half);
    const uint64_t used = result_.generated - generated + options_.begin_pushes;
    budget_ -= outcome.status == Status::kSolved ? std::min(half, used) : half;
    return std::move(outcome.plan);
  }

  // Goes on to the puzzle without the other objects, or to other parts.
  void end_puzzle() {
    if (is_exact_ && part_.walls.any()) {
      part_ = entry_.part;
      is_exact_ = false;
      return;
    }
    has_entry_ = false;
    if (is_exact_) return;
    const Objects objects = part_.objects;
    const Objects walls = part_.walls;
    const Objects& met = known().met;
    if (met.any()) {
      add(0, {objects | met, walls & ~met});
      add(0, {objects, walls | met});
      return;
    }
    if (walls.any()) return;
    others().for_each(
        [&](int tool) { add(entry_.guesses + 1, {objects | objects_from<1>(tool, tool + 1)}); });
  }

  static std::vector<int> list_of(const Objects& objects) {
    std::vector<int> list;
    objects.for_each([&](int object) { list.push_back(object); });
    return list;
  }

  const Dynamics& dynamics_;
  const World& world_;
  const SearchFactory factory_;
  const PushOptions& options_;
  LimitGuard& guard_;
  SearchResult& result_;
  const BitGrid* const way_;

  uint64_t max_states_;  // of a search in this round
  uint64_t rounds_ = 0;
  uint64_t states_of_round_ = 0;
  std::priority_queue<Entry, Entries, std::greater<>> waiting_;
  // The guesses of each part in this round.
  std::pmr::map<std::pair<uint64_t, uint64_t>, int> seen_;
  uint64_t added_ = 0;
  std::pmr::map<std::pair<uint64_t, uint64_t>, Known> known_;

  bool has_entry_ = false;
  Entry entry_;
  Part part_;
  bool is_exact_ = true;  // whether all others are walls
  std::shared_ptr<Dynamics> puzzle_;
  std::unique_ptr<PushSearch> search_;
  uint64_t states_ = 0;  // of the search
  uint64_t budget_ = 0;  // the pushes left to clear the way of a plan
  uint64_t debt_ = 0;    // the pushes beyond earlier turns
};

}  // namespace

SearchFactory::Made SearchFactory::few_objects(const Dynamics& dynamics, const BitGrid* way) const {
  return std::make_unique<SubsetSearch>(dynamics, *this, way);
}

}  // namespace pushworld
