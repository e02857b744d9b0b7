"""How long a run takes on a CPU, before its first iteration has ended; what it does with its time on an accelerator."""

from __future__ import annotations

from time import perf_counter

import jax

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import SYMMETRIES, EnvParams, EnvState
from pushworld.rl.algorithms.devices import has_accelerator
from pushworld.rl.algorithms.learner import Learner, Weights, reset_all, step_all
from pushworld.rl.config import RunConfig

STATES = 16
"""How many states the forward pass reads that is timed."""

FAST_ENVIRONMENTS = 4096
"""As many environments keep an accelerator busy."""

ALONE_STEPS = 64
"""How many steps all environments take that are timed without a network."""


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


def share_of_speed(config: RunConfig, params: EnvParams, rate: float) -> str:
    """Returns how far a run with this rate is from the fastest, its environments without a network, and why."""
    count = getattr(config, config.algorithm).environments
    alone, network = _steps_alone(count, params), config.network
    reasons = [f"the rest of the time is that of the network {network.kind}"]
    if network.precision == "float32":
        reasons.append("in bfloat16 it is faster (network.precision)")
    if count < FAST_ENVIRONMENTS:
        reasons.append(f"more environments at a time are faster ({config.algorithm}.environments)")
    return (
        f"{rate:,.0f} steps a second; its {count:,} environments alone make {alone:,.0f}: "
        f"{', and '.join(reasons)}"
    )


def _steps_alone(count: int, params: EnvParams) -> float:
    """Returns how many steps a second this many environments make with random actions."""

    @jax.jit
    def walk(key: jax.Array, params: EnvParams) -> jax.Array:
        def step(states: EnvState, key: jax.Array) -> tuple[EnvState, None]:
            actions = jax.random.randint(key, (count,), 0, NUM_ACTIONS)
            return step_all(states, actions, params)[0], None

        keys = jax.random.split(key, ALONE_STEPS)
        return jax.lax.scan(step, reset_all(key, count, params), keys)[0].positions

    seconds = 0.0
    for seed in range(2):  # the first compiles
        started = perf_counter()
        walk(jax.random.key(seed), params).block_until_ready()
        seconds = perf_counter() - started
    return count * ALONE_STEPS / seconds
