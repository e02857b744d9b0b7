"""How long a run takes on a CPU, before its first iteration has ended."""

from __future__ import annotations

from time import perf_counter

import jax

from pushworld.envs.jax import SYMMETRIES, EnvParams
from pushworld.rl.algorithms.devices import has_accelerator
from pushworld.rl.algorithms.learner import Learner, Weights, reset_all
from pushworld.rl.config import RunConfig

STATES = 16
"""How many states the forward pass reads that is timed."""


def estimated_seconds(
    config: RunConfig, learner: Learner, weights: Weights, params: EnvParams, steps: float
) -> float:
    """Returns about how long the given steps take, from the time of a forward pass of the network.

    It is 0 on an accelerator and for networks that take less time than the environments.
    """
    if has_accelerator() or config.network.kind in ("small", "centred"):
        return 0.0

    @jax.jit
    def forward(weights: Weights, params: EnvParams) -> jax.Array:
        return learner.scores(weights, reset_all(jax.random.key(0), STATES, params), params)

    seconds = 0.0
    for _ in range(2):  # the first compiles
        started = perf_counter()
        forward(weights, params).block_until_ready()
        seconds = perf_counter() - started
    views = len(SYMMETRIES) if config.network.symmetric else 1
    return seconds / STATES / views * _passes(config) * steps * len(config.all_seeds)


def _passes(config: RunConfig) -> int:
    """Returns the forward passes for an environment step, where a backward pass counts as two."""
    if config.algorithm == "imitation":
        return 3
    if config.algorithm == "ppo":
        return 1 + 3 * config.ppo.epochs
    return 1 + config.dqn.samples_per_insert * (4 + config.dqn.double)
