// Best-first search over pushes, guided by the network.
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
  float repeat_cost;  // of another push in the same direction without an evaluation; < 0 for none
  int novelty_share;  // every so many expansions, the most novel node is expanded; 0 for never
};

// The world must have at most 1024 columns.
SearchResult solve_guided(const Dynamics& dynamics, Control& control, const Network& network,
                          const Frame& frame, const Guidance& guidance);

}  // namespace pushworld
