// Strategies of the push search as values: which open lists it has, and what it commits to.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace pushworld {

// The sets by which an open list tells states apart.
enum class PushFeature {
  kDisplaced,   // the objects that are not where they were at the start
  kGoalFacts,   // the goals that hold, and the pairs of goal objects that stand as their goals do
  kMoved,       // the objects that the last push moved
  kAffordances  // what the state before the last push offered (see commitment.h)
};
inline constexpr std::array<std::string_view, 4> kFeatureNames = {"displaced", "goal-facts",
                                                                  "moved", "affordances"};

// The values that order the states of an open list or of a bucket, the lowest first.
enum class PushEvaluator {
  kNovelty,    // see pair_novelty.h
  kRgd,        // the recursive graph distance with at most two tools
  kGuidedCost  // pushes so far + 2 x pushes still needed + 4 x blockers (manipulation_heuristic.h)
};
inline constexpr std::array<std::string_view, 3> kEvaluatorNames = {"novelty", "rgd", "cost"};

// An open list, described. With features it keeps a bucket of states for each of their values, and
// the buckets take turns (type-based open lists, FESS). The first evaluator decides, the others
// break its ties, and among equals the oldest state comes first.
struct OpenListSpec {
  std::vector<PushFeature> features;  // ascending; none: one bucket
  std::vector<PushEvaluator> evaluators;

  bool operator==(const OpenListSpec&) const = default;
};

// Which pushed objects a search commits itself to (see commitment.h).
enum class Commitment { kNone, kSingleObjects, kAnyObjects };
inline constexpr std::array<std::string_view, 3> kCommitmentNames = {"none", "single", "any"};

struct Strategy {
  std::string name;                      // may be empty
  std::vector<OpenListSpec> open_lists;  // they take turns (alternation)
  Commitment commitment = Commitment::kNone;
  int share = 1;  // of its thread's time and memory, relative to the others

  bool uses(PushFeature feature) const;
};

inline constexpr int kMaxShare = 1000;

// The strategies of the planner `default`, in the order in which threads take them.
const std::vector<Strategy>& default_strategies();

// Throws std::invalid_argument if there is no strategy, or if one of them has no open list, the
// same open list, feature or evaluator twice, features out of order, or a share that is out of
// range.
void check_strategies(const std::vector<Strategy>& strategies);

}  // namespace pushworld
