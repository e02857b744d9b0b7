"""The Gymnasium environment."""

import sys
import time
from collections.abc import Iterable
from operator import index
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from pushworld import _native
from pushworld.datasets.resolve import PuzzleSource
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.env_batch import EnvBatch
from pushworld.envs.options import EnvOptions, ObservationFormat, OptionArguments
from pushworld.envs.puzzle_set import PuzzleSet
from pushworld.puzzle import PushWorldError, Puzzle, State
from pushworld.render import render_terminal
from pushworld.render.terminal import supports_colour

Observation = NDArray[Any]

RENDER_FPS = 10


def space_of(format: ObservationFormat) -> Box:
    """Returns the Gymnasium space of observations."""
    return Box(format.low, format.high, format.shape, format.dtype.type)


def puzzle_option(options: dict[str, Any] | None) -> Any:
    """Returns the puzzle in the options of a reset, or None; raises on unknown options."""
    unknown = set(options or ()) - {"puzzle"}
    if unknown:
        raise PushWorldError(f"unknown option of reset: {', '.join(sorted(map(repr, unknown)))}")
    return None if options is None else options.get("puzzle")


def draw_seed(random: np.random.Generator | np.random.RandomState) -> int:
    """Returns the seed of an episode: the next 64 bits of a NumPy generator of either kind."""
    if isinstance(random, np.random.RandomState):
        return int(random.randint(0, 2**64, dtype=np.uint64))
    return int(random.integers(0, 2**64, dtype=np.uint64))


class PushWorldEnv(gymnasium.Env[Observation, np.int64]):
    """Push things until the red ones stand on their outlines.

    ## Action space
    `Discrete(4)`: left, right, up, down.

    ## Observation space
    - `planes` (default): uint8 zeros and ones of shape (planes, height, width), see `Frame`.
    - `pixels`: RGB of shape (height, width, 3), float32 in [0, 1], or uint8 with `dtype="uint8"`.
    - `state`: int16 of shape (objects, 2), the (x, y) of each object in the frame, the agent first;
      -1 where the puzzle has fewer objects.

    Every puzzle is padded with walls to the largest of the set, or to `width` x `height`.

    ## Rewards
    10 for the step that achieves all goals; otherwise the change of the number of achieved goals,
    minus 0.01. `reward="sparse"` and `"shaped"` or a `Reward` choose others.

    ## Episode end
    Terminated when all goals are achieved. The registered ids truncate by `max_episode_steps`.

    ## Information
    `puzzle`: its name; `achieved_goals`: their number; `moved`: whether the step moved anything;
    `is_success`: whether it achieved all goals; `action_mask`: int8, 1 for each action that would
    move something now.

    ## Arguments
    `puzzles`: a set, folder, file, name or `Puzzle`, or several of these; the rest as in
    `EnvOptions`. `reset(options={"puzzle": name})` chooses the puzzle of an episode, which is random
    otherwise.

    ## Ids
    `PushWorld/Level1-v0` to `Level4-v0`, `PushWorld/Base-Train-v0`, ..., `PushWorld/All-Test-v0`,
    `PushWorld/Bundled-v0`, `PushWorld/Classic-v0`, `PushWorld/Custom-v0`.
    """

    metadata = {  # noqa: RUF012
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        puzzles: PuzzleSource | Iterable[PuzzleSource] | None = None,
        *,
        render_mode: str | None = None,
        **options: Unpack[OptionArguments],
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise PushWorldError(f"there is no render mode {render_mode!r}: use {modes}")
        self.render_mode = render_mode
        chosen = EnvOptions.of(options)
        self._puzzles = PuzzleSet.load(puzzles, chosen)
        self._batch = EnvBatch(self._puzzles, 1, chosen)
        self._name = ""
        self.observation_space = space_of(self._batch.format)
        self.action_space = Discrete(NUM_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode, and returns its first observation and info.

        Args:
            seed: of this and all later episodes; None goes on with the last one.
            options: ``{"puzzle": NAME}`` chooses the puzzle.
        """
        super().reset(seed=seed)
        puzzle = puzzle_option(options)
        chosen = _native.ANY_PUZZLE if puzzle is None else self._puzzles.index_of(puzzle)
        self._batch.native.reset(0, draw_seed(self.np_random), chosen)
        self._name = self._puzzles.puzzles[int(self._batch.puzzle_indices[0])].name
        if self.render_mode == "human":
            self._show()
        return self._observe(), self._info(int(self._batch.achieved[0]), False, False)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Returns the observation, reward, termination, truncation and info after an action."""
        reward, terminated, _, achieved, moved = self._batch.native.step(0, index(action))
        if self.render_mode == "human":
            self._show()
        info = self._info(achieved, moved, terminated)
        return self._observe(), reward, terminated, False, info

    def render(self) -> Any:
        """Returns a picture (`rgb_array`), a text (`ansi`), or None (`human`, which shows every step)."""
        if self.render_mode == "rgb_array":
            return self._batch.picture(0)
        if self.render_mode == "ansi":
            return render_terminal(self.puzzle, self.state, colour=False)
        return None

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns for each action whether it would move something, as MaskablePPO of sb3-contrib asks."""
        mask: NDArray[np.bool_] = self._batch.action_masks[0].astype(np.bool_)
        return mask

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as the episode shows it: a plan for it is a plan for the episode."""
        return self._batch.seen_puzzle(0)

    @property
    def state(self) -> State:
        """The current state of `puzzle`."""
        return self._batch.seen_state(0)

    def _observe(self) -> Observation:
        """Returns a new array with the current observation."""
        if self._batch.shows_pixels:
            self._batch.paint([0])
        observation: Observation = self._batch.observations[0].copy()
        return observation

    def _info(self, achieved: int, moved: bool, solved: bool) -> dict[str, Any]:
        return {
            "puzzle": self._name,
            "achieved_goals": achieved,
            "moved": moved,
            "is_success": solved,
            "action_mask": self._batch.action_masks[0].copy(),
        }

    def _show(self) -> None:
        """Prints the state to standard output, slowed down if that is a terminal."""
        colour = supports_colour(sys.stdout)
        if colour:
            sys.stdout.write("\x1b[H\x1b[J")
        sys.stdout.write(render_terminal(self.puzzle, self.state, colour=colour) + "\n")
        sys.stdout.flush()
        if colour:
            time.sleep(1 / RENDER_FPS)
