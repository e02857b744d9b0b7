// An endless row of different, solvable puzzles, the same for any number of threads.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_set>
#include <vector>

#include "generate/distribution.h"
#include "generate/small_search.h"

namespace pushworld {

// All symmetric forms of a puzzle belong to the same split, whatever the seed.
enum class Split { kAny, kTrain, kTest };

struct Limits {
  int min_length = 1;
  int max_length = UINT16_MAX;
  uint32_t max_states = 0;  // a puzzle that takes the search more is left out
  Split split = Split::kAny;
};

struct MadePuzzle {
  uint64_t candidate = 0;  // which draw of the seed this is
  uint64_t hash = 0;       // that its symmetric forms share
  Draft draft;
  std::vector<uint8_t> plan;
};

// What became of the candidates.
struct Tally {
  uint64_t candidates = 0;
  uint64_t no_room = 0;
  uint64_t other_split = 0;
  uint64_t unsolvable = 0;
  uint64_t too_many_states = 0;
  uint64_t other_length = 0;
  uint64_t duplicates = 0;
};

// Candidate n is drawn from the seed and n alone, and candidates are taken in order; so what comes
// out does not depend on threads nor on how many puzzles are asked for at once.
class PuzzleStream {
 public:
  // To go on where another stream of the same seed has stopped, give the candidate to begin with
  // and the hashes of all puzzles that it made.
  PuzzleStream(Distribution distribution, Limits limits, uint64_t seed, uint64_t first_candidate,
               const std::vector<uint64_t>& made_before);
  PuzzleStream(const PuzzleStream&) = delete;

  const Distribution& distribution() const { return distribution_; }
  const Tally& tally() const { return tally_; }

  // Returns the next puzzles: at most `count`, and fewer once `max_candidates` more candidates have
  // been tried or `should_stop`, which is asked after every candidate of the calling thread, says
  // so. Puzzles that are ready by then stay for the next call.
  std::vector<MadePuzzle> take(size_t count, uint64_t max_candidates, int threads,
                               const std::function<bool()>& should_stop);

 private:
  enum class Verdict : uint8_t {
    kMade,
    kNoRoom,
    kOtherSplit,
    kUnsolvable,
    kTooManyStates,
    kOtherLength
  };
  struct Candidate {
    Verdict verdict;
    MadePuzzle puzzle;
  };

  void try_candidate(uint64_t number, SmallSearch& search, Candidate& candidate) const;
  // Returns false, with nothing changed, if it was stopped.
  bool try_block(int threads, const std::function<bool()>& should_stop);
  void judge(Candidate& candidate);
  bool is_in_split(uint64_t hash) const;

  const Distribution distribution_;
  const Limits limits_;
  const uint64_t key_;
  uint64_t next_candidate_;
  Tally tally_;
  std::vector<Candidate> block_;
  std::vector<SmallSearch> searches_;  // one a thread
  std::deque<MadePuzzle> made_;        // and not yet taken
  std::unordered_set<uint64_t> seen_;
};

}  // namespace pushworld
