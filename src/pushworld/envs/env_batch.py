"""A batch of native environments, from one to thousands, and the arrays that they write to."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld import _native
from pushworld.envs.contract import NUM_ACTIONS, Reward
from pushworld.envs.options import EnvOptions
from pushworld.envs.puzzle_set import PuzzleSet
from pushworld.puzzle import Position, Puzzle, State
from pushworld.render import Painter


class EnvBatch:
    """Environments that `native` resets and steps; their results are in the arrays below.

    The native code does not paint pixels: call `paint` for the environments that changed.

    Attributes:
        puzzles: the puzzles that episodes draw from.
        format: the shape, type and range of observations.
        native: resets and steps the environments.
        observations: the current observations, of shape (count, ...).
        rewards, terminated, truncated: the results of the last step, 0 and False after a reset.
        achieved: the number of achieved goals.
        moved: whether the last step moved anything.
        puzzle_indices: the index of each environment's puzzle.
        action_masks: for each action 1 if it would move something, else 0.
    """

    def __init__(
        self, puzzles: PuzzleSet, count: int, options: EnvOptions, max_steps: int | None = None
    ) -> None:
        self.puzzles = puzzles
        self.format = options.format_in(puzzles.frame)
        self.observations: NDArray[Any] = np.zeros((count, *self.format.shape), self.format.dtype)
        self.rewards = np.zeros(count, np.float64)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.achieved = np.zeros(count, np.int64)
        self.moved = np.zeros(count, np.bool_)
        self.puzzle_indices = np.zeros(count, np.int64)
        self.action_masks = np.zeros((count, NUM_ACTIONS), np.int8)
        reward = Reward.named(options.reward)
        self.native = _native.Batch(
            puzzles.native,
            self.observations if options.observation == "planes" else None,
            self.observations if options.observation == "state" else None,
            self.rewards,
            self.terminated,
            self.truncated,
            self.achieved,
            self.moved,
            self.puzzle_indices,
            self.action_masks,
            symmetries=options.symmetries,
            placement=options.placement,
            max_steps=max_steps or 0,
            solved_reward=reward.solved,
            goal_reward=reward.goal,
            step_penalty=reward.penalty,
            shaping=reward.shaping,
            discount=reward.discount,
        )
        self.shows_pixels = options.observation == "pixels"
        self._pixels_are_bytes = options.dtype == "uint8"

        # Augmented views rarely repeat, so only those of the running episodes are cached.
        @lru_cache(maxsize=max(16, 2 * count))
        def seen(puzzle: int, symmetry: int, offset: Position) -> Puzzle:
            return puzzles.seen(puzzle, symmetry, offset)

        @lru_cache(maxsize=max(16, 2 * count))
        def painter(puzzle: int, symmetry: int, offset: Position) -> Painter:
            shown = seen(puzzle, symmetry, offset)
            return Painter(shown, options.pixels_per_cell, options.border_width)

        self._seen = seen
        self._painter = painter

    def seen_puzzle(self, env: int) -> Puzzle:
        """Returns the puzzle of an environment as its episode shows it."""
        return self._seen(*self.native.view(env))

    def seen_state(self, env: int) -> State:
        """Returns the current state of `seen_puzzle`."""
        return tuple(self.native.positions(env))

    def paint(self, envs: Iterable[int]) -> None:
        """Paints the pixels of the given environments into the observations."""
        for env in envs:
            painter = self._painter(*self.native.view(env))
            paint = painter.rgb if self._pixels_are_bytes else painter.floats
            self.observations[env] = paint(self.seen_state(env))

    def picture(self, env: int) -> NDArray[np.uint8]:
        """Returns a picture of an environment as uint8 of shape (height, width, 3)."""
        return self._painter(*self.native.view(env)).rgb(self.seen_state(env))
