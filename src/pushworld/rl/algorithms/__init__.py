"""The algorithms: networks, PPO and DQN as pure functions over arrays."""

from pushworld.rl import require_jax

require_jax()
