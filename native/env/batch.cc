#include "env/batch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "util/platform.h"
#include "util/thread_pool.h"

namespace pushworld {
namespace {

constexpr size_t kMinRange = 512;        // environments per thread
constexpr size_t kPrefetchDistance = 5;  // environments between the two steps of prefetching
constexpr size_t kLine = 64;             // bytes of a cache line

}  // namespace

Batch::Batch(std::shared_ptr<const PuzzleSet> puzzles, size_t count, EpisodeRules rules,
             Outputs outputs)
    : puzzles_(std::move(puzzles)),
      rules_(rules),
      out_(outputs),
      stride_(2 * static_cast<size_t>(puzzles_->frame().objects)),
      planes_size_(puzzles_->frame().planes_size()),
      episodes_(count),
      states_(count * stride_),
      generators_(count),
      distances_(rules.shaping == 0 ? 0 : count) {
  if (puzzles_->size() == 0) throw std::invalid_argument("the set has no puzzles");
}

Point Batch::position_in_frame(size_t env, int object) const {
  const Coordinate* position = state(env) + 2 * object;
  return episodes_[env].view.corner({position[0], position[1]},
                                    episodes_[env].puzzle->world().shape_of(object));
}

void Batch::reset(size_t env, uint64_t seed, int64_t puzzle) {
  EpisodeRandom random(seed);
  const ObservationSize& frame = puzzles_->frame();
  const int any = random.below(puzzles_->size());
  const int index = puzzle == kAnyPuzzle ? any : static_cast<int>(puzzle);
  Episode& episode = episodes_[env];
  episode.puzzle = &(*puzzles_)[index];
  episode.dynamics = episode.puzzle->dynamics.get();
  episode.steps = 0;
  const World& world = episode.puzzle->world();
  episode.num_objects = static_cast<uint16_t>(world.num_objects());
  episode.num_goals = static_cast<uint16_t>(world.num_goals());
  const Point size{world.width(), world.height()};
  const int longest = std::max(size.x, size.y);
  const bool turns = longest <= std::min(frame.width, frame.height);
  const int symmetry = !rules_.symmetries ? 0
                       : turns ? random.below(kNumSymmetries)
                               : kUprightSymmetries[random.below(kUprightSymmetries.size())];
  const Point turned = turned_size(symmetry, size);
  const Point spare = Point{frame.width, frame.height} - turned;
  const Point offset = rules_.placement
                           ? Point{random.below(spare.x + 1), random.below(spare.y + 1)}
                           : Point{spare.x / 2, spare.y / 2};
  episode.view = View(symmetry, size, offset, frame.width);

  Coordinate* positions = state(env);
  for (const Point start : world.start()) {
    *positions++ = static_cast<Coordinate>(start.x);
    *positions++ = static_cast<Coordinate>(start.y);
  }
  out_.rewards[env] = 0;
  out_.terminated[env] = false;
  out_.truncated[env] = false;
  out_.achieved[env] = episode.dynamics->achieved_goals(state(env));
  out_.moved[env] = false;
  out_.puzzles[env] = index;
  if (!distances_.empty()) distances_[env] = episode.puzzle->distance(state(env));
  if (out_.action_masks) write_action_mask(env);
  draw(env);
}

void Batch::reset_all(const bool* mask, const int64_t* puzzles, int threads) {
  parallel_for(size(), kMinRange, threads, [&](size_t begin, size_t end) {
    for (size_t env = begin; env < end; ++env) {
      if (mask && !mask[env]) continue;
      reset(env, generators_[env].next(), puzzles ? puzzles[env] : kAnyPuzzle);
    }
  });
  const auto has_puzzle = [](const Episode& episode) { return episode.puzzle != nullptr; };
  is_started_ = is_started_ || std::all_of(episodes_.begin(), episodes_.end(), has_puzzle);
}

void Batch::step(size_t env, int action) {
  Episode& episode = episodes_[env];
  std::array<Coordinate, 2 * kMaxObjects> before;
  Coordinate* after = state(env);
  const size_t size = 2 * size_t{episode.num_objects};
  std::memcpy(before.data(), after, size * sizeof(Coordinate));

  const bool moved = episode.dynamics->step(after, episode.view.puzzle_action(action));
  const int64_t achieved_before = out_.achieved[env];
  int64_t achieved = achieved_before;
  if (moved) {
    const bool pushed = std::memcmp(before.data() + 2, after + 2, (size - 2) * sizeof(Coordinate));
    if (pushed) achieved = episode.dynamics->achieved_goals(after);
    redraw(env, before.data(), pushed ? episode.num_objects : 1);
    if (out_.action_masks) write_action_mask(env);
  }
  const bool solved = episode.num_goals > 0 && achieved == episode.num_goals;
  const double progress = rules_.goal_reward * static_cast<double>(achieved - achieved_before);
  out_.rewards[env] = solved ? rules_.solved_reward : progress - rules_.step_penalty;
  if (!distances_.empty()) {
    const int distance_before = distances_[env];
    if (moved) distances_[env] = episode.puzzle->distance(after);
    out_.rewards[env] += rules_.shaping * (distance_before - rules_.discount * distances_[env]);
  }
  out_.terminated[env] = solved;
  out_.truncated[env] = rules_.max_steps > 0 && ++episode.steps >= rules_.max_steps;
  out_.achieved[env] = achieved;
  out_.moved[env] = moved;
}

void Batch::step_all(const int64_t* actions, const bool* resets, int threads) {
  uint64_t largest = 0;
  for (size_t i = 0; i < size(); ++i) {
    largest = std::max(largest, static_cast<uint64_t>(actions[i]));
  }
  if (largest >= kNumActions) throw std::invalid_argument("actions must be 0, 1, 2 or 3");
  parallel_for(size(), kMinRange, threads, [&](size_t begin, size_t end) {
    for (size_t env = begin; env < end; ++env) {
      if (env + 2 * kPrefetchDistance < end) prefetch_episode(env + 2 * kPrefetchDistance);
      if (env + kPrefetchDistance < end) prefetch_tables(env + kPrefetchDistance);
      if (resets && resets[env]) {
        reset(env, generators_[env].next());
      } else {
        step(env, static_cast<int>(actions[env]));
      }
    }
  });
}

void Batch::write_action_mask(size_t env) {
  const Episode& episode = episodes_[env];
  const unsigned moving = episode.dynamics->moving_actions(state(env));
  int8_t* mask = out_.action_masks + env * kNumActions;
  for (int action = 0; action < kNumActions; ++action) {
    mask[action] = static_cast<int8_t>(moving >> episode.view.puzzle_action(action) & 1);
  }
}

void Batch::prefetch_episode(size_t env) const {
  const Episode& episode = episodes_[env];
  pushworld::prefetch(episode.puzzle);
  const char* dynamics = reinterpret_cast<const char*>(episode.dynamics);
  for (size_t at = 0; at < sizeof(Dynamics); at += kLine) pushworld::prefetch(dynamics + at);
}

void Batch::prefetch_tables(size_t env) const {
  const Episode& episode = episodes_[env];
  const Coordinate* positions = state(env);
  episode.dynamics->prefetch(positions);
  if (!out_.planes) return;
  pushworld::prefetch(episode.puzzle->objects.data());
  pushworld::prefetch(episode.puzzle->cells.data());
  const int agent = episode.view.cell_index(positions[0], positions[1]);
  prefetch_for_write(out_.planes + env * planes_size_ + agent);
}

// Writes the complete observation of an environment.
void Batch::draw(size_t env) {
  const ObservationSize& frame = puzzles_->frame();
  const Episode& episode = episodes_[env];
  const SetPuzzle& puzzle = *episode.puzzle;
  const World& world = puzzle.world();
  if (out_.planes) {
    uint8_t* planes = out_.planes + env * frame.planes_size();
    std::memset(planes, 0, frame.planes_size());
    uint8_t* walls = planes + kWallPlane * frame.cells();
    std::memset(walls, 1, frame.cells());
    for (const Point cell : puzzle.free_cells) walls[episode.view.cell_index(cell.x, cell.y)] = 0;
    uint8_t* agent_walls = planes + kAgentWallPlane * frame.cells();
    for (const Point cell : puzzle.agent_walls) {
      agent_walls[episode.view.cell_index(cell.x, cell.y)] = 1;
    }
    for (int goal = 0; goal < world.num_goals(); ++goal) {
      uint8_t* plane = planes + frame.goal_plane(goal) * frame.cells();
      const Point corner = world.goals()[goal];
      for (const Point cell : world.shape_of(goal + 1).cells) {
        plane[episode.view.cell_index(corner.x + cell.x, corner.y + cell.y)] = 1;
      }
    }
    for (int object = 0; object < world.num_objects(); ++object) {
      mark(env, object, state(env) + 2 * object, 1);
    }
  }
  if (out_.positions) {
    for (int object = 0; object < frame.objects; ++object) write_position(env, object);
  }
}

// Updates the observation after a step that moved at most the first `objects` objects.
void Batch::redraw(size_t env, const Coordinate* before, int objects) {
  const Coordinate* after = state(env);
  const auto for_each_moved = [&](auto&& change) {
    for (int object = 0; object < objects; ++object) {
      const int i = 2 * object;
      if (before[i] != after[i] || before[i + 1] != after[i + 1]) change(object);
    }
  };
  if (out_.planes) {
    // Objects may share a plane, so clear all old cells before setting new ones.
    for_each_moved([&](int object) { mark(env, object, before + 2 * object, 0); });
    for_each_moved([&](int object) { mark(env, object, after + 2 * object, 1); });
  }
  if (out_.positions) for_each_moved([&](int object) { write_position(env, object); });
}

void Batch::mark(size_t env, int object, const Coordinate* position, uint8_t value) {
  const Episode& episode = episodes_[env];
  const SetPuzzle& puzzle = *episode.puzzle;
  const ObjectCells& where = puzzle.objects[object];
  uint8_t* corner = out_.planes + env * planes_size_ + where.plane_begin +
                    episode.view.cell_index(position[0], position[1]);
  for (uint32_t i = where.begin; i < where.end; ++i) {
    corner[episode.view.index_step(puzzle.cells[i].x, puzzle.cells[i].y)] = value;
  }
}

void Batch::write_position(size_t env, int object) {
  const bool exists = object < episodes_[env].num_objects;
  const Point corner = exists ? position_in_frame(env, object) : Point{-1, -1};
  Coordinate* position = out_.positions + env * stride_ + 2 * object;
  position[0] = static_cast<Coordinate>(corner.x);
  position[1] = static_cast<Coordinate>(corner.y);
}

}  // namespace pushworld
