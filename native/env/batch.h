// A batch of environments.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/puzzle_set.h"
#include "env/random.h"
#include "env/view.h"

namespace pushworld {

// The initial view, the length and the rewards of episodes.
struct EpisodeRules {
  bool symmetries = false;   // whether to draw a random symmetry
  bool placement = false;    // a random offset in the frame, otherwise the centre
  int max_steps = 0;         // 0 for no limit
  double solved_reward = 0;  // of the step that achieves all goals
  double goal_reward = 0;    // of any other step, for each goal achieved
  double step_penalty = 0;   // of any other step
  // Potential-based shaping (Ng, Harada and Russell, 1999): discount * potential after the step -
  // potential before it is added to all rewards. The potential is -shaping * distance to the goals.
  double shaping = 0;
  double discount = 1;
};

// The caller's arrays for results, with an entry for each environment. `planes`, `positions` and
// `action_masks` may be null.
struct Outputs {
  uint8_t* planes = nullptr;        // (environments, planes, height, width)
  Coordinate* positions = nullptr;  // (environments, objects, 2), in the frame; -1 for no object
  double* rewards = nullptr;
  bool* terminated = nullptr;
  bool* truncated = nullptr;
  int64_t* achieved = nullptr;
  bool* moved = nullptr;
  int64_t* puzzles = nullptr;
  int8_t* action_masks = nullptr;  // (environments, actions), 1 for actions that move something
};

// Exactly one cache line: thousands of episodes do not fit into the cache.
struct alignas(64) Episode {
  const SetPuzzle* puzzle = nullptr;
  const Dynamics* dynamics = nullptr;
  View view;
  int steps = 0;
  uint16_t num_objects = 0;
  uint16_t num_goals = 0;
};
static_assert(sizeof(Episode) == 64);

inline constexpr int64_t kAnyPuzzle = -1;

// Environments that share a set of puzzles. Each has its own episode and random generator.
class Batch {
 public:
  // The caller must reset each environment before its first step.
  Batch(std::shared_ptr<const PuzzleSet> puzzles, size_t count, EpisodeRules rules,
        Outputs outputs);

  const PuzzleSet& puzzles() const { return *puzzles_; }
  size_t size() const { return episodes_.size(); }
  const Outputs& outputs() const { return out_; }
  // Whether every environment has been reset.
  bool is_started() const { return is_started_; }
  const Episode& episode(size_t env) const { return episodes_[env]; }
  // The top-left corner of an object in the frame.
  Point position_in_frame(size_t env, int object) const;

  void set_generator(size_t env, Pcg64 generator) { generators_[env] = generator; }

  // Starts an episode. With kAnyPuzzle, the seed determines the puzzle.
  void reset(size_t env, uint64_t seed, int64_t puzzle = kAnyPuzzle);
  // Starts an episode in each environment of `mask` (null: all) with the given puzzles (null: any).
  // The seeds come from the generators of the environments.
  void reset_all(const bool* mask, const int64_t* puzzles, int threads);

  // Applies a valid action in an environment that has been reset.
  void step(size_t env, int action);
  // Applies an action in each environment, or starts an episode where `resets` (may be null) is
  // true. Throws std::invalid_argument if an action is out of range; then nothing has changed.
  void step_all(const int64_t* actions, const bool* resets, int threads);

 private:
  void write_action_mask(size_t env);
  // Prefetch the data of a later step: first the puzzle, later what the puzzle points to.
  void prefetch_episode(size_t env) const;
  void prefetch_tables(size_t env) const;
  void draw(size_t env);
  void redraw(size_t env, const Coordinate* before, int objects);
  void write_position(size_t env, int object);
  void mark(size_t env, int object, const Coordinate* position, uint8_t value);
  Coordinate* state(size_t env) { return states_.data() + env * stride_; }
  const Coordinate* state(size_t env) const { return states_.data() + env * stride_; }

  std::shared_ptr<const PuzzleSet> puzzles_;
  EpisodeRules rules_;
  Outputs out_;
  size_t stride_;
  size_t planes_size_;
  std::vector<Episode> episodes_;
  std::vector<Coordinate> states_;
  std::vector<Pcg64> generators_;
  bool is_started_ = false;
  std::vector<int> distances_;  // of the current states, for shaping; empty without
};

}  // namespace pushworld
