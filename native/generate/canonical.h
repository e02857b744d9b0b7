// Whether two puzzles are the same up to rotations, flips and the names of their objects.
#pragma once

#include <cstdint>

#include "generate/distribution.h"

namespace pushworld {

// A number that all eight symmetric forms of a puzzle share, whatever its objects are called.
uint64_t canonical_hash(const Draft& draft);

}  // namespace pushworld
