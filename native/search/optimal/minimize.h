// What a plan costs.
#pragma once

namespace pushworld {

enum class Minimize { kActions, kPushes };

}  // namespace pushworld
