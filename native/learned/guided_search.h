// Best-first search over pushes, guided by the network and by the heuristics of the push search.
#pragma once

#include "engine/dynamics.h"
#include "learned/network.h"
#include "learned/observer.h"
#include "search/core/control.h"

namespace pushworld {

// How the search uses the network.
struct Guidance {
  float distance_weight;  // of the estimated distance, next to the cost of the path
  float sharpness;        // the exponent of the policy
  float uniform;          // the share of a uniform policy that is mixed in
  float network_share;    // of the work, for expansions that the network guides
};

// The world must have at most 1024 columns.
SearchResult solve_guided(const Dynamics& dynamics, Control& control, const Network& network,
                          const Frame& frame, const Guidance& guidance);

}  // namespace pushworld
