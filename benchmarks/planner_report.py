"""Tables about runs of planners."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from planner_runs import Run, Settings
from rich.console import Console
from rich.table import Table

THRESHOLDS = (1.0, 10.0, 60.0)
LONG_ENOUGH_FOR_RATES = 0.1
NOTHING = "–"

Task = tuple[str, str, str]


@dataclass(frozen=True)
class Rows:
    """A table: the first column holds names, the others figures."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        lines = [self.header, ["---", *["--:"] * (len(self.header) - 1)], *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def rich(self) -> Table:
        table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
        for index, name in enumerate(self.header):
            table.add_column(name, justify="right" if index else "left", no_wrap=not index)
        for row in self.rows:
            table.add_row(*row)
        return table


def print_report(runs: Sequence[Run], *, markdown: bool) -> None:
    """Prints solved puzzles by level and time, comparisons with the first planner, the machine."""
    by_planner: dict[str, dict[Task, Run]] = {run.planner: {} for run in runs}
    for run in runs:
        by_planner[run.planner][run.task] = run
    tables = (solved_by_level(by_planner), comparison(by_planner))
    notes = [*missing(by_planner), *circumstances(runs)]
    if markdown:
        print("\n\n".join([*(table.markdown() for table in tables), "  \n".join(notes)]))
        return
    console = Console(highlight=False)
    for table in tables:
        console.print(table.rich())
        console.print()
    for note in notes:
        console.print(note, markup=False, soft_wrap=True)


def solved_by_level(by_planner: dict[str, dict[Task, Run]]) -> Rows:
    """Returns how many puzzles of each level each planner solves within some times."""
    tasks = {task for runs in by_planner.values() for task in runs}
    levels = Counter(level for level, _, _ in sorted(tasks))
    header = ["planner", "within", *(f"{level} ({count})" for level, count in levels.items())]
    rows = []
    for planner, runs in by_planner.items():
        limit = max(run.settings.time_limit for run in runs.values())
        for seconds in sorted({*(each for each in THRESHOLDS if each <= limit), limit}):
            solved = Counter(run.level for run in runs.values() if run.solved_within(seconds))
            counts = [str(solved[level]) for level in levels]
            rows.append([planner, f"{seconds:g} s", *counts, str(solved.total())])
    return Rows([*header, f"all ({len(tasks)})"], rows)


def comparison(by_planner: dict[str, dict[Task, Run]]) -> Rows:
    """Returns times and lengths of plans against the first planner, and the speed of each."""
    reference = next(iter(by_planner))
    rows = []
    for planner, runs in by_planner.items():
        pairs = list(solved_by_both(by_planner[reference], runs))
        rates = [
            run.states_per_second
            for run in runs.values()
            if run.seconds > LONG_ENOUGH_FOR_RATES and run.states_per_second > 0
        ]
        unsolved = Counter(run.status for run in runs.values() if run.status != "solved")
        rows.append(
            [
                planner,
                str(next(iter(runs.values())).settings.threads_of(planner)),
                str(len(pairs)),
                ratio(geometric_mean([run.seconds / first.seconds for first, run in pairs])),
                ratio(mean_length(pairs)),
                f"{geometric_mean(rates):,.0f}" if rates else NOTHING,
                ", ".join(f"{count} {status}" for status, count in unsolved.items()) or NOTHING,
            ]
        )
    header = (
        "planner",
        "threads",
        f"solved by {reference} too",
        "time ratio",
        "length ratio",
        "states a second",
        "not solved",
    )
    return Rows(header, rows)


def solved_by_both(ours: dict[Task, Run], theirs: dict[Task, Run]) -> Iterator[tuple[Run, Run]]:
    """Gives the runs of both planners on each puzzle that both solve."""
    for task in ours.keys() & theirs.keys():
        if ours[task].status == theirs[task].status == "solved":
            yield ours[task], theirs[task]


def mean_length(pairs: Iterable[tuple[Run, Run]]) -> float | None:
    """Returns the mean of how many times as long the second plans are, if there are any."""
    ratios = [other.length / one.length for one, other in pairs if one.length and other.length]
    return fmean(ratios) if ratios else None


def geometric_mean(values: Sequence[float]) -> float | None:
    return math.exp(fmean(map(math.log, values))) if values else None


def ratio(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def missing(by_planner: dict[str, dict[Task, Run]]) -> Iterator[str]:
    """Gives a line for each planner that was not run on all puzzles."""
    tasks = {task for runs in by_planner.values() for task in runs}
    for planner, runs in by_planner.items():
        if len(runs) < len(tasks):
            yield f"Not finished: {planner} was run on {len(runs)} of the {len(tasks)} puzzles."


def circumstances(runs: Sequence[Run]) -> Iterator[str]:
    """Gives lines on what the figures mean and where and when they were measured."""
    yield (
        "Ratios are against the first planner on puzzles that both solve: geometric mean of times, "
        f"mean of plan lengths. States a second: geometric mean of runs over "
        f"{LONG_ENOUGH_FOR_RATES:g} s."
    )
    for settings in dict.fromkeys(run.settings for run in runs):
        yield limits(settings, [run for run in runs if run.settings == settings])
    dates = sorted({run.date for run in runs})
    yield f"{runs[0].settings.machine}, {' to '.join(dict.fromkeys([dates[0], dates[-1]]))}."


def limits(settings: Settings, runs: Sequence[Run]) -> str:
    planners = ", ".join(dict.fromkeys(run.planner for run in runs))
    return (
        f"{planners}: {settings.time_limit:g} s and {settings.memory_limit_gb:g} GB a puzzle, "
        f"seed {settings.seed}, pushworld {settings.version} (build {settings.build})."
    )
