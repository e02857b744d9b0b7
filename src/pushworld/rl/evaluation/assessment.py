"""The assessment of a trained agent on a set of puzzles: results, tables and videos."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
from msgspec import structs

from pushworld.envs.jax import SYMMETRIES
from pushworld.files import make_folder
from pushworld.puzzle import Puzzle, transform
from pushworld.render import save_picture
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.evaluation.agents import Agent, make_learner, pack_for
from pushworld.rl.evaluation.solve_rates import Evaluation, evaluate


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
    params = pack_for(agent.config, puzzles, agent)
    config = _with_repeats(agent.config, repeats)
    if symmetric:
        config = structs.replace(config, network=structs.replace(config.network, symmetric=True))
    learner = make_learner(config)
    key = jax.random.key(seed)
    numbers = range(len(puzzles))
    evaluation = evaluate(learner, agent.weights, key, params, numbers, exploring, remember, show)
    results = []
    for number, puzzle in enumerate(puzzles):
        mine = evaluation.of([number])
        solved = bool(mine.solved[0])
        results.append(
            PuzzleResult(
                puzzle=puzzle.name,
                solved=solved,
                views=len(mine.solved),
                solved_views=int(mine.solved.sum()),
                plan=mine.plan(0) if solved else None,
            )
        )
    return Assessment(puzzles, evaluation, results)


def _with_repeats(config: RunConfig, repeats: int | None) -> RunConfig:
    """Returns the run with another number of repeats, or raises ConfigError."""
    if repeats is None:
        return config
    if config.network.kind != "iterated":
        raise ConfigError(
            f"repeats need the network iterated: this agent has {config.network.kind}"
        )
    network = structs.replace(config.network, repeats=repeats, repeats_choices=())
    return structs.replace(config, network=network)
