"""The algorithms: networks, PPO, DQN and imitation as pure functions over arrays."""

from pushworld.rl import require_jax

require_jax()
