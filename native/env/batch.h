// Many environments, each with its own episode, stepped and observed at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/puzzle_set.h"
#include "env/random.h"
#include "env/view.h"

namespace pushworld {

// How episodes begin and end, and what their steps are worth.
struct EpisodeRules {
  bool symmetries = false;  // a random symmetry, else none
  bool placement = false;   // a random place in the frame, else the centre
  int max_steps = 0;        // 0 for no limit
  double solved_reward = 0;
  double step_penalty = 0;
};

// Where results go: arrays with one entry for each environment, kept by the caller. Either kind of
// observation may be absent.
struct Outputs {
  uint8_t* planes = nullptr;        // (environments, planes, height, width)
  Coordinate* positions = nullptr;  // (environments, objects, 2), in the frame; -1 for no object
  double* rewards = nullptr;
  bool* terminated = nullptr;
  bool* truncated = nullptr;
  int64_t* achieved = nullptr;
  bool* moved = nullptr;
  int64_t* puzzles = nullptr;
};

// One line of a cache, because thousands of episodes do not stay in one.
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

class Batch {
 public:
  // Every environment needs a `reset` or `reset_all` before its first step.
  Batch(std::shared_ptr<const PuzzleSet> puzzles, size_t count, EpisodeRules rules,
        Outputs outputs);

  const PuzzleSet& puzzles() const { return *puzzles_; }
  size_t size() const { return episodes_.size(); }
  const Outputs& outputs() const { return out_; }
  const Episode& episode(size_t env) const { return episodes_[env]; }
  // The corner of an object in the frame.
  Point seen_position(size_t env, int object) const;

  void set_generator(size_t env, Pcg64 generator) { generators_[env] = generator; }

  // Begins an episode; its puzzle follows from the seed unless one is given.
  void reset(size_t env, uint64_t seed, int64_t puzzle = kAnyPuzzle);
  // Begins an episode in each environment that `mask` (null: all) marks, with seeds from their own
  // generators and the given puzzles (null: any).
  void reset_all(const bool* mask, const int64_t* puzzles, int threads);

  // Takes a step. The action must be valid and the environment in an episode.
  void step(size_t env, int action);
  // Takes a step in every environment, or begins an episode where `resets` (may be null) says so.
  // Throws std::invalid_argument, before anything is changed, if an action is out of range.
  void step_all(const int64_t* actions, const bool* resets, int threads);

 private:
  // Asks the memory for what a later step will read.
  void prefetch(size_t env) const;
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
};

}  // namespace pushworld
