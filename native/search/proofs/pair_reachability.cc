#include "search/proofs/pair_reachability.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace pushworld {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

struct OutOfSteps {};

// A set of cells for each cell: cells are numbered by rows.
class CellSets {
 public:
  explicit CellSets(int cells) : words_((cells + 63) / 64), bits_(size_t(cells) * words_, 0) {}

  uint64_t* of(int cell) { return bits_.data() + size_t(cell) * words_; }
  const uint64_t* of(int cell) const { return bits_.data() + size_t(cell) * words_; }
  bool has(int cell, int other) const { return of(cell)[other >> 6] >> (other & 63) & 1; }
  void add(int cell, int other) { of(cell)[other >> 6] |= uint64_t{1} << (other & 63); }

 private:
  size_t words_;
  std::vector<uint64_t> bits_;
};

// What is known about one movable.
struct Movable {
  explicit Movable(int cells)
      : agents(cells),
        pushing{CellSets(cells), CellSets(cells), CellSets(cells), CellSets(cells)},
        touching(pushing),
        seen(size_t(cells), 0),
        changed(size_t(cells), 0) {}

  CellSets agents;                             // by its position: where the agent can be
  std::array<CellSets, kNumActions> pushing;   // ... and may move it with this action
  std::array<CellSets, kNumActions> touching;  // where it must push the object to move
  std::vector<char> seen;                      // whether it can have this position
  std::vector<uint64_t> changed;               // when one of the above last changed
  std::vector<int> positions;                  // those it can have
};

class PairReachability {
 public:
  PairReachability(const World& world, LimitGuard& guard, uint64_t max_steps)
      : world_(world),
        guard_(guard),
        steps_left_(max_steps),
        cells_(world.width() * world.height()),
        words_((size_t(cells_) + 63) / 64),
        count_(world.num_objects()),
        deltas_{-1, 1, -world.width(), world.width()},
        walks_(kNumActions, std::vector<uint64_t>(words_, 0)),
        moving_(words_, 0),
        moved_(words_, 0),
        stopped_(words_, 0) {
    world.legal(0).for_each([&](Point p) {
      for (int d = 0; d < kNumActions; ++d) {
        if (world.is_legal(0, p + kDeltas[d])) {
          walks_[d][size_t(cell(p)) >> 6] |= uint64_t{1} << (cell(p) & 63);
        }
      }
    });
    movables_.assign(size_t(count_), Movable(0));
    contacts_.resize(size_t(count_) * count_ * kNumActions);
    for (int o = 1; o < count_; ++o) {
      movables_[o] = Movable(cells_);
      for (int j = 0; j < count_; ++j) {
        for (int d = 0; d < kNumActions && j != o; ++d) contacts(j, o, d) = find_contacts(j, o, d);
      }
      for (int j = 1; j < o; ++j) pairs_.emplace_back(j, o, cells_);
    }
  }

  bool reaches_goals() {
    for (int o = 1; o < count_; ++o) add_agent(o, start(o), start(0));
    for (Pair& pair : pairs_) add_pair(pair, start(pair.one), start(pair.other));
    uint64_t before = 0;
    while (before != now_) {
      before = now_;
      for (int o = 1; o < count_; ++o) {
        for (const int p : movables_[o].positions) flood_.emplace_back(o, p);
      }
      flood();
      for (int o = 1; o < count_; ++o) find_pushes(o);
      for (Pair& pair : pairs_) grow(pair);
    }
    return goals_meet();
  }

 private:
  struct Pair {
    Pair(int one_, int other_, int cells) : one(one_), other(other_), both(cells) {}

    int one, other;
    CellSets both;  // by the position of `one`: those of `other`
    std::vector<std::pair<int, int>> fresh;
    uint64_t done = 0;
  };

  int cell(Point p) const { return p.y * world_.width() + p.x; }
  Point point(int cell) const { return {cell % world_.width(), cell / world_.width()}; }
  int start(int object) const { return cell(world_.start()[object]); }
  std::vector<Point>& contacts(int j, int o, int d) {
    return contacts_[(size_t(j) * count_ + o) * kNumActions + d];
  }

  void spend(uint64_t steps) {
    if (steps > steps_left_) throw OutOfSteps();
    steps_left_ -= steps;
    guard_.count_work(steps);
  }

  // The offsets of `j` from `o` at which `j` pushes `o`.
  std::vector<Point> find_contacts(int j, int o, int d) {
    const Shape &pusher = world_.shape_of(j), &pushed = world_.shape_of(o);
    std::vector<Point> found;
    for (int y = -pusher.height - 1; y <= pushed.height + 1; ++y) {
      for (int x = -pusher.width - 1; x <= pushed.width + 1; ++x) {
        const Point offset{x, y};
        if (overlap(pushed, pusher, offset + kDeltas[d]) && !overlap(pushed, pusher, offset)) {
          found.push_back(offset);
        }
      }
    }
    spend(size_t(pusher.width + pushed.width) * (pusher.height + pushed.height));
    return found;
  }

  void see(int o, int p) {
    Movable& movable = movables_[o];
    if (movable.seen[p]) return;
    movable.seen[p] = 1;
    movable.positions.push_back(p);
    for (int d = 0; d < kNumActions; ++d) {
      for (const Point offset : contacts(0, o, d)) {
        const Point agent = point(p) + offset;
        if (world_.is_legal(0, agent)) movable.touching[d].add(p, cell(agent));
      }
    }
  }

  void add_agent(int o, int p, int agent) {
    see(o, p);
    if (movables_[o].agents.has(p, agent)) return;
    movables_[o].agents.add(p, agent);
    movables_[o].changed[p] = ++now_;
  }

  void add_pair(Pair& pair, int p, int q) {
    if (pair.both.has(p, q)) return;
    pair.both.add(p, q);
    pair.fresh.emplace_back(p, q);
    ++now_;
  }

  // The agent walks and pushes, as far as every third object leaves it room.
  void flood() {
    while (!flood_.empty()) {
      const auto [o, p] = flood_.back();
      flood_.pop_back();
      Movable& movable = movables_[o];
      const uint64_t* agents = movable.agents.of(p);
      for (int d = 0; d < kNumActions; ++d) {
        spend(words_ / 4 + 1);
        const uint64_t *touching = movable.touching[d].of(p), *walks = walks_[d].data();
        for (size_t w = 0; w < words_; ++w) moving_[w] = agents[w] & walks[w] & ~touching[w];
        move_agent(o, p, p, d);
        if (!world_.is_legal(o, point(p) + kDeltas[d])) continue;
        uint64_t* pushing = movable.pushing[d].of(p);
        for (size_t w = 0; w < words_; ++w) {
          pushing[w] |= agents[w] & touching[w] & walks[w];
          moving_[w] = pushing[w];
        }
        move_agent(o, p, p + deltas_[d], d);
      }
    }
  }

  // The agent moves from the cells `moving_` while `o` moves from `p` to `next`.
  void move_agent(int o, int p, int next, int d) {
    Movable& movable = movables_[o];
    shift(moving_, moved_, d);
    bool is_new = false;
    for (size_t w = 0; w < words_; ++w) {
      moved_[w] &= ~movable.agents.of(next)[w];
      is_new |= moved_[w] != 0;
    }
    if (!is_new) return;
    shift(moved_, moving_, opposite(d));
    if (!keep_supported(o, p, next, d)) return;
    shift(moving_, moved_, d);
    see(o, next);
    for (size_t w = 0; w < words_; ++w) movable.agents.of(next)[w] |= moved_[w];
    movable.changed[next] = ++now_;
    flood_.emplace_back(o, next);
  }

  void shift(const std::vector<uint64_t>& from, std::vector<uint64_t>& to, int d) const {
    const int by = deltas_[d];
    const size_t distance = size_t(by < 0 ? -by : by), whole = distance >> 6, part = distance & 63;
    std::fill(to.begin(), to.end(), 0);
    for (size_t w = whole; w < words_; ++w) {
      if (by > 0) {
        to[w] |= from[w - whole] << part;
        if (part && w > whole) to[w] |= from[w - whole - 1] >> (64 - part);
      } else {
        to[w - whole] |= from[w] >> part;
        if (part && w > whole) to[w - whole - 1] |= from[w] << (64 - part);
      }
    }
  }

  // Removes the cells of `moving_` from which a third object, wherever it is, would stop the move.
  // Returns whether cells are left.
  bool keep_supported(int o, int p, int next, int d) {
    for (int j = 1; j < count_; ++j) {
      if (j == o) continue;
      stopped_ = moving_;
      bool any = true;
      const Movable& third = movables_[j];
      for (size_t index = 0; any && index < third.positions.size(); ++index) {
        const int q = third.positions[index];
        if (!are_together(o, p, j, q)) continue;
        spend(words_ / 4 + 1);
        const bool stays = next == p || are_apart(o, next, j, q);
        any = false;
        for (size_t w = 0; w < words_; ++w) {
          const uint64_t passes = stays ? ~third.touching[d].of(q)[w] : 0;
          stopped_[w] &= ~(third.agents.of(q)[w] & (passes | third.pushing[d].of(q)[w]));
          any |= stopped_[w] != 0;
        }
      }
      bool left = false;
      for (size_t w = 0; w < words_; ++w) {
        moving_[w] &= ~stopped_[w];
        left |= moving_[w] != 0;
      }
      if (!left) return false;
    }
    return true;
  }

  bool are_together(int one, int p, int other, int q) const {
    return one < other ? pair_of(one, other).both.has(p, q) : pair_of(other, one).both.has(q, p);
  }

  const Pair& pair_of(int one, int other) const {
    return pairs_[size_t(other - 1) * (other - 2) / 2 + one - 1];
  }

  // Finds the positions of the agent from which it may move an object through others.
  void find_pushes(int o) {
    Movable& movable = movables_[o];
    for (size_t index = 0; index < movable.positions.size(); ++index) {
      const int p = movable.positions[index];
      for (int d = 0; d < kNumActions; ++d) {
        if (!world_.is_legal(o, point(p) + kDeltas[d])) continue;
        uint64_t* to = movable.pushing[d].of(p);
        const uint64_t* agents = movable.agents.of(p);
        bool is_new = false;
        for (int j = 1; j < count_; ++j) {
          if (j == o) continue;
          spend(1);
          for (const Point offset : contacts(j, o, d)) {
            const Point at = point(p) + offset;
            if (!world_.is_legal(j, at) || !movables_[j].seen[cell(at)]) continue;
            const bool together =
                j < o ? pair_of(j, o).both.has(cell(at), p) : pair_of(o, j).both.has(p, cell(at));
            if (!together) continue;
            spend(words_ / 4 + 1);
            const uint64_t* from = movables_[j].pushing[d].of(cell(at));
            for (size_t w = 0; w < words_; ++w) {
              const uint64_t value = from[w] & agents[w];
              is_new |= (value & ~to[w]) != 0;
              to[w] |= value;
            }
          }
        }
        if (is_new) movable.changed[p] = ++now_;
      }
    }
  }

  // Adds the pairs that follow from those whose circumstances have changed.
  void grow(Pair& pair) {
    const Movable &one = movables_[pair.one], &other = movables_[pair.other];
    const uint64_t done = std::exchange(pair.done, now_);
    for (size_t index = 0; index < one.positions.size(); ++index) {
      const int p = one.positions[index];
      const bool all = one.changed[p] > done;
      spend(words_);
      for (size_t w = 0; w < words_; ++w) {
        for (uint64_t rest = pair.both.of(p)[w]; rest; rest &= rest - 1) {
          const int q = int(64 * w) + std::countr_zero(rest);
          if (all || other.changed[q] > done) follow(pair, p, q);
        }
      }
    }
    while (!pair.fresh.empty()) {
      const auto [p, q] = pair.fresh.back();
      pair.fresh.pop_back();
      follow(pair, p, q);
    }
  }

  void follow(Pair& pair, int p, int q) {
    const Movable &one = movables_[pair.one], &other = movables_[pair.other];
    spend(4);
    for (int d = 0; d < kNumActions; ++d) {
      const int next_p = p + deltas_[d], next_q = q + deltas_[d];
      const uint64_t *agents_p = one.agents.of(p), *agents_q = other.agents.of(q);
      const uint64_t *push_p = one.pushing[d].of(p), *push_q = other.pushing[d].of(q);
      const uint64_t *touch_p = one.touching[d].of(p), *touch_q = other.touching[d].of(q);
      bool both = false, only_p = false, only_q = false;
      for (size_t w = 0; w < words_; ++w) {
        const uint64_t agents = agents_p[w] & agents_q[w] & (push_p[w] | push_q[w]);
        if (!agents) continue;
        both |= (agents & push_p[w] & push_q[w]) != 0;
        only_p |= (agents & push_p[w] & ~touch_q[w]) != 0;
        only_q |= (agents & push_q[w] & ~touch_p[w]) != 0;
      }
      if (both) add_pair(pair, next_p, next_q);
      if (only_p && !pair.both.has(next_p, q) && are_apart(pair.one, next_p, pair.other, q)) {
        add_pair(pair, next_p, q);
      }
      if (only_q && !pair.both.has(p, next_q) && are_apart(pair.one, p, pair.other, next_q)) {
        add_pair(pair, p, next_q);
      }
    }
  }

  bool are_apart(int one, int p, int other, int q) const {
    return !overlap(world_.shape_of(one), world_.shape_of(other), point(q) - point(p));
  }

  // Whether all goals can hold at the same time, as far as pairs tell.
  bool goals_meet() const {
    const int goals = world_.num_goals();
    std::vector<uint64_t> agents(words_, ~uint64_t{0});
    for (int o = 1; o <= goals; ++o) {
      const int p = cell(world_.goals()[o - 1]);
      for (size_t w = 0; w < words_; ++w) agents[w] &= movables_[o].agents.of(p)[w];
      for (int j = 1; j < o; ++j) {
        if (!pair_of(j, o).both.has(cell(world_.goals()[j - 1]), p)) return false;
      }
    }
    return std::any_of(agents.begin(), agents.end(), [](uint64_t word) { return word != 0; });
  }

  const World& world_;
  LimitGuard& guard_;
  uint64_t steps_left_;
  int cells_;
  size_t words_;
  int count_;
  std::array<int, kNumActions> deltas_;
  std::vector<std::vector<uint64_t>> walks_;  // by action: where the agent does not meet a wall
  std::vector<Movable> movables_;             // by object; that of the agent is empty
  std::vector<std::vector<Point>> contacts_;
  std::vector<Pair> pairs_;  // by the larger object, then by the smaller
  std::vector<std::pair<int, int>> flood_;
  std::vector<uint64_t> moving_, moved_, stopped_;  // positions of the agent
  uint64_t now_ = 0;
};

}  // namespace

std::optional<bool> goals_are_unreachable(const World& world, LimitGuard& guard,
                                          uint64_t max_steps) {
  const uint64_t objects = uint64_t(world.num_objects());
  const uint64_t cells = uint64_t(world.width()) * uint64_t(world.height());
  const uint64_t bytes = cells * cells / 8 * (9 * objects + objects * objects / 2);
  const uint64_t max_bytes = std::min<uint64_t>(kMaxBytes, guard.memory().limit());
  if (world.num_goals() == 0 || bytes > max_bytes) return std::nullopt;
  try {
    return !PairReachability(world, guard, max_steps).reaches_goals();
  } catch (const OutOfSteps&) {
    return std::nullopt;
  }
}

}  // namespace pushworld
