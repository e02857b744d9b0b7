"""The Gymnasium environment."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from pushworld.envs.contract import NUM_ACTIONS, ObservationKind
from pushworld.envs.options import EnvOptions, ObservationFormat
from pushworld.envs.puzzle_set import PuzzleSource
from pushworld.envs.single_env import SingleEnv
from pushworld.puzzle import PushWorldError, Puzzle, State
from pushworld.render import render_terminal
from pushworld.render.terminal import supports_colour
from pushworld.render.validation import DEFAULT_PIXELS_PER_CELL

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


class PushWorldEnv(gymnasium.Env[Observation, np.int64]):
    """Push things until the red ones stand on their outlines.

    ## Action space
    `Discrete(4)`: left, right, up, down.

    ## Observation space
    - `planes` (default): uint8 zeros and ones of shape (planes, height, width), see `Frame`.
    - `pixels`: float32 RGB in [0, 1] of shape (height, width, 3).
    - `state`: int16 of shape (objects, 2), the (x, y) of each object in the frame, the agent first;
      -1 where the puzzle has fewer objects.

    Every puzzle is padded with walls to the largest of the set.

    ## Rewards
    10 for the step that achieves all goals; otherwise the change of the number of achieved goals,
    minus 0.01.

    ## Episode end
    Terminated when all goals are achieved. The registered ids truncate by `max_episode_steps`.

    ## Information
    `puzzle`: its name; `achieved_goals`: their number; `moved`: whether the step moved anything.

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
        puzzles: PuzzleSource | Iterable[PuzzleSource],
        *,
        observation: ObservationKind = "planes",
        symmetries: bool = False,
        placement: bool = False,
        pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
        border_width: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise PushWorldError(f"there is no render mode {render_mode!r}: use {modes}")
        options = EnvOptions(observation, symmetries, placement, pixels_per_cell, border_width)
        self.render_mode = render_mode
        self._env = SingleEnv(puzzles, options)
        self.observation_space = space_of(self._env.format)
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
        self._env.reset(self.np_random, puzzle_option(options))
        if self.render_mode == "human":
            self._show()
        return self._env.observe(), self._env.info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Returns the observation, reward, termination, truncation and info after an action."""
        reward, terminated, truncated, info = self._env.step(action)  # type: ignore[arg-type]
        if self.render_mode == "human":
            self._show()
        return self._env.observe(), reward, terminated, truncated, info

    def render(self) -> Any:
        """Returns a picture (`rgb_array`), a text (`ansi`), or None (`human`, which shows every step)."""
        if self.render_mode == "rgb_array":
            return self._env.picture()
        if self.render_mode == "ansi":
            return render_terminal(self.puzzle, self.state, colour=False)
        return None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as the episode shows it: a plan for it is a plan for the episode."""
        return self._env.puzzle

    @property
    def state(self) -> State:
        """The current state of `puzzle`."""
        return self._env.state

    def _show(self) -> None:
        """Prints the state to standard output, slowed down if that is a terminal."""
        colour = supports_colour(sys.stdout)
        if colour:
            sys.stdout.write("\x1b[H\x1b[J")
        sys.stdout.write(render_terminal(self.puzzle, self.state, colour=colour) + "\n")
        sys.stdout.flush()
        if colour:
            time.sleep(1 / RENDER_FPS)
