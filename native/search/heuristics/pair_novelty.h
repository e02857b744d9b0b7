// Novelty of arrangements of one or two objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/core/memory_account.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"

namespace pushworld {

// A state is novel if it contains an arrangement that no earlier state contained: the position of
// an object, the offset between two movables, or the positions of two objects. The novelty is the
// first of these kinds that is new. As in width-based search (Lipovetzky and Geffner, 2012), with
// offsets added.
class PairNovelty {
 public:
  // A table of offsets or of pairs that would exceed `max_bytes` is left out. Its arrangements are
  // never new.
  PairNovelty(const World& world, const ObjectClasses& classes, LimitGuard& guard,
              size_t max_bytes);

  // Offsets rank before pairs: there are few enough to try them all, and hooking, wedging and
  // assembling objects depend on them.
  enum Novelty { kNewPosition = 1, kNewOffset = 2, kNewPair = 3, kNotNovel = 4 };

  // Records the state and returns its novelty. Considers only arrangements with an object in
  // `moved`: the objects that differ from a recorded state.
  template <int Words>
  Novelty record(const PositionId* state, const ObjectSet<Words>& moved);

 private:
  using Bits = SparseArray<uint64_t>;

  // The index of a pair is a sum of one term of each object, and so is that of an offset.
  struct Terms {
    uint64_t as_low;   // in the index of a pair with an object of a higher number
    uint64_t as_high;  // with one of a lower number
    uint64_t offset_as_low, offset_as_high;  // modulo 2^64
  };

  const ObjectClasses& classes_;
  LimitGuard& guard_;
  const int n_;
  const int width_;
  const int height_;
  const uint64_t offsets_of_pair_;
  std::vector<uint64_t> first_position_;  // of each object, its first index in `positions_`
  std::vector<uint64_t> first_pair_;      // of each object, its first index in `pairs_`
  std::vector<PositionId> last_;          // the last recorded state
  std::vector<Terms> terms_;              // of each object, in that state
  Bits positions_;
  Bits offsets_;  // of movables
  Bits pairs_;
};

}  // namespace pushworld
