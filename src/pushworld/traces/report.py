"""The report about recorded games: figures, and a page with every game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pushworld.bench.store import read_results
from pushworld.bench.tables import NOTHING, Table
from pushworld.design.difficulty import grade
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.statistics import Share, median_interval
from pushworld.traces.cache import Cache, cache_beside
from pushworld.traces.figures import (
    PLANNER_SECONDS,
    PuzzleFigures,
    correlations,
    figures_of,
    measured_planners,
    quick_planners,
    seconds_text,
)
from pushworld.traces.games import read_games
from pushworld.traces.measures import Effort, outlooks_of
from pushworld.traces.page import MOST_PEOPLE, page_of
from pushworld.traces.recording import Recording
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
            source = "as the benchmark measured them"
        else:
            planners = quick_planners(kept, seconds)
            source = f"one run of at most {seconds:g} s on one thread of this machine"
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
        notes = [*NOTES, f"Planners: {source}."]
        if not recording.title:
            notes.append(OUTSIDE_A_STUDY)
        if len(people) > MOST_PEOPLE:
            notes.append(
                f"The page plays the games of the first {MOST_PEOPLE} of {len(people)} people."
            )
        title = recording.title or "Recorded games"
    found = {
        "puzzles": puzzle_table(figures),
        "conditions": condition_table(figures, people),
        "comparison": comparison_table(figures),
        "correlation": correlation_table(figures, ratings),
    }
    tables = {name: table for name, table in found.items() if table is not None}
    page = page_of(title, figures, outlooks, list(people), tables, notes)
    return TraceReport(figures, ratings, tables, page, notes)


def puzzle_table(figures: Sequence[PuzzleFigures]) -> Table:
    """Returns how people did on each puzzle."""
    header = ["puzzle", "difficulty score", "people", "solved (95 %)", "median time (95 %)"]
    header += ["moves", "best plan", "moves / best", "in a dead end", "gave up", "asked for help"]
    rows = []
    for each in figures:
        best = NOTHING if each.best is None else f"{each.best}{'' if each.shortest else ' *'}"
        rows.append(
            [
                each.puzzle.name,
                NOTHING if each.score is None else f"{each.score:.2f}",
                str(len(each.attempts)),
                str(each.share),
                _times(each.times),
                f"{median(a.moves for a in each.solved):g}" if each.solved else NOTHING,
                best,
                NOTHING if each.detour is None else f"{each.detour:.2f}",
                str(sum(a.lost for a in each.attempts)),
                str(sum(a.outcome == "gave-up" for a in each.attempts)),
                str(sum(a.helped for a in each.attempts)),
            ]
        )
    return Table(header, rows)


def condition_table(
    figures: Sequence[PuzzleFigures], conditions: Mapping[str, str | None]
) -> Table | None:
    """Returns how the groups of a study did on each puzzle; None if there are no groups."""
    names = sorted({each for each in conditions.values() if each is not None})
    if len(names) < 2:
        return None
    rows = []
    for each in figures:
        row = [each.puzzle.name]
        for name in names:
            own = [a for a in each.attempts if conditions.get(a.session) == name]
            solved = [a for a in own if a.solved]
            row += [str(Share(len(solved), len(own))), _times(sorted(a.active_s for a in solved))]
        rows.append(row)
    header = [text for name in names for text in (f"{name}: solved", f"{name}: median time")]
    return Table(["puzzle", *header], rows)


def comparison_table(figures: Sequence[PuzzleFigures]) -> Table:
    """Returns people against planners, puzzle by puzzle."""
    names = list(dict.fromkeys(name for each in figures for name in each.planners))
    rows = []
    for each in figures:
        plans = f"{each.plans[0]} to {each.plans[-1]} moves" if each.plans else NOTHING
        results = [str(each.planners[name]) if name in each.planners else NOTHING for name in names]
        rows.append([each.puzzle.name, str(each.share), _times(each.times), plans, *results])
    return Table(["puzzle", "people solved", "people's time", "people's plans", *names], rows)


def correlation_table(
    figures: Sequence[PuzzleFigures], ratings: Mapping[str, Mapping[str, float]]
) -> Table:
    """Returns how our score agrees with what is hard for people, and with what they answered."""
    rows = []
    for name, found in correlations(figures, ratings).items():
        rho = NOTHING if found.rho is None else f"{found.rho:.2f}"
        interval = "{:.2f} to {:.2f}".format(*found.interval) if found.interval else NOTHING
        rows.append([name, rho, interval, str(found.pairs)])
    return Table(["hard for people", "Spearman's rho", "95 % interval", "puzzles"], rows)


def _times(times: Sequence[float]) -> str:
    if not times:
        return NOTHING
    interval = median_interval(times)
    within = " ({}–{})".format(*map(seconds_text, interval)) if interval else ""
    return f"{seconds_text(median(times))}{within}"
