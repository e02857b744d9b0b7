"""The Gymnasium vector environment: one native call steps all environments."""

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import Any, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pushworld.datasets.resolve import PuzzleSource
from pushworld.envs.contract import DEFAULT_MAX_STEPS, NUM_ACTIONS
from pushworld.envs.env_batch import EnvBatch
from pushworld.envs.gymnasium_env import RENDER_FPS, puzzle_option, space_of
from pushworld.envs.options import EnvOptions, OptionArguments
from pushworld.envs.puzzle_set import PuzzleSet
from pushworld.machine import usable_cores
from pushworld.puzzle import PushWorldError
from pushworld.render import render_terminal

Mask = NDArray[np.bool_]
Observations = NDArray[Any]


class PushWorldVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many `PushWorldEnv` at once, with the same episodes for the same seeds and actions.

    Environment i of ``reset(seed=s)`` does what a single environment does after
    ``reset(seed=s + i)``, in all three autoreset modes of Gymnasium. Threads may share it: each call
    waits for those of others to end.

    Args:
        num_envs: the number of environments.
        puzzles: as for `PushWorldEnv`.
        max_episode_steps: the number of steps after which an episode is truncated; None for no limit.
        autoreset_mode: when environments whose episode has ended are reset.
        render_mode: ``rgb_array`` or ``ansi``.
        copy: whether `reset` and `step` return copies of the observations and of the puzzles' names.
            If not, they return the same arrays every time, and each step changes them in place,
            which is faster.
        threads: the number of cores to use; all of them if not given.
        options: as for `PushWorldEnv`.

    ``reset(options=...)`` takes ``puzzle`` (a name, or one for each environment) and
    ``reset_mask``, a boolean array of the environments to reset.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        num_envs: int,
        puzzles: PuzzleSource | Iterable[PuzzleSource] | None = None,
        *,
        max_episode_steps: int | None = DEFAULT_MAX_STEPS,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        copy: bool = True,
        threads: int | None = None,
        **options: Unpack[OptionArguments],
    ) -> None:
        if num_envs < 1:
            raise PushWorldError(f"num_envs must be at least 1, not {num_envs}")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise PushWorldError(f"max_episode_steps must be at least 1, not {max_episode_steps}")
        if threads is not None and threads < 1:
            raise PushWorldError(f"threads must be at least 1, not {threads}")
        if render_mode not in (None, "rgb_array", "ansi"):
            raise PushWorldError(f"there is no render mode {render_mode!r}: use rgb_array or ansi")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": ["rgb_array", "ansi"],
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.copy = copy
        self._threads = usable_cores() if threads is None else threads
        chosen = EnvOptions.of(options)
        self._puzzles = PuzzleSet.load(puzzles, chosen)
        self._batch = EnvBatch(self._puzzles, num_envs, chosen, max_episode_steps)
        self.single_observation_space = space_of(self._batch.format)
        self.single_action_space = Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._done = np.zeros(num_envs, np.bool_)
        self._names = np.full(num_envs, None, dtype=object)
        self._seeds: list[int | None] = [None] * num_envs
        self._started = False
        self._lock = RLock()  # of the arrays, which only one thread may use at a time

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:  # type: ignore[override]
        """The seed of each environment's generator."""
        return tuple(self._seeds)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts episodes, and returns the observations and infos of all environments.

        Args:
            seed: one for each environment, or the first of successive ones.
            options: ``puzzle``, a name for each environment; ``reset_mask``, which of them to reset.
        """
        options = dict(options or {})
        mask = self._checked_mask(options.pop("reset_mask", None))
        puzzles = self._chosen_puzzles(puzzle_option(options))
        seeds = split_seeds(seed, self.num_envs)
        with self._lock:
            if not self._started and mask is not None and not mask.all():
                raise ResetNeeded("reset all environments before some of them")
            self._seed_generators(seeds, mask)
            self._batch.native.reset_all(mask, puzzles, self._threads)
            self._started = True
            which = np.ones(self.num_envs, np.bool_) if mask is None else mask
            self._done[which] = False
            self._start(which)
            self._paint(which)
            return self._observe(), self._infos(mask)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """Returns observations, rewards, terminations, truncations and infos after the actions."""
        with self._lock:
            if not self._started:
                raise ResetNeeded("call reset before the first step")
            batch = self._batch
            begin = self._done if self.autoreset_mode is AutoresetMode.NEXT_STEP else None
            if begin is None and self._done.any():
                raise ResetNeeded(
                    f"{int(self._done.sum())} environments have ended: reset them first, with "
                    'options={"reset_mask": terminations | truncations}'
                )
            changed = None if begin is None else begin.copy()
            batch.native.step_all(self._checked_actions(actions), begin, self._threads)
            np.logical_or(batch.terminated, batch.truncated, out=self._done)
            if changed is not None:
                self._start(changed)
            self._paint(batch.moved if changed is None else batch.moved | changed)
            results = batch.rewards.copy(), batch.terminated.copy(), batch.truncated.copy()
            infos: dict[str, Any] = {}
            if self.autoreset_mode is AutoresetMode.SAME_STEP and self._done.any():
                infos = self._final_infos()
                batch.native.reset_all(self._done, None, self._threads)
                self._start(self._done)
                self._paint(self._done)
                self._done[:] = False
            return self._observe(), *results, infos | self._infos()

    def action_masks(self) -> Mask:
        """Returns for each environment and action whether it would move something."""
        with self._lock:
            return self._batch.action_masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture or a text of each environment."""
        with self._lock:
            if self.render_mode == "rgb_array":
                return tuple(self._batch.picture(env) for env in range(self.num_envs))
            if self.render_mode == "ansi":
                return tuple(
                    render_terminal(
                        self._batch.seen_puzzle(env), self._batch.seen_state(env), colour=False
                    )
                    for env in range(self.num_envs)
                )
            return None

    def _observe(self) -> Observations:
        return self._batch.observations.copy() if self.copy else self._batch.observations

    def _start(self, which: Mask) -> None:
        """Notes the puzzles of environments that have been reset."""
        started = np.flatnonzero(which)
        self._names[started] = self._puzzles.names[self._batch.puzzle_indices[started]]

    def _paint(self, which: Mask) -> None:
        if self._batch.shows_pixels:
            self._batch.paint(np.flatnonzero(which).tolist())

    def _infos(self, which: Mask | None = None) -> dict[str, Any]:
        """Returns the infos of all environments or of those in a mask, with Gymnasium's masks."""
        batch = self._batch
        names = self._names.copy() if self.copy or which is not None else self._names
        values: dict[str, NDArray[Any]] = {
            "puzzle": names,
            "achieved_goals": batch.achieved.copy(),
            "moved": batch.moved.copy(),
            "is_success": batch.terminated.copy(),
            "action_mask": batch.action_masks.copy(),
        }
        mask = np.ones(self.num_envs, np.bool_) if which is None else which
        infos: dict[str, Any] = {}
        for key, value in values.items():
            if which is not None:
                value[~which] = None if value.dtype == object else 0
            infos[key], infos[f"_{key}"] = value, mask.copy()
        return infos

    def _final_infos(self) -> dict[str, Any]:
        """Returns the last observations and infos of the episodes that have just ended."""
        done = self._done
        observations = np.full(self.num_envs, None, dtype=object)
        ended = np.flatnonzero(done)
        for env, observation in zip(ended, self._batch.observations[ended], strict=True):
            observations[env] = observation
        return {
            "final_obs": observations,
            "_final_obs": done.copy(),
            "final_info": self._infos(done),
            "_final_info": done.copy(),
        }

    def _seed_generators(self, seeds: list[int | None], mask: Mask | None) -> None:
        """Sets the generators of environments with new seeds and of those that have none yet."""
        generators = {
            env: generator_words(seed)
            for env, seed in enumerate(seeds)
            if (mask is None or mask[env]) and (seed is not None or self._seeds[env] is None)
        }
        if generators:
            words = [each for _, each in generators.values()]
            self._batch.native.set_generators(
                np.array([*generators], np.int64), np.array(words, np.uint64)
            )
        for env, (seed, _) in generators.items():
            self._seeds[env] = seed

    def _checked_actions(self, actions: Any) -> NDArray[np.int64]:
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise PushWorldError(
                f"actions must be {self.num_envs} whole numbers, not an array of shape "
                f"{chosen.shape} and type {chosen.dtype}"
            )
        return chosen.astype(np.int64, copy=False)

    def _checked_mask(self, mask: Any) -> Mask | None:
        if mask is None:
            return None
        is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not is_mask or mask.shape != (self.num_envs,) or not mask.any():
            raise PushWorldError(
                f"reset_mask must be a boolean array of shape ({self.num_envs},) with a True in it"
            )
        return np.ascontiguousarray(mask)

    def _chosen_puzzles(self, puzzle: str | Sequence[str] | None) -> NDArray[np.int64] | None:
        if puzzle is None:
            return None
        names = [puzzle] * self.num_envs if isinstance(puzzle, str) else list(puzzle)
        if len(names) != self.num_envs:
            raise PushWorldError(f"there are {len(names)} puzzles for {self.num_envs} environments")
        return np.array([self._puzzles.index_of(name) for name in names], np.int64)


_WORD = 2**64


def split_seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Returns a seed for each environment: None, ``seed, seed + 1, ...``, or the given ones."""
    if seed is None:
        return [None] * count
    if isinstance(seed, int):
        return [seed + env for env in range(count)]
    if len(seed) != count:
        raise PushWorldError(f"there are {len(seed)} seeds for {count} environments")
    return list(seed)


def generator_words(seed: int | None) -> tuple[int, tuple[int, int, int, int]]:
    """Returns the seed of Gymnasium's generator and its state as four words, high words first."""
    generator, used = np_random(seed)
    assert isinstance(generator.bit_generator, np.random.PCG64)
    inner = generator.bit_generator.state["state"]
    state, increment = int(inner["state"]), int(inner["inc"])
    return used, (state // _WORD, state % _WORD, increment // _WORD, increment % _WORD)
