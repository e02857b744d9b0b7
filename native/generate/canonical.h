// A hash of puzzles up to symmetry.
#pragma once

#include <cstdint>

#include "generate/distribution.h"

namespace pushworld {

// A hash that is invariant under rotations, reflections and renaming of objects.
uint64_t canonical_hash(const Draft& draft);

}  // namespace pushworld
