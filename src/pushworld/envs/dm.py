"""The dm_env environment."""

from collections.abc import Iterable
from typing import Any, Unpack

import dm_env
import numpy as np
from dm_env import specs
from numpy.typing import NDArray

from pushworld.datasets.resolve import PuzzleSource
from pushworld.envs.contract import DEFAULT_MAX_STEPS, NUM_ACTIONS
from pushworld.envs.gymnasium_env import PushWorldEnv
from pushworld.envs.options import OptionArguments
from pushworld.puzzle import PushWorldError, Puzzle, State


class PushWorldDmEnv(dm_env.Environment):  # type: ignore[misc]
    """PushWorld for dm_env: the same episodes, observations and rewards as `PushWorldEnv`.

    An episode that is solved ends with discount 0, one that reaches `max_steps` with discount 1.

    Args:
        puzzles: as for `PushWorldEnv`.
        max_steps: the number of steps after which an episode ends; None for no limit.
        seed: the same seed gives the same episodes; None for a random seed.
        options: as for `PushWorldEnv`.

    Attributes:
        info: the info of the last step, as `PushWorldEnv` returns it.
    """

    def __init__(
        self,
        puzzles: PuzzleSource | Iterable[PuzzleSource] | None = None,
        *,
        max_steps: int | None = DEFAULT_MAX_STEPS,
        seed: int | None = None,
        **options: Unpack[OptionArguments],
    ) -> None:
        if max_steps is not None and max_steps < 1:
            raise PushWorldError(f"max_steps must be at least 1, not {max_steps}")
        self._env = PushWorldEnv(puzzles, **options)
        self._observation = options.get("observation", "planes")
        self._max_steps = max_steps
        self._seed = seed
        self._steps = 0
        self._ended = True
        self.info: dict[str, Any] = {}

    def reset(self, puzzle: str | None = None) -> dm_env.TimeStep:
        """Starts an episode, on a named puzzle if given."""
        observation, self.info = self._env.reset(seed=self._seed, options={"puzzle": puzzle})
        self._seed, self._steps, self._ended = None, 0, False
        return dm_env.restart(observation)

    def step(self, action: int) -> dm_env.TimeStep:
        """Takes an action; after the end of an episode, starts the next one and ignores the action."""
        if self._ended:
            return self.reset()
        observation, reward, terminated, _, self.info = self._env.step(action)
        self._steps += 1
        truncated = self._steps == self._max_steps
        self._ended = terminated or truncated
        if terminated:
            return dm_env.termination(reward, observation)
        if truncated:
            return dm_env.truncation(reward, observation)
        return dm_env.transition(reward, observation)

    def observation_spec(self) -> specs.BoundedArray:
        """Returns the shape, type and bounds of observations."""
        space: Any = self._env.observation_space
        low, high = space.low.min(), space.high.max()
        return specs.BoundedArray(space.shape, space.dtype, low, high, name=self._observation)

    def action_spec(self) -> specs.DiscreteArray:
        """Returns the four actions."""
        return specs.DiscreteArray(NUM_ACTIONS, name="action")

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns for each action whether it would move something."""
        return self._env.action_masks()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as the episode shows it: a plan for it is a plan for the episode."""
        return self._env.puzzle

    @property
    def state(self) -> State:
        """The current state of `puzzle`."""
        return self._env.state
