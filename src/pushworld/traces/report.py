"""The report about recorded games: figures, and a page with every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pushworld.bench.store import read_results
from pushworld.bench.tables import Table
from pushworld.design.difficulty import grade
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.traces.cache import Cache, cache_beside
from pushworld.traces.figures import (
    PLANNER_SECONDS,
    PuzzleFigures,
    figures_of,
    measured_planners,
    quick_planners,
)
from pushworld.traces.games import read_games
from pushworld.traces.measures import Effort, outlooks_of
from pushworld.traces.page import MOST_PEOPLE, page_of
from pushworld.traces.recording import Recording
from pushworld.traces.summary import tables_of
from pushworld.traces.tables import read_participants, read_ratings

NOTES = (
    "Solved: by the person; a game that the machine played to its end is not. Intervals of shares are "
    "Wilson's, those of medians follow from the order of the values and need six of them.",
    "Active time leaves out what passed while the page was closed or had lost the attention.",
    "Best plan: the shortest that a planner or a person has found; * if it is not proved that none is "
    "shorter. In a dead end: at least one position was proved to be unsolvable. Planners search with a "
    "budget of states, so a dead end may stay undetected.",
    "Rank correlations are over puzzles. In the median time, those who did not solve a puzzle count as "
    "slower than all others. Our score is that of 'pushworld analyze'.",
)
OUTSIDE_A_STUDY = (
    "These games were recorded outside a study: a person who came twice counts twice, and people "
    "chose what they played."
)


@dataclass(frozen=True)
class TraceReport:
    """A report: the figures of puzzles, means of answers by question and digest, tables, the HTML page, notes."""

    figures: list[PuzzleFigures]
    ratings: dict[str, dict[str, float]]
    tables: dict[str, Table]
    page: str
    notes: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns the tables as values for JSON."""
        tables = {name: table.records() for name, table in self.tables.items()}
        return {**tables, "notes": self.notes}


def make_report(
    database: Path,
    *,
    effort: Effort | None = None,
    results: Sequence[Path] = (),
    seconds: float = PLANNER_SECONDS,
    cache: Path | None = None,
    on_positions: Callable[[int, int], None] = lambda done, total: None,
    on_puzzle: Callable[[str], None] = lambda name: None,
) -> TraceReport:
    """Returns the report about a recording. Interrupted, it continues when called again; raises PushWorldError.

    Args:
        database: of the recorded games.
        effort: how hard planners try to judge positions; None: only what is known already.
        results: folders of a benchmark; none: the planners run for a few seconds.
        seconds: of each of these runs; 0: no planner runs.
        cache: the file that keeps what planners find out; by default one beside the recording.
        on_positions: called with the number of positions that planners have judged, and of all.
        on_puzzle: called with the name of each puzzle before it is graded and solved.
    """
    with Recording(database) as recording, Cache(cache or cache_beside(database)) as kept:
        games = read_games(recording)
        outlooks = outlooks_of(games, effort, kept, on_positions)

        def graded(puzzle: Puzzle, digest: str) -> float:
            on_puzzle(puzzle.name)
            score: float = kept.fact(digest, "difficulty", lambda: grade(puzzle).score)
            return score

        if results:
            planners = measured_planners([read_results(folder) for folder in results])
        else:
            planners = quick_planners(kept, seconds)
        figures = figures_of(games, outlooks, planners, graded)
        if not figures:
            raise PushWorldError(f"{database} has no games to report on: nobody has made a move")
        attempted = {attempt.session for each in figures for attempt in each.attempts}
        people: dict[str, str | None] = {
            session: each.condition
            for session, each in read_participants(recording).items()
            if session in attempted
        }
        people |= dict.fromkeys(sorted(attempted - people.keys()))
        ratings = read_ratings(recording)
        notes = [*NOTES]
        if results:
            notes.append("Planners: as the benchmark measured them.")
        else:
            notes.append(
                f"Planners: one run of at most {seconds:g} s on one thread of this machine."
            )
        if not recording.title:
            notes.append(OUTSIDE_A_STUDY)
        if len(people) > MOST_PEOPLE:
            notes.append(
                f"The page plays the games of the first {MOST_PEOPLE} of {len(people)} people."
            )
        title = recording.title or "Recorded games"
    tables = tables_of(figures, people, ratings)
    page = page_of(title, figures, outlooks, list(people), tables, notes)
    return TraceReport(figures, ratings, tables, page, notes)
