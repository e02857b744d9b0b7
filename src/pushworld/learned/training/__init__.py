"""Training of the planner's network: labels, shards of examples, the network in JAX, and training."""

from pushworld.rl import require_jax_to_start

require_jax_to_start()
