"""The assessment of a trained agent on a set of puzzles: results, tables and videos."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from math import ceil, log
from pathlib import Path
from typing import Any

import jax
import numpy as np
from msgspec import structs

from pushworld.envs.jax import SYMMETRIES
from pushworld.files import make_folder
from pushworld.puzzle import Puzzle, transform
from pushworld.render import save_picture
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.evaluation.agents import Agent, make_learner, pack_for
from pushworld.rl.evaluation.solve_rates import Evaluation, evaluate, joined

GROWTH = 1.5
"""How much larger the next larger grid is for an agent that plays puzzles of any size."""


@dataclass(frozen=True)
class PuzzleResult:
    """The result of an agent on a puzzle.

    Attributes:
        puzzle: its name.
        solved: whether the agent solved the puzzle as given.
        views, solved_views: under how many symmetries it was played, and solved.
        plan: the actions that solved the puzzle as given, or None.
    """

    puzzle: str
    solved: bool
    views: int
    solved_views: int
    plan: str | None


@dataclass(frozen=True)
class Assessment:
    """The results of an agent on a set of puzzles, one for each puzzle."""

    puzzles: Sequence[Puzzle]
    evaluation: Evaluation
    results: Sequence[PuzzleResult]

    def to_dict(self) -> dict[str, Any]:
        """Returns the solve rate, its interval and all results as values for JSON."""
        low, high = self.evaluation.interval
        return {
            "puzzles": len(self.puzzles),
            "episodes": len(self.evaluation.solved),
            "solve_rate": self.evaluation.rate,
            "interval_95": [low, high],
            "solved_as_given": sum(result.solved for result in self.results),
            "results": [asdict(result) for result in self.results],
        }

    def save_videos(self, folder: Path, each: int, suffix: str = ".gif") -> list[Path]:
        """Writes videos of the first solved and of the first failed episodes; returns their files.

        Args:
            folder: the folder of the files; it is created if it does not exist.
            each: the largest number of videos of either kind.
            suffix: ``.gif`` or ``.mp4``.
        """
        make_folder(folder)
        written: list[Path] = []
        for outcome, wanted in (("solved", True), ("failed", False)):
            for episode in self._episodes(wanted)[:each]:
                number, view = self.evaluation.puzzles[episode], self.evaluation.views[episode]
                puzzle = self.puzzles[number]
                name = (puzzle.name or f"puzzle-{number}").replace("/", "-")
                path = folder / f"{outcome}-{name}{suffix}"
                if path in written:  # the names a/b and a-b give the same file name
                    path = folder / f"{outcome}-{name}-{number}{suffix}"
                variant = transform(puzzle, SYMMETRIES[view])
                save_picture(path, variant, plan=self.evaluation.plan(episode))
                written.append(path)
        return written

    def _episodes(self, solved: bool) -> list[int]:
        """Returns the first episode with this outcome of each puzzle that has one."""
        first: dict[int, int] = {}
        for episode, puzzle in enumerate(self.evaluation.puzzles):
            if self.evaluation.solved[episode] == solved:
                first.setdefault(int(puzzle), episode)
        return list(first.values())


def assess(
    agent: Agent,
    puzzles: Sequence[Puzzle],
    *,
    exploring: bool = False,
    seed: int = 0,
    repeats: int | None = None,
    symmetric: bool = False,
    remember: bool = False,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> Assessment:
    """Returns the results of an agent on puzzles, with the symmetries and placements of its training.

    An agent that plays puzzles of any size has a larger grid only for those that need it.

    Args:
        agent: the agent.
        puzzles: the puzzles to play.
        exploring: whether to take actions as training does, or the best ones.
        seed: of placements, and of actions if exploring.
        repeats: how often an ``iterated`` network applies its block; None for its own setting.
        symmetric: whether to take the mean of the network's scores over all symmetric views.
        remember: whether to take other actions in states that the episode comes back to, see
            `pushworld.rl.evaluation.playing`.
        show: gets the numbers of finished and of all episodes from time to time.

    Raises:
        ConfigError: if repeats are given for another network.
        PackError: if a puzzle does not fit into the grid of the agent.
    """
    groups = _by_grid(agent, puzzles)
    packed = [pack_for(agent.config, [puzzles[i] for i in each], agent) for each in groups]
    learner = make_learner(_played(agent.config, repeats, symmetric))
    key, parts = jax.random.key(seed), list[Evaluation]()
    total = sum(len(params.puzzle_of) for params in packed)
    for numbers, params in zip(groups, packed, strict=True):

        def show_all(
            done: int, _: int, before: int = sum(len(each.solved) for each in parts)
        ) -> None:
            show(before + done, total)

        own = range(len(numbers))
        part = evaluate(learner, agent.weights, key, params, own, exploring, remember, show_all)
        parts.append(replace(part, puzzles=np.array(numbers)[part.puzzles]))
    evaluation = joined(parts)
    results = []
    for number, puzzle in enumerate(puzzles):
        mine = evaluation.of([number])
        solved, views = bool(mine.solved[0]), (len(mine.solved), int(mine.solved.sum()))
        plan = mine.plan(0) if solved else None
        results.append(PuzzleResult(puzzle.name, solved, *views, plan))
    return Assessment(puzzles, evaluation, results)


def _by_grid(agent: Agent, puzzles: Sequence[Puzzle]) -> list[list[int]]:
    """Returns the numbers of the puzzles in groups for grids of about the same size."""
    if agent.config.network.kind != "iterated" or not puzzles:
        return [[*range(len(puzzles))]]

    def growths(number: int) -> int:
        side = max(puzzles[number].width, puzzles[number].height)
        return ceil(log(max(1, side / max(agent.width, agent.height)), GROWTH))

    return [[*each] for _, each in groupby(sorted(range(len(puzzles)), key=growths), growths)]


def _played(config: RunConfig, repeats: int | None, symmetric: bool) -> RunConfig:
    """Returns the run with another number of repeats and with symmetric views, or raises ConfigError."""
    network = config.network
    if repeats is not None and network.kind != "iterated":
        raise ConfigError(f"repeats need the network iterated: this agent has {network.kind}")
    changed = structs.replace(
        network,
        repeats=network.repeats if repeats is None else repeats,
        symmetric=symmetric or network.symmetric,
    )
    return structs.replace(config, network=changed)
