#include "engine/dynamics.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "util/thread_pool.h"

namespace pushworld {

std::vector<Coordinate> coordinates_of(const std::vector<Point>& positions) {
  std::vector<Coordinate> state;
  for (const Point at : positions) {
    state.push_back(static_cast<Coordinate>(at.x));
    state.push_back(static_cast<Coordinate>(at.y));
  }
  return state;
}

std::vector<Point> points_of(const std::vector<Coordinate>& state) {
  std::vector<Point> positions;
  for (size_t i = 0; i < state.size(); i += 2) positions.push_back({state[i], state[i + 1]});
  return positions;
}

Dynamics::Dynamics(std::shared_ptr<const World> world, const Checkpoint& checkpoint)
    : world_(std::move(world)),
      num_objects_(world_->num_objects()),
      pushes_(*world_, checkpoint),
      row_words_(static_cast<size_t>(world_->width() + 63) / 64) {
  const size_t grid_words = row_words_ * world_->height();
  std::vector<const BitGrid*> known;
  std::vector<size_t> begin;
  blocked_.reserve(kNumActions * grid_words * (world_->num_shapes() + 1));
  for (int object = 0; object < world_->num_objects(); ++object) {
    shape_of_.push_back(world_->shape_id(object));
    const BitGrid* legal = &world_->legal(object);
    const auto same = std::find(known.begin(), known.end(), legal);
    if (same != known.end()) {
      blocked_begin_.push_back(begin[same - known.begin()]);
      continue;
    }
    known.push_back(legal);
    begin.push_back(blocked_.size());
    blocked_begin_.push_back(blocked_.size());
    const size_t first = blocked_.size();
    blocked_.resize(first + kNumActions * grid_words);
    for (int action = 0; action < kNumActions; ++action) {
      BitGrid open(world_->width(), world_->height());
      open.add_moved(*legal, Point{} - kDeltas[action]);
      for (size_t word = 0; word < grid_words; ++word) {
        blocked_[first + kNumActions * word + action] = ~open.row(0)[word];
      }
      checkpoint(open.bytes());
    }
  }
  if (pushes_.is_narrow() && world_->num_objects() <= 64) {
    object_pairs_.reserve(shape_of_.size() * shape_of_.size());
    checkpoint(object_pairs_.capacity() * sizeof(PushTable::Pair));
    for (const int pusher : shape_of_) {
      for (const int pushed : shape_of_) object_pairs_.push_back(pushes_.pair(pusher, pushed));
    }
    for (size_t begin = 0; state_size() >= 8 && begin < state_size(); begin += 8) {
      Window& window = windows_.emplace_back();
      window.begin = std::min(begin, state_size() - 8);
      for (size_t lane = 0; lane < 8; ++lane) {
        const size_t object = (window.begin + lane) / 2;
        const PushTable::Pair& pair = object_pairs_[object];
        const bool is_x = lane % 2 == 0;
        window.bias[lane] = static_cast<uint16_t>(is_x ? pair.bias_x : pair.bias_y);
        // The agent does not push itself.
        window.limit[lane] = object == 0 ? 0 : is_x ? pair.columns : pair.rows;
      }
    }
  }
}

int Dynamics::moving_objects(const Coordinate* state, int action, uint16_t* moving) const {
  if (is_blocked(action, 0, state[0], state[1])) return 0;
  // The array holds all objects: first those that move, then the others.
  const int n = world_->num_objects();
  for (int i = 0; i < n; ++i) moving[i] = static_cast<uint16_t>(i);
  int count = 1;
  for (int next = 0; next < count; ++next) {
    const int pusher = moving[next];
    const int pusher_shape = shape_of_[pusher];
    const Point from{state[2 * pusher], state[2 * pusher + 1]};
    for (int k = count; k < n; ++k) {
      const int other = moving[k];
      const Coordinate x = state[2 * other];
      const Coordinate y = state[2 * other + 1];
      if (pushes_.pushes(action, pusher_shape, shape_of_[other], Point{x, y} - from)) {
        if (is_blocked(action, other, x, y)) return 0;
        std::swap(moving[k], moving[count++]);
      }
    }
  }
  return count;
}

bool Dynamics::is_near_something(const Coordinate* state) const {
  const uint16_t x = static_cast<uint16_t>(state[0]);
  const uint16_t y = static_cast<uint16_t>(state[1]);
  const Lanes agent = {x, y, x, y, x, y, x, y};
  uint64_t near = 0;
  for (const Window& window : windows_) {
    Lanes position, inside;
    std::memcpy(position.data(), state + window.begin, sizeof(Lanes));
    // Compilers make this loop a few vector instructions.
    for (size_t i = 0; i < inside.size(); ++i) {
      const auto biased = static_cast<uint16_t>(position[i] - agent[i] + window.bias[i]);
      inside[i] = biased < window.limit[i] ? 0xffff : 0;
    }
    // The x and the y of an object are the two halves of a 32-bit lane. Both must be inside.
    uint64_t words[2];
    std::memcpy(words, inside.data(), sizeof(words));
    near |= (words[0] & words[0] >> 16) | (words[1] & words[1] >> 16);
  }
  return near & 0x0000ffff0000ffff;
}

inline uint64_t Dynamics::pushed_by_agent(const Coordinate* state, int action) const {
  uint64_t pushed = 0;
  for (int k = 1; k < num_objects_; ++k) {
    const bool hit = pushes_.narrow_pushes(action, object_pairs_[k], state[2 * k] - state[0],
                                           state[2 * k + 1] - state[1]);
    pushed |= uint64_t{hit} << k;
  }
  return pushed;
}

// `step` for few objects: a set of objects is one word, and there is no branch for each object.
inline bool Dynamics::step_small(Coordinate* state, int action) const {
  uint64_t pushed = 0;
  if (windows_.empty() || is_near_something(state)) pushed = pushed_by_agent(state, action);
  if (pushed) {
    const uint64_t moving = moving_with(state, action, pushed);
    for (uint64_t rest = moving; rest; rest &= rest - 1) {
      Coordinate* position = state + 2 * std::countr_zero(rest);
      position[0] = static_cast<Coordinate>(position[0] + kDeltas[action].x);
      position[1] = static_cast<Coordinate>(position[1] + kDeltas[action].y);
    }
    return moving;
  }
  const bool moves = !is_blocked(action, 0, state[0], state[1]);
  state[0] = static_cast<Coordinate>(state[0] + kDeltas[action].x * moves);
  state[1] = static_cast<Coordinate>(state[1] + kDeltas[action].y * moves);
  return moves;
}

uint64_t Dynamics::moving_with(const Coordinate* state, int action, uint64_t pushed) const {
  const int n = num_objects_;
  if (is_blocked(action, 0, state[0], state[1])) return 0;
  uint64_t standing = ((uint64_t{2} << (n - 1)) - 2) & ~pushed;
  for (uint64_t frontier = pushed; frontier;) {
    const int pusher = std::countr_zero(frontier);
    frontier &= frontier - 1;
    const Coordinate x = state[2 * pusher];
    const Coordinate y = state[2 * pusher + 1];
    if (is_blocked(action, pusher, x, y)) return 0;
    const PushTable::Pair* pairs = &object_pairs_[static_cast<size_t>(pusher) * n];
    uint64_t next = 0;
    for (uint64_t rest = standing; rest; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      const bool hit =
          pushes_.narrow_pushes(action, pairs[k], state[2 * k] - x, state[2 * k + 1] - y);
      next |= uint64_t{hit} << k;
    }
    standing ^= next;
    pushed |= next;
    frontier |= next;
  }
  return pushed | 1;
}

unsigned Dynamics::moving_actions(const Coordinate* state) const {
  unsigned moving = 0;
  if (object_pairs_.empty()) {
    uint16_t objects[kMaxObjects];
    for (int action = 0; action < kNumActions; ++action) {
      moving |= unsigned{moving_objects(state, action, objects) > 0} << action;
    }
    return moving;
  }
  std::array<uint64_t, kNumActions> pushed{};
  if (windows_.empty() || is_near_something(state)) {
    for (int k = 1; k < num_objects_; ++k) {
      const unsigned pushing = pushes_.narrow_pushing_actions(
          object_pairs_[k], state[2 * k] - state[0], state[2 * k + 1] - state[1]);
      if (!pushing) continue;
      for (int action = 0; action < kNumActions; ++action) {
        pushed[action] |= uint64_t{pushing >> action & 1} << k;
      }
    }
  }
  for (int action = 0; action < kNumActions; ++action) {
    const bool moves = pushed[action] ? moving_with(state, action, pushed[action]) != 0
                                      : !is_blocked(action, 0, state[0], state[1]);
    moving |= unsigned{moves} << action;
  }
  return moving;
}

bool Dynamics::step(Coordinate* state, int action) const {
  if (!object_pairs_.empty()) return step_small(state, action);
  uint16_t moving[kMaxObjects];
  const int count = moving_objects(state, action, moving);
  const Coordinate dx = static_cast<Coordinate>(kDeltas[action].x);
  const Coordinate dy = static_cast<Coordinate>(kDeltas[action].y);
  for (int k = 0; k < count; ++k) {
    Coordinate* position = state + 2 * moving[k];
    position[0] = static_cast<Coordinate>(position[0] + dx);
    position[1] = static_cast<Coordinate>(position[1] + dy);
  }
  return count > 0;
}

int Dynamics::achieved_goals(const Coordinate* state) const {
  int achieved = 0;
  for (int i = 0; i < world_->num_goals(); ++i) {
    const Point goal = world_->goals()[i];
    achieved += state[2 * i + 2] == goal.x && state[2 * i + 3] == goal.y;
  }
  return achieved;
}

void Dynamics::check_states(const Coordinate* states, size_t count) const {
  bool bad = false;
  for (size_t i = 0; i < count * state_size(); i += 2) {
    bad |= static_cast<uint16_t>(states[i]) >= world_->width();
    bad |= static_cast<uint16_t>(states[i + 1]) >= world_->height();
  }
  if (bad) throw std::invalid_argument("a state has a position outside the world");
}

void Dynamics::step_batch(Coordinate* states, const uint8_t* actions, size_t count, uint8_t* moved,
                          int threads) const {
  check_states(states, count);
  uint8_t largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, actions[i]);
  if (largest >= kNumActions) throw std::invalid_argument("actions must be 0, 1, 2 or 3");
  constexpr size_t kMinRange = 1024;
  parallel_for(count, kMinRange, threads, [&](size_t begin, size_t end) {
    step_range(states + begin * state_size(), actions + begin, end - begin,
               moved ? moved + begin : nullptr);
  });
}

void Dynamics::step_range(Coordinate* states, const uint8_t* actions, size_t count,
                          uint8_t* moved) const {
  const size_t size = state_size();
  const bool small = !object_pairs_.empty();
  for (size_t i = 0; i < count; ++i) {
    Coordinate* state = states + i * size;
    const bool effect = small ? step_small(state, actions[i]) : step(state, actions[i]);
    if (moved) moved[i] = effect;
  }
}

std::vector<Coordinate> state_after(const Dynamics& dynamics, const std::vector<Point>& positions,
                                    const std::vector<uint8_t>& actions) {
  std::vector<Coordinate> state = coordinates_of(positions);
  for (const uint8_t action : actions) dynamics.step(state.data(), action);
  return state;
}

}  // namespace pushworld
