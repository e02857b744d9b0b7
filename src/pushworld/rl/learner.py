"""What PPO and DQN have in common: episodes that are under way, and the shape of a learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp

from pushworld.envs.jax import (
    EnvParams,
    EnvState,
    StepInfo,
    observe,
    observe_planes,
    pixel_indices,
    reset_env,
    step_env,
)
from pushworld.render.colours import FLOAT_PALETTE
from pushworld.rl.devices import ONE, SAME, Devices

Weights = Any
"""The variables of a Flax network: a tree of float32 arrays."""

Metrics = dict[str, jax.Array]
"""Sums over the steps of an iteration, by name."""

COUNTS = ("steps", "episodes", "solved", "return", "length")
"""The metrics that are sums over steps or episodes; all others are means over an iteration."""


@dataclass(frozen=True)
class Learner:
    """An algorithm with its network, as pure functions.

    Attributes:
        begin: returns the state before the first step, from a key and puzzles: all that training
            needs to go on, as a tree of arrays, of which the network's are `weights`.
        iterate: returns the state after one iteration, and its metrics.
        scores: returns what the network thinks of each action (batch, actions), the more the
            better, from weights, states and puzzles.
        explore: returns the actions that training would take, from a key and scores.
        steps_per_iteration: how many steps an iteration takes at most, on all devices together.
        devices: those that `begin` and `iterate` are for.
        layout: which arrays of the state the devices share, and which they divide.
    """

    begin: Callable[[jax.Array, EnvParams], Any]
    iterate: Callable[[Any, EnvParams], tuple[Any, Metrics]]
    scores: Callable[[Weights, EnvState, EnvParams], jax.Array]
    explore: Callable[[jax.Array, jax.Array], jax.Array]
    steps_per_iteration: int
    devices: Devices = ONE
    layout: Any = SAME


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Episodes:
    """Episodes under way, one in each environment.

    Attributes:
        states: their states.
        returns: float32, the rewards so far.
    """

    states: EnvState
    returns: jax.Array


def begin_episodes(
    key: jax.Array, count: int, params: EnvParams, devices: Devices = ONE
) -> Episodes:
    """Returns first episodes, of which each is cut at a random step.

    Without that, all environments would reach the time limit at the same step again and again.
    """
    states_key, steps_key = jax.random.split(key)
    states = first_states(states_key, count, params)
    steps = jax.random.randint(steps_key, (count,), 0, params.max_steps)
    states = EnvState(states.variant, states.placement, states.positions, steps)
    return Episodes(states, devices.differing(jnp.zeros(count)))


def first_states(key: jax.Array, count: int, params: EnvParams) -> EnvState:
    """Returns the first states of so many episodes with random puzzles."""
    return jax.vmap(reset_env, (0, None))(jax.random.split(key, count), params)


def step_all(
    states: EnvState, actions: jax.Array, params: EnvParams
) -> tuple[EnvState, jax.Array, jax.Array, StepInfo]:
    """Returns what `step_env` does for many states."""
    return jax.vmap(step_env, (0, 0, None))(states, actions, params)


def observe_all(states: EnvState, params: EnvParams) -> jax.Array:
    """Returns the observations of many states."""
    return jax.vmap(observe, (0, None))(states, params)


def sketch_all(states: EnvState, params: EnvParams) -> jax.Array:
    """Returns the observations of many states in few bytes: each pixel as the number of its colour.

    They are quicker to keep than to draw again; `coloured` makes observations of them.
    """
    sketch = pixel_indices if params.observation == "pixels" else observe_planes
    return jax.vmap(sketch, (0, None))(states, params)


def coloured(sketches: jax.Array, params: EnvParams) -> jax.Array:
    """Returns what `observe_all` would have returned."""
    return jnp.asarray(FLOAT_PALETTE)[sketches] if params.observation == "pixels" else sketches


def unseen(params: EnvParams) -> jax.Array:
    """Returns an empty observation, for networks that need its shape."""
    states = jax.eval_shape(lambda: first_states(jax.random.key(0), 1, params))
    shape = jax.eval_shape(observe_all, states, params)
    return jnp.zeros(shape.shape, shape.dtype)


def choose(mask: jax.Array, chosen: Any, other: Any) -> Any:
    """Returns a tree whose entries are those of the first where the mask is set."""

    def pick(first: jax.Array, second: jax.Array) -> jax.Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (first.ndim - mask.ndim)), first, second)

    return jax.tree.map(pick, chosen, other)


def episode_sums(
    done: jax.Array, solved: jax.Array, returns: jax.Array, lengths: jax.Array
) -> Metrics:
    """Returns the counts of episodes that ended, and the sums of their returns and lengths."""
    return {
        "episodes": done.sum(dtype=jnp.int32),
        "solved": solved.sum(dtype=jnp.int32),
        "return": jnp.where(done, returns, 0).sum(),
        "length": jnp.where(done, lengths, 0).sum(dtype=jnp.int32),
    }


def begun(learner: Learner, key: jax.Array, params: EnvParams) -> Any:
    """Returns the state before the first step, on the learner's devices."""
    begin = learner.devices.spread(learner.begin, (SAME, SAME), learner.layout)
    return learner.devices.place(jax.jit(begin)(key, params), learner.layout)


@lru_cache(maxsize=8)
def advance(learner: Learner, iterations: int) -> Callable[[Any, EnvParams], tuple[Any, Metrics]]:
    """Returns a compiled function that iterates so often, and returns state and summed metrics."""

    def run(state: Any, params: EnvParams) -> tuple[Any, Metrics]:
        def once(state: Any, _: None) -> tuple[Any, Metrics]:
            return learner.iterate(state, params)

        state, metrics = jax.lax.scan(once, state, None, iterations)
        return state, jax.tree.map(lambda values: values.sum(axis=0), metrics)

    layout = learner.layout
    spread = learner.devices.spread(run, (layout, SAME), (layout, SAME))
    return jax.jit(spread, donate_argnums=0)
