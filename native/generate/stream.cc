#include "generate/stream.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "util/thread_pool.h"

namespace pushworld {
namespace {

constexpr size_t kBlock = 256;
// One puzzle in eleven is for testing, as in the published sets: 2,000 for training, 200 for
// testing.
constexpr uint64_t kTestShare = 11;

}  // namespace

PuzzleStream::PuzzleStream(Distribution distribution, PuzzleCriteria criteria, uint64_t seed,
                           uint64_t first_candidate, const std::vector<uint64_t>& made_before)
    : distribution_(std::move(distribution)),
      criteria_(criteria),
      key_(mix(seed) ^ distribution_.fingerprint()),
      next_candidate_(first_candidate),
      seen_(made_before.begin(), made_before.end()) {
  if (!SmallSearch::can_hold(distribution_.width.last + 2, distribution_.height.last + 2,
                             distribution_.max_objects())) {
    throw std::invalid_argument("puzzles of this size cannot have so many objects");
  }
}

std::vector<GeneratedPuzzle> PuzzleStream::take(size_t count, uint64_t max_fruitless, int threads,
                                                const std::function<bool()>& should_stop) {
  uint64_t end = next_candidate_ + max_fruitless;
  while (ready_.size() < count) {
    const size_t before = ready_.size();
    if (next_candidate_ >= end || !try_block(threads, should_stop)) return {};
    if (ready_.size() > before) end = next_candidate_ + max_fruitless;
  }
  const auto last = ready_.begin() + static_cast<ptrdiff_t>(count);
  std::vector<GeneratedPuzzle> taken(std::make_move_iterator(ready_.begin()),
                                     std::make_move_iterator(last));
  ready_.erase(ready_.begin(), last);
  return taken;
}

bool PuzzleStream::try_block(int threads, const std::function<bool()>& should_stop) {
  block_.resize(kBlock);
  const size_t workers = static_cast<size_t>(std::max(threads, 1));
  searches_.resize(std::max(workers, searches_.size()));
  std::atomic<size_t> next = 0;
  std::atomic<bool> stopped = false;
  ThreadPool::shared().run(workers, [&](size_t worker) {
    for (size_t i = next++; i < kBlock && !stopped; i = next++) {
      try_candidate(next_candidate_ + i, searches_[worker], block_[i]);
      if (worker == 0 && should_stop()) stopped = true;
    }
  });
  if (stopped) return false;
  for (auto& [verdict, puzzle] : block_) {
    if (verdict == Verdict::kAccepted) {
      if (seen_.insert(puzzle.hash).second) {
        ready_.push_back(std::move(puzzle));
      } else {
        verdict = Verdict::kDuplicate;
      }
    }
    ++tally_[static_cast<size_t>(verdict)];
  }
  next_candidate_ += kBlock;
  return true;
}

void PuzzleStream::try_candidate(uint64_t number, SmallSearch& search, Candidate& candidate) const {
  Random random(key_, number);
  GeneratedPuzzle& puzzle = candidate.puzzle;
  puzzle.candidate = number;
  candidate.verdict = [&] {
    if (!draw(distribution_, random, puzzle.draft)) return Verdict::kNoRoom;
    puzzle.hash = canonical_hash(puzzle.draft);
    if (!is_in_split(puzzle.hash)) return Verdict::kOtherSplit;
    if (seen_.contains(puzzle.hash)) return Verdict::kDuplicate;
    const Proof proof = search.solve(puzzle.draft, criteria_.max_states);
    if (proof == Proof::kUnsolvable) return Verdict::kUnsolvable;
    if (proof == Proof::kTooManyStates) return Verdict::kTooManyStates;
    puzzle.plan = search.plan();
    const int length = static_cast<int>(puzzle.plan.size());
    if (length < criteria_.min_length || length > criteria_.max_length)
      return Verdict::kOtherLength;
    return Verdict::kAccepted;
  }();
}

bool PuzzleStream::is_in_split(uint64_t hash) const {
  if (criteria_.split == Split::kAny) return true;
  return (mix(hash) % kTestShare == 0) == (criteria_.split == Split::kTest);
}

}  // namespace pushworld
