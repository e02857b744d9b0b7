// Strategies as data: the open lists of a push search and its commitment.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "search/push/options.h"
#include "search/push/push_evaluators.h"
#include "search/push/push_features.h"

namespace pushworld {

// The specification of an open list. If it has features, it has a bucket for each of their values
// and alternates between the buckets, as type-based open lists and FESS do. Within a bucket, the
// first evaluator orders the states; the others break ties. Remaining ties are first in, first out.
struct OpenListSpec {
  std::vector<FeatureId> features;  // in ascending order; none for a single bucket
  std::vector<EvaluatorId> evaluators;

  bool operator==(const OpenListSpec&) const = default;
};

// Returns the place of a name in a table of features, evaluators or options. Throws
// std::invalid_argument if there is none.
template <typename Table>
size_t place_of(std::string_view name, const Table& table) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  if (found == table.end()) throw std::invalid_argument("unknown name '" + std::string(name) + "'");
  return static_cast<size_t>(found - table.begin());
}

// The open list with these features and evaluators.
OpenListSpec open_list(const std::vector<std::string>& features,
                       const std::vector<std::string>& evaluators);

// The pushes that a search commits to: none, those of single objects, or all (see commitment.h).
enum class Commitment { kNone, kSingleObjects, kAnyObjects };
inline constexpr std::array<std::string_view, 3> kCommitmentNames = {"none", "single", "any"};

struct Strategy {
  std::string name;                      // may be empty
  std::vector<OpenListSpec> open_lists;  // the search alternates between them
  Commitment commitment = Commitment::kNone;
  int share = 1;  // of the time and memory of its thread, relative to other strategies
  // Whether it searches puzzles with few of the movables (subset_search.cc).
  bool few_objects = false;
  // Whether it brings goal objects home one after the other (serial_search.cc).
  bool goals_in_turn = false;
  PushOptions options = {};

  bool uses(FeatureId feature) const;
  bool needs_distance() const;     // to evaluate states
  bool needs_affordances() const;  // to commit itself or for a feature
};

inline constexpr int kMaxShare = 1000;

// The strategies of the planner `default`, in the order in which they are assigned to threads.
const std::vector<Strategy>& default_strategies();

// Throws std::invalid_argument if there is no strategy, or if a strategy has no open list, a
// duplicate open list, feature or evaluator, features out of order, or a share out of range.
void check_strategies(const std::vector<Strategy>& strategies);

}  // namespace pushworld
