"""The figures of a report: how people did on each puzzle, how planners did, and how the two agree."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from pushworld.bench.store import Results
from pushworld.bench.tables import runs_by_planner
from pushworld.planners import solve
from pushworld.puzzle import Puzzle
from pushworld.statistics import Share, Spearman, spearman
from pushworld.traces.cache import Cache
from pushworld.traces.games import UNFINISHED, Game
from pushworld.traces.measures import Outlooks
from pushworld.traces.rows import GameRow
from pushworld.traces.tables import game_row

PLANNERS = ("default", "novelty-rgd")
PLANNER_SECONDS = 5.0


@dataclass(frozen=True)
class Attempt:
    """What one person did with one puzzle: all games of it up to the first that was solved.

    `rows` are what the table of games says about them.
    """

    games: tuple[Game, ...]
    rows: tuple[GameRow, ...]

    @property
    def session(self) -> str:
        return self.games[0].session

    @property
    def solved(self) -> bool:
        """Whether the person solved it, without moves by the machine."""
        return self.rows[-1].solved and not self.rows[-1].machine_moves

    @property
    def helped(self) -> bool:
        """Whether help was asked for."""
        return not all(row.alone for row in self.rows)

    @property
    def outcome(self) -> str:
        """How the last game ended."""
        return self.rows[-1].outcome if self.solved or not self.rows[-1].solved else "machine"

    @property
    def active_s(self) -> float:
        return sum(row.active_s for row in self.rows)

    @property
    def moves(self) -> int:
        return sum(row.moves for row in self.rows)

    @property
    def lost(self) -> bool:
        """Whether a position was proved to be unsolvable."""
        return any(row.unsolvable_after is not None for row in self.rows)


@dataclass(frozen=True)
class PlannerResult:
    """A planner on a puzzle: its status, the seconds until then, and the length of its plan."""

    status: str
    seconds: float
    length: int | None

    def __str__(self) -> str:
        if self.length is None:
            return self.status
        return f"{seconds_text(self.seconds)}, {self.length} moves"


@dataclass(frozen=True)
class PuzzleFigures:
    """The figures of one puzzle: an attempt for each person, and results of planners by name.

    `best` is the length of the best plan known, and `shortest` whether it is proved that none is shorter;
    `score` says how hard the puzzle is by our model, None if it was not graded.
    """

    puzzle: Puzzle
    digest: str
    attempts: tuple[Attempt, ...]
    best: int | None
    shortest: bool | None
    score: float | None
    planners: dict[str, PlannerResult]

    @property
    def solved(self) -> list[Attempt]:
        return [each for each in self.attempts if each.solved]

    @property
    def share(self) -> Share:
        return Share(len(self.solved), len(self.attempts))

    @property
    def times(self) -> list[float]:
        """The active seconds of those who solved it, sorted."""
        return sorted(each.active_s for each in self.solved)

    @property
    def plans(self) -> list[int]:
        """The lengths of the plans of those who solved it, sorted."""
        return sorted(each.rows[-1].plan_length for each in self.solved)

    @property
    def detour(self) -> float | None:
        """The median of moves made to best moves known, of those who solved it."""
        if not self.best or not self.solved:
            return None
        return median(each.moves for each in self.solved) / self.best

    @property
    def median_time(self) -> float:
        """The median of active seconds, where those who did not solve it took longer than any other."""
        times = [each.active_s if each.solved else math.inf for each in self.attempts]
        return median(times) if times else math.inf


def attempts_of(
    games: Iterable[Game], outlooks: dict[str, Outlooks]
) -> dict[tuple[str, str], Attempt]:
    """Returns the attempts by digest and session; puzzles that were only looked at do not count."""
    grouped: dict[tuple[str, str], list[Game]] = {}
    for game in games:
        own = grouped.setdefault((game.digest, game.session), [])
        looked = game.outcome == UNFINISHED and not game.changes
        if not (looked or (own and own[-1].solved)):
            own.append(game)
    return {
        key: Attempt(tuple(own), tuple(game_row(game, outlooks[key[0]], None) for game in own))
        for key, own in grouped.items()
        if own
    }


def figures_of(
    games: Sequence[Game],
    outlooks: dict[str, Outlooks],
    planners: Callable[[Puzzle, str], dict[str, PlannerResult]],
    score: Callable[[Puzzle, str], float | None],
) -> list[PuzzleFigures]:
    """Returns the figures of all puzzles that were attempted, the easiest first.

    `planners` returns the results of planners on a puzzle, given with its digest, and `score` how hard it is.
    """
    by_puzzle: dict[str, list[Attempt]] = {}
    for (digest, _), attempt in attempts_of(games, outlooks).items():
        by_puzzle.setdefault(digest, []).append(attempt)
    found = []
    for digest, attempts in by_puzzle.items():
        puzzle = attempts[0].games[0].puzzle
        start = outlooks[digest][puzzle.initial_state]
        found.append(
            PuzzleFigures(
                puzzle=puzzle,
                digest=digest,
                attempts=tuple(attempts),
                best=start.best,
                shortest=start.shortest,
                score=score(puzzle, digest) if puzzle.goal else None,
                planners=planners(puzzle, digest) if puzzle.goal else {},
            )
        )
    return sorted(
        found, key=lambda each: (math.inf if each.score is None else each.score, each.puzzle.name)
    )


def quick_planners(
    cache: Cache, seconds: float = PLANNER_SECONDS
) -> Callable[[Puzzle, str], dict[str, PlannerResult]]:
    """Returns a function that runs planners on a puzzle for a few seconds, if any; results are kept."""

    def run(puzzle: Puzzle, name: str) -> dict[str, Any]:
        result = solve(puzzle, name, time_limit=seconds)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        return {"status": result.status, "seconds": result.seconds, "length": result.length}

    def results(puzzle: Puzzle, digest: str) -> dict[str, PlannerResult]:
        return {
            name: PlannerResult(
                **cache.fact(digest, f"{name}, {seconds:g} s", partial(run, puzzle, name))
            )
            for name in PLANNERS
            if seconds > 0
        }

    return results


def measured_planners(
    results: Sequence[Results],
) -> Callable[[Puzzle, str], dict[str, PlannerResult]]:
    """Returns a function that looks up what a benchmark has measured on a puzzle."""
    rows = runs_by_planner(results)

    def found(_: Puzzle, digest: str) -> dict[str, PlannerResult]:
        return {
            row.label: PlannerResult(run.status, run.seconds, run.length)
            for row in rows
            for task, run in row.runs.items()
            if digest.startswith(task.digest)
        }

    return found


def correlations(
    figures: Sequence[PuzzleFigures], ratings: Mapping[str, Mapping[str, float]]
) -> dict[str, Spearman]:
    """Returns the rank correlation of our score with what is hard for people, by measure.

    `ratings` are means of answers, by question and digest of the puzzle.
    """
    scored = [each for each in figures if each.score is not None and each.attempts]
    measures: dict[str, list[float | None]] = {
        "share not solved": [1 - (each.share.value or 0) for each in scored],
        "median time": [each.median_time for each in scored],
        "moves to best moves": [each.detour for each in scored],
    }
    for question, means in ratings.items():
        measures[f"mean answer: {question}"] = [means.get(each.digest) for each in scored]
    found = {}
    for name, values in measures.items():
        pairs = [
            (float(each.score or 0), value)
            for each, value in zip(scored, values, strict=True)
            if value is not None
        ]
        found[name] = spearman([one for one, _ in pairs], [other for _, other in pairs])
    return found


def seconds_text(seconds: float) -> str:
    """Returns a time with as many digits as matter."""
    if seconds < 0.01:
        return "<0.01 s"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:,.0f} s"
