#include "generate/small_search.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pushworld {
namespace {

constexpr uint8_t kNothing = 0;
constexpr uint8_t kWall = UINT8_MAX;
constexpr uint8_t kMovables = 1;
constexpr uint8_t kWalked = 2;

int bits_of_position(int width, int height) {
  return std::bit_width(static_cast<unsigned>(width * height - 1));
}

}  // namespace

bool SmallSearch::can_hold(int width, int height, int num_objects) {
  return num_objects <= PushBound::kMaxDraftObjects &&
         num_objects <= 2 * (64 / bits_of_position(width, height));
}

Proof SmallSearch::solve(const Draft& draft, uint32_t max_states) {
  prepare(draft);
  State start{};
  for (int object = 0; object < num_objects_; ++object) {
    const Point p = draft.objects[object].start;
    start[object] = static_cast<Position>(p.y * draft.width + p.x);
  }
  reach(start, StateTable::kNone, 0, 0);
  for (size_t total = 0; total < open_.size(); ++total) {
    while (!open_[total].empty()) {
      const uint32_t node = open_[total].back();
      open_[total].pop_back();
      if (table_[node].closed) continue;
      table_[node].closed = true;
      if (bound_.is_solved(unpack(table_[node].key))) {
        write_plan(node);
        return Proof::kSolved;
      }
      expand(node);
      if (table_.size() > max_states) return Proof::kTooManyStates;
    }
  }
  return Proof::kUnsolvable;
}

void SmallSearch::prepare(const Draft& draft) {
  num_objects_ = static_cast<int>(draft.objects.size());
  num_goals_ = draft.num_goals;
  bits_ = bits_of_position(draft.width, draft.height);
  grid_.assign(static_cast<size_t>(draft.width) * draft.height, kNothing);
  for (int x = 0; x < draft.width; ++x) {
    grid_[x] = grid_[grid_.size() - 1 - x] = kWall;
  }
  for (int y = 0; y < draft.height; ++y) {
    grid_[y * draft.width] = grid_[(y + 1) * draft.width - 1] = kWall;
  }
  for (const Point wall : draft.walls) grid_[wall.y * draft.width + wall.x] = kWall;
  bound_.prepare(draft, grid_);
  cells_.resize(num_objects_);
  for (int object = 0; object < num_objects_; ++object) {
    cells_[object].clear();
    for (const Point cell : *draft.objects[object].shape) {
      cells_[object].push_back(cell.y * draft.width + cell.x);
    }
  }
  next_equal_.assign(num_objects_, 0);
  for (int object = num_goals_ + 1; object < num_objects_; ++object) {
    for (int other = num_objects_ - 1; other > object; --other) {
      if (*draft.objects[object].shape == *draft.objects[other].shape) next_equal_[object] = other;
    }
  }
  for (int action = 0; action < kNumActions; ++action) {
    deltas_[action] = kDeltas[action].y * draft.width + kDeltas[action].x;
  }
  for (auto& nodes : open_) nodes.clear();
  agent_grid_.assign(grid_.size(), kWall);
  for (size_t place = 0; place < grid_.size(); ++place) {
    if (bound_.is_legal(0, static_cast<Position>(place))) agent_grid_[place] = kNothing;
  }
  steps_.resize(grid_.size());
  table_.clear();
}

StateTable::Key SmallSearch::pack(const State& state) const {
  StateTable::Key key = {0, 0};
  const int in_first = 64 / bits_;
  for (int object = 0; object < num_objects_; ++object) {
    uint64_t& word = key[object >= in_first];
    word = word << bits_ | state[object];
  }
  return key;
}

SmallSearch::State SmallSearch::unpack(StateTable::Key key) const {
  State state{};
  const int in_first = 64 / bits_;
  for (int object = num_objects_ - 1; object >= 0; --object) {
    uint64_t& word = key[object >= in_first];
    state[object] = static_cast<Position>(word & ((uint64_t{1} << bits_) - 1));
    word >>= bits_;
  }
  return state;
}

void SmallSearch::canonicalize(State& state) const {
  for (int object = num_objects_ - 1; object > num_goals_; --object) {
    for (int here = object; next_equal_[here] && state[here] > state[next_equal_[here]];
         here = next_equal_[here]) {
      std::swap(state[here], state[next_equal_[here]]);
    }
  }
}

void SmallSearch::reach(State& state, uint32_t parent, int action, int cost) {
  if (!bound_.is_alive(state)) return;
  canonicalize(state);
  const uint32_t number = table_.find_or_add(pack(state));
  StateTable::Node& node = table_[number];
  if (cost >= node.cost) return;
  node.cost = static_cast<uint16_t>(cost);
  node.parent = parent;
  node.action = static_cast<uint8_t>(action);
  const size_t total = static_cast<size_t>(cost) + bound_(state);
  if (total >= open_.size()) open_.resize(total + 1);
  open_[total].push_back(number);
}

void SmallSearch::expand(uint32_t number) {
  const int cost = table_[number].cost;
  const State state = unpack(table_[number].key);
  add_movables(state);
  walk(state[0], [&](Position place, int action) {
    State child = state;
    child[0] = place;
    if (push(child, action)) reach(child, number, action, cost + steps_[place] + 1);
  });
  remove_movables(state);
}

void SmallSearch::add_movables(const State& state) {
  for (int object = 1; object < num_objects_; ++object) {
    for (const int cell : cells_[object]) {
      grid_[state[object] + cell] = static_cast<uint8_t>(1 + object);
      for (const int agent_cell : cells_[0]) {
        const int place = state[object] + cell - agent_cell;
        if (place > 0 && agent_grid_[place] == kNothing) agent_grid_[place] = kMovables;
      }
    }
  }
}

void SmallSearch::remove_movables(const State& state) {
  for (int object = 1; object < num_objects_; ++object) {
    for (const int cell : cells_[object]) {
      grid_[state[object] + cell] = kNothing;
      for (const int agent_cell : cells_[0]) {
        const int place = state[object] + cell - agent_cell;
        if (place > 0 && agent_grid_[place] == kMovables) agent_grid_[place] = kNothing;
      }
    }
  }
  for (const Position place : walked_) agent_grid_[place] = kNothing;
}

template <typename OnPush>
void SmallSearch::walk(Position from, const OnPush& on_push) {
  walked_.assign(1, from);
  agent_grid_[from] = kWalked;
  steps_[from] = 0;
  for (size_t next = 0; next < walked_.size(); ++next) {
    const Position place = walked_[next];
    for (int action = 0; action < kNumActions; ++action) {
      const int beyond = place + deltas_[action];
      if (agent_grid_[beyond] == kNothing) {
        agent_grid_[beyond] = kWalked;
        steps_[beyond] = static_cast<uint16_t>(steps_[place] + 1);
        walked_.push_back(static_cast<Position>(beyond));
      } else if (agent_grid_[beyond] == kMovables) {
        on_push(place, action);
      }
    }
  }
}

bool SmallSearch::push(State& state, int action) const {
  const int delta = deltas_[action];
  std::array<uint8_t, PushBound::kMaxDraftObjects> moving;
  int count = 1;
  moving[0] = 0;
  uint32_t is_moving = 1;
  for (int next = 0; next < count; ++next) {
    const int object = moving[next];
    for (const int cell : cells_[object]) {
      const uint8_t found = grid_[state[object] + cell + delta];
      if (found == kNothing) continue;
      if (found == kWall) return false;
      if (is_moving >> (found - 1) & 1) continue;
      is_moving |= 1u << (found - 1);
      moving[count++] = static_cast<uint8_t>(found - 1);
    }
  }
  for (int i = 0; i < count; ++i) {
    state[moving[i]] = static_cast<Position>(state[moving[i]] + delta);
  }
  return true;
}

// Writes the plan backward and then reverses it.
void SmallSearch::write_plan(uint32_t node) {
  plan_.clear();
  for (; table_[node].parent != StateTable::kNone; node = table_[node].parent) {
    const int action = table_[node].action;
    plan_.push_back(static_cast<uint8_t>(action));
    const int place = unpack(table_[node].key)[0] - deltas_[action];
    write_walk(unpack(table_[table_[node].parent].key), static_cast<Position>(place));
  }
  std::reverse(plan_.begin(), plan_.end());
}

void SmallSearch::write_walk(const State& state, Position to) {
  add_movables(state);
  walk(state[0], [](Position, int) {});
  for (int place = to; place != state[0];) {
    for (int action = 0; action < kNumActions; ++action) {
      const int before = place - deltas_[action];
      if (agent_grid_[before] == kWalked && steps_[before] + 1 == steps_[place]) {
        plan_.push_back(static_cast<uint8_t>(action));
        place = before;
        break;
      }
    }
  }
  remove_movables(state);
}

}  // namespace pushworld
