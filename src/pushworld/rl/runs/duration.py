"""What a run does with its time on an accelerator."""

from __future__ import annotations

from time import perf_counter

import jax

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState
from pushworld.rl.algorithms.learner import reset_all, step_all
from pushworld.rl.config import RunConfig

FAST_ENVIRONMENTS = 4096
"""As many environments keep an accelerator busy."""

ALONE_STEPS = 64
"""How many steps all environments take that are timed without a network."""


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
