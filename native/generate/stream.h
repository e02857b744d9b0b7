// An endless stream of different, solvable puzzles.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_set>
#include <vector>

#include "generate/distribution.h"
#include "generate/small_search.h"

namespace pushworld {

// The canonical hash determines the split. So all symmetric forms of a puzzle are in the same
// split, for every seed.
enum class Split { kAny, kTrain, kTest };

struct PuzzleCriteria {
  int min_length = 1;
  int max_length = UINT16_MAX;
  uint32_t max_states = 0;  // of the search that solves the puzzle
  Split split = Split::kAny;
};

struct GeneratedPuzzle {
  uint64_t candidate = 0;  // the number of the candidate
  uint64_t hash = 0;       // the canonical hash
  Draft draft;
  std::vector<uint8_t> plan;
};

// What becomes of a candidate, and the public names of why it is rejected, in the same order.
enum class Verdict : uint8_t {
  kAccepted,
  kNoRoom,
  kOtherSplit,
  kUnsolvable,
  kTooManyStates,
  kOtherLength,
  kDuplicate
};
inline constexpr std::array<const char*, 7> kVerdictNames = {
    "accepted",        "no_room",      "other_split", "unsolvable",
    "too_many_states", "other_length", "duplicates"};
// The number of candidates of each verdict.
using Tally = std::array<uint64_t, kVerdictNames.size()>;

// Draws candidates 0, 1, ... and keeps those that meet the criteria. Candidate n depends on the
// distribution, the seed and n only, and accepted candidates stay in order. So the stream does not
// depend on the number of threads or on the counts passed to `take`.
class PuzzleStream {
 public:
  // To continue an earlier stream of the same seed, pass its next candidate and the hashes of all
  // its puzzles.
  PuzzleStream(Distribution distribution, PuzzleCriteria criteria, uint64_t seed,
               uint64_t first_candidate, const std::vector<uint64_t>& made_before);
  PuzzleStream(const PuzzleStream&) = delete;

  const Distribution& distribution() const { return distribution_; }
  const Tally& tally() const { return tally_; }

  // Returns the next `count` puzzles. The calling thread calls `should_stop` after each of its
  // candidates. If that returns true, or if `max_fruitless` candidates in a row give no puzzle,
  // `take` returns nothing and keeps the puzzles that are ready for the next call.
  std::vector<GeneratedPuzzle> take(size_t count, uint64_t max_fruitless, int threads,
                                    const std::function<bool()>& should_stop);

 private:
  struct Candidate {
    Verdict verdict;
    GeneratedPuzzle puzzle;
  };

  void try_candidate(uint64_t number, SmallSearch& search, Candidate& candidate) const;
  // Returns false and changes nothing if `should_stop` returned true.
  bool try_block(int threads, const std::function<bool()>& should_stop);
  bool is_in_split(uint64_t hash) const;

  const Distribution distribution_;
  const PuzzleCriteria criteria_;
  const uint64_t key_;
  uint64_t next_candidate_;
  Tally tally_{};
  std::vector<Candidate> block_;
  std::vector<SmallSearch> searches_;  // one per thread
  std::deque<GeneratedPuzzle> ready_;  // accepted, not yet taken
  std::unordered_set<uint64_t> seen_;
};

}  // namespace pushworld
