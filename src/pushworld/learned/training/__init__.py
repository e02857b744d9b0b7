"""Training of the planner's network: labels, shards of examples, the network in JAX, and training."""
