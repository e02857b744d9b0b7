"""Tables about runs: coverage, times, plan lengths and memory of each planner."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Literal

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table as RichTable

from pushworld.bench.records import Run, Settings, TaskKey
from pushworld.bench.store import Results
from pushworld.datasets.sets import natural_order
from pushworld.puzzle import PushWorldError

THRESHOLDS = (1.0, 10.0, 60.0, 600.0)
LONG_ENOUGH_FOR_RATES = 0.1
NOTHING = "–"
HUMAN = "human"
WIDEST = 400
"""Characters of a line that is printed."""


@dataclass(frozen=True)
class PlannerRuns:
    """The runs of one planner in one folder."""

    label: str  # a unique label: the planner, and the folder if several have runs of it
    settings: Settings  # those of the runs
    runs: Mapping[TaskKey, Run]  # by puzzle

    @property
    def timed(self) -> bool:
        """Whether the runs have times; those of people and agents have none."""
        return self.settings.clock != "moves"


@dataclass(frozen=True)
class Table:
    """A table: the first column holds names, the others figures."""

    # header, rows: the cells
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    last_wraps: bool = True  # whether the last column holds text, which may be wrapped

    def markdown(self) -> str:
        lines = [self.header, ["---", *["--:"] * (len(self.header) - 1)], *self.rows]
        return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)

    def csv(self) -> str:
        file = StringIO(newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([self.header, *self.rows])
        return file.getvalue()

    def latex(self) -> str:
        """Returns a ``tabular`` that needs the package ``booktabs``."""
        columns = f"l{'r' * (len(self.header) - 1)}"
        head, *rows = (
            f"{' & '.join(map(_in_latex, row))} \\\\" for row in (self.header, *self.rows)
        )
        above = f"\\begin{{tabular}}{{{columns}}}", "\\toprule", head, "\\midrule"
        return "\n".join([*above, *rows, "\\bottomrule", "\\end{tabular}"])

    def records(self) -> list[dict[str, str]]:
        """Returns each row as a dictionary from header to cell."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]

    def rich(self) -> RichTable:
        table = RichTable(box=None, header_style="bold", padding=(0, 2, 0, 0))
        for index, name in enumerate(self.header):
            justify: Literal["left", "right"] = "right" if index else "left"
            may_wrap = self.last_wraps and index == len(self.header) - 1
            widest = max((len(row[index]) for row in self.rows), default=0)
            table.add_column(
                escape(name),
                justify=justify,
                no_wrap=not index,
                overflow="fold",
                # Headers and the text of the last column may wrap, figures must not.
                min_width=None if may_wrap else widest,
            )
        before = None
        for row in self.rows:
            table.add_row("" if row[0] == before else escape(row[0]), *map(escape, row[1:]))
            before = row[0]
        return table

    def show(self, console: Console) -> None:
        """Prints the table; a narrow terminal wraps its lines, where Rich would cut them off."""
        rich = self.rich()
        wanted = Measurement.get(console, console.options.update(max_width=WIDEST), rich)
        console.width = max(console.width, wanted.maximum)
        console.print(rich)
        console.print()


def show_tables(
    tables: Iterable[Table], lines: Iterable[str], console: Console, *, markdown: bool
) -> None:
    """Prints tables and the lines below them, in columns or as Markdown."""
    if markdown:
        lines = ["\n\n".join([*(table.markdown() for table in tables), "  \n".join(lines)])]
    else:
        for table in tables:
            table.show(console)
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _in_latex(cell: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {each: f"\\{each}" for each in "&%$#_{}"} | {"–": "--"}
    return "".join(special.get(each, each) for each in cell)


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|")


def runs_by_planner(results: Iterable[Results]) -> list[PlannerRuns]:
    """Returns the runs of each planner in each folder, timed ones first; raises PushWorldError if there are none."""
    folders = {each.path.resolve(): each for each in results}  # the same folder counts once
    namesakes = Counter(path.name for path in folders)
    found = [
        (
            planner,
            path.name if namesakes[path.name] == 1 else str(each.path),
            each.settings,
            {run.task: run for run in each.runs if run.planner == planner},
        )
        for path, each in folders.items()
        for planner in each.planners
    ]
    found = [each for each in found if each[-1]]
    if not found:
        raise PushWorldError("there are no runs to report on")
    several = Counter(planner for planner, *_ in found)
    made = [
        PlannerRuns(f"{planner} ({folder})" if several[planner] > 1 else planner, settings, runs)
        for planner, folder, settings, runs in found
    ]
    return sorted(made, key=lambda each: not each.timed)  # the charts show the first ones


def all_tasks(planners: Iterable[PlannerRuns]) -> list[TaskKey]:
    """Returns the puzzles of all planners, sorted."""
    tasks = {task for planner in planners for task in planner.runs}
    return sorted(tasks, key=lambda task: (natural_order(task.level), natural_order(task.puzzle)))


def coverage(planners: Sequence[PlannerRuns]) -> Table:
    """Returns how many puzzles of each level each planner solves within certain times."""
    tasks = all_tasks(planners)
    levels = Counter(task.level for task in tasks)
    rows = []
    for planner in planners:
        limit, tried = planner.settings.time_limit, {task.level for task in planner.runs}
        times = (
            {*(each for each in THRESHOLDS if each < limit), limit} if planner.timed else {limit}
        )
        for seconds in sorted(times):
            solved = Counter(
                run.level for run in planner.runs.values() if run.solved_within(seconds)
            )
            counts = [str(solved[level]) if level in tried else NOTHING for level in levels]
            within = f"{seconds:g} s" if planner.timed else NOTHING
            rows.append([planner.label, within, *counts, str(solved.total())])
    header = ["planner", "within", *(f"{level} ({count})" for level, count in levels.items())]
    return Table([*header, f"all ({len(tasks)})"], rows)


def notes(planners: Sequence[PlannerRuns]) -> Iterator[str]:
    """Yields lines that say what the figures mean, and where and when they were measured."""
    tasks = all_tasks(planners)
    for planner in planners:
        if planner.label != HUMAN and len(planner.runs) < len(tasks):
            yield (
                f"Not finished: {planner.label} was run on {len(planner.runs)} of the "
                f"{len(tasks)} puzzles."
            )
    yield from contradictions(planners)
    yield (
        "Ratios are against the first planner on puzzles that both solve: geometric means. States a second (geometric mean) and cores used are of runs over "
        f"{LONG_ENOUGH_FOR_RATES:g} s."
    )
    measured = [planner for planner in planners if planner.label != HUMAN]
    yield (
        "Scores: agile is the sum of 1 - log T / log L (1 within a second), satisficing the sum of "
        "best known length / length, both 0 if not solved; PAR-2 is the mean time, 2 L if not solved "
        "(T: seconds, L: limit). 95 % intervals over puzzles: Wilson for solved, bootstrap for the "
        "others."
    )
    yield "Every plan was replayed before it was counted. Times and memory are as the machine told them."
    for settings in dict.fromkeys(planner.settings for planner in measured):
        yield _circumstances([planner for planner in measured if planner.settings == settings])
    if len(measured) < len(planners):
        yield "human: the shortest plans of people, each replayed where it is known; they have no times."


def contradictions(planners: Sequence[PlannerRuns]) -> Iterator[str]:
    """Yields a line for each puzzle that one planner solves and another calls unsolvable."""
    for task in all_tasks(planners):
        runs = {planner.label: planner.runs[task] for planner in planners if task in planner.runs}
        solvers = [label for label, run in runs.items() if run.status == "solved"]
        for label, run in runs.items():
            if run.status == "unsolvable" and solvers:
                yield f"Wrong: {label} calls {task.puzzle} unsolvable, and {solvers[0]} solves it."


def _circumstances(planners: Sequence[PlannerRuns]) -> str:
    settings = planners[0].settings
    runs = [run for planner in planners for run in planner.runs.values()]
    dates = sorted({run.date[:10] for run in runs})
    processors = {run.processor for run in runs} - {settings.machine.processor}
    elsewhere = f" and on {', '.join(sorted(processors))}" if processors else ""
    at_once = "" if settings.workers is None else f", {settings.workers} at a time"
    unit = {"wall": "s", "cpu": "s of CPU time", "moves": "moves"}[settings.clock]
    return (
        f"{', '.join(planner.label for planner in planners)}: {settings.time_limit:g} {unit}, "
        f"{settings.memory_limit_gb:g} GB and {settings.threads} "
        f"thread{'s' * (settings.threads != 1)} a run{at_once}, seed {settings.seed}, pushworld "
        f"{settings.version} (build {settings.build}), on {settings.machine}{elsewhere}, "
        f"{' to '.join(dict.fromkeys([dates[0], dates[-1]]))}."
    )
