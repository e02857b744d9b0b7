"""The environment with the methods of gymnax's `Environment`.

Gymnax is not needed: its learners and wrappers call methods and do not ask for the class.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax.env import achieved_goals, observe, reset, step
from pushworld.envs.jax.env import step_env as step_state
from pushworld.envs.jax.packing import PackError, pack
from pushworld.envs.jax.types import EnvParams, EnvState, StepInfo
from pushworld.envs.registration import environment_sets

Transition = tuple[jax.Array, EnvState, jax.Array, jax.Array, StepInfo]
"""An observation, a state, a reward, whether the episode has ended, and infos."""


@dataclass(frozen=True)
class Discrete:
    """The actions 0 to n - 1."""

    n: int
    shape: tuple[int, ...] = ()
    dtype: Any = jnp.int32

    def sample(self, key: jax.Array) -> jax.Array:
        """Returns a random action."""
        return jax.random.randint(key, self.shape, 0, self.n, self.dtype)

    def contains(self, x: jax.Array) -> jax.Array:
        """Returns whether x is an action."""
        return (x >= 0) & (x < self.n)


@dataclass(frozen=True)
class Box:
    """Arrays of one shape and type with values from `low` to `high`."""

    low: int
    high: int
    shape: tuple[int, ...]
    dtype: Any

    def sample(self, key: jax.Array) -> jax.Array:
        """Returns a random array."""
        return (jax.random.uniform(key, self.shape) * (self.high + 1)).astype(self.dtype)

    def contains(self, x: jax.Array) -> jax.Array:
        """Returns whether all values of x are in the range."""
        return ((x >= self.low) & (x <= self.high)).all()


class GymnaxEnv:
    """The methods of gymnax's `Environment`; `step` starts a new episode where one has ended.

    Args:
        params: packed puzzles, used where a method gets no others.
    """

    num_actions = NUM_ACTIONS
    name = "PushWorld"

    def __init__(self, params: EnvParams) -> None:
        self.default_params = params

    def reset(self, key: jax.Array, params: EnvParams | None = None) -> tuple[jax.Array, EnvState]:
        """Returns the first observation and state of an episode on a random puzzle."""
        return reset(key, self._chosen(params))

    def step(
        self,
        key: jax.Array,
        state: EnvState,
        action: jax.Array | int,
        params: EnvParams | None = None,
    ) -> Transition:
        """Takes an action, and starts a new episode if that ended one."""
        return step(key, state, jnp.asarray(action), self._chosen(params))

    def reset_env(self, key: jax.Array, params: EnvParams) -> tuple[jax.Array, EnvState]:
        """Returns what `reset` does."""
        return reset(key, params)

    def step_env(
        self, key: jax.Array, state: EnvState, action: jax.Array | int, params: EnvParams
    ) -> Transition:
        """Takes an action; after the end of an episode the state is the last one."""
        after, reward, done, info = step_state(state, jnp.asarray(action), params)
        return observe(after, params), after, reward, done, info

    def get_obs(self, state: EnvState, params: EnvParams | None = None) -> jax.Array:
        """Returns the observation of a state."""
        return observe(state, self._chosen(params))

    def is_terminal(self, state: EnvState, params: EnvParams | None = None) -> jax.Array:
        """Returns whether the episode has ended in a state: solved, or out of steps."""
        chosen = self._chosen(params)
        goals = chosen.goal_count[state.variant]
        solved = (achieved_goals(state, chosen) == goals) & (goals > 0)
        return solved | (state.steps >= chosen.max_steps)

    def action_space(self, params: EnvParams | None = None) -> Discrete:
        """Returns the space of actions."""
        return Discrete(NUM_ACTIONS)

    def observation_space(self, params: EnvParams | None = None) -> Box:
        """Returns the space of observations."""
        chosen = self._chosen(params)
        shown = jax.eval_shape(reset, jax.random.key(0), chosen)[0]
        low, high = (-2, 2) if chosen.observation == "scene" else (0, 1)
        return Box(low, 255 if shown.dtype == np.uint8 else high, shown.shape, shown.dtype)

    def _chosen(self, params: EnvParams | None) -> EnvParams:
        return self.default_params if params is None else params


def make(name: str, **options: Any) -> tuple[GymnaxEnv, EnvParams]:
    """Returns the environment of an id and its packed puzzles, as `gymnax.make` does.

    Args:
        name: an id of `gymnasium.make`, such as ``PushWorld/Base-Train-v0``.
        options: those of `pack`; the id has the puzzles and the limit on steps.

    Raises:
        PackError: if there is no such id, or the puzzles cannot be packed.
    """
    sets, known = environment_sets(), name.removeprefix("pushworld:")
    if known not in sets:
        close = get_close_matches(known, sets, n=1)
        meant = f"did you mean {close[0]!r}?" if close else f"use {', '.join(sets)}"
        raise PackError(f"there is no environment {name!r}: {meant}")
    puzzles, steps = sets[known]
    params = pack(**{"puzzles": puzzles, "max_steps": steps, **options})
    return GymnaxEnv(params), params
