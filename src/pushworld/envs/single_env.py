"""One environment, independent of a framework: the adapters for Gymnasium and dm_env wrap it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld import _native
from pushworld.datasets.resolve import PuzzleSource
from pushworld.envs.env_batch import EnvBatch
from pushworld.envs.options import EnvOptions
from pushworld.envs.puzzle_set import PuzzleSet
from pushworld.puzzle import Puzzle, State

RandomSource = np.random.Generator | np.random.RandomState


class SingleEnv:
    """An environment that plays episodes on puzzles of a set, one after another.

    Attributes:
        puzzles: the puzzles that episodes draw from.
        format: the shape, type and range of observations.
    """

    def __init__(
        self,
        puzzles: PuzzleSource | Iterable[PuzzleSource] | None,
        options: EnvOptions,
        max_steps: int | None = None,
    ) -> None:
        self.puzzles = PuzzleSet.load(puzzles, options)
        self._batch = EnvBatch(self.puzzles, 1, options, max_steps)
        self._step = self._batch.native.step
        self._observation = self._batch.observations[0]
        self.format = self._batch.format
        self._name = ""
        self._action_mask = self._batch.action_masks[0]

    def reset(self, random: RandomSource, puzzle: str | None = None) -> None:
        """Starts an episode with one draw from the generator, on a named puzzle of the set if given."""
        chosen = _native.ANY_PUZZLE if puzzle is None else self.puzzles.index_of(puzzle)
        self._batch.native.reset(0, draw_seed(random), chosen)
        self._name = self.puzzles.puzzles[int(self._batch.puzzle_indices[0])].name

    def step(self, action: int) -> tuple[float, bool, bool, dict[str, Any]]:
        """Takes an action, and returns reward, terminated (solved), truncated (out of steps) and info."""
        reward, terminated, truncated, achieved, moved = self._step(0, index(action))
        info = {
            "puzzle": self._name,
            "achieved_goals": achieved,
            "moved": moved,
            "is_success": terminated,
            "action_mask": self._action_mask.copy(),
        }
        return reward, terminated, truncated, info

    def info(self) -> dict[str, Any]:
        """Returns the info of a reset."""
        return {
            "puzzle": self._name,
            "achieved_goals": int(self._batch.achieved[0]),
            "moved": False,
            "is_success": False,
            "action_mask": self._action_mask.copy(),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns for each action whether it would move something."""
        mask: NDArray[np.bool_] = self._action_mask.astype(np.bool_)
        return mask

    def observe(self) -> NDArray[Any]:
        """Returns a new array with the current observation."""
        if self._batch.shows_pixels:
            self._batch.paint([0])
        observation: NDArray[Any] = self._observation.copy()
        return observation

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as the episode shows it: transformed, and padded with walls to the frame."""
        return self._batch.seen_puzzle(0)

    @property
    def state(self) -> State:
        """The current state of `puzzle`."""
        return self._batch.seen_state(0)

    def picture(self) -> NDArray[np.uint8]:
        """Returns a picture of the current state as uint8 of shape (height, width, 3)."""
        return self._batch.picture(0)


def draw_seed(random: RandomSource) -> int:
    """Returns the seed of an episode: the next 64 bits of a NumPy generator of either kind."""
    if isinstance(random, np.random.RandomState):
        return int(random.randint(0, 2**64, dtype=np.uint64))
    return int(random.integers(0, 2**64, dtype=np.uint64))
