"""The tables of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from pushworld.bench.statistics import Share, median_interval
from pushworld.bench.tables import NOTHING, Table
from pushworld.traces.figures import PuzzleFigures, correlations, seconds_text


def tables_of(
    figures: Sequence[PuzzleFigures],
    conditions: Mapping[str, str | None],
    ratings: Mapping[str, Mapping[str, float]],
) -> dict[str, Table]:
    """Returns the tables by name; see `correlations` for `ratings`, conditions are by session."""
    tables = {
        "puzzles": puzzle_table(figures),
        "conditions": condition_table(figures, conditions),
        "comparison": comparison_table(figures),
        "correlation": correlation_table(figures, ratings),
    }
    return {name: table for name, table in tables.items() if table is not None}


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
        interval = (
            NOTHING
            if found.interval is None
            else f"{found.interval[0]:.2f} to {found.interval[1]:.2f}"
        )
        rows.append([name, rho, interval, str(found.pairs)])
    return Table(["hard for people", "Spearman's rho", "95 % interval", "puzzles"], rows)


def _times(times: Sequence[float]) -> str:
    if not times:
        return NOTHING
    interval = median_interval(times)
    within = (
        "" if interval is None else f" ({seconds_text(interval[0])}–{seconds_text(interval[1])})"
    )
    return f"{seconds_text(median(times))}{within}"
