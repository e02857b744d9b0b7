"""The report about folders of results: tables, the figure, and a page."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rich.console import Console

from pushworld.bench.figure import write_figure
from pushworld.bench.html_page import page_of, puzzles_of
from pushworld.bench.human import with_people
from pushworld.bench.records import Run, Settings
from pushworld.bench.scores import comparison, scores
from pushworld.bench.store import Results
from pushworld.bench.tables import PlannerRuns, Table, coverage, notes, runs_by_planner, show_tables
from pushworld.datasets.human import HumanSolutions
from pushworld.files import make_folder, write_text
from pushworld.puzzle import PushWorldError


@dataclass(frozen=True)
class WrittenReport:
    """The files of a report."""

    page: Path  # the HTML page
    figures: tuple[Path, ...]  # the figure as SVG and PNG; empty if it could not be drawn
    missing: str | None  # the reason for that, or None


def rows_of_report(
    results: Sequence[Results], people: HumanSolutions | None = None
) -> list[PlannerRuns]:
    """Returns the runs of each planner, and those of people if there are any; raises PushWorldError."""
    return with_people(runs_by_planner(results), puzzles_of(results), people)


def report_tables(planners: Sequence[PlannerRuns]) -> dict[str, Table]:
    """Returns the tables of a report by name."""
    return {
        "coverage": coverage(planners),
        "scores": scores(planners),
        "comparison": comparison(planners),
    }


def runs_table(results: Sequence[Results]) -> Table:
    """Returns a row for each run: its folder, its settings and its record; unknown values are empty."""
    names = [each.name for record in (Settings, Run) for each in fields(record)]
    names = [name for name in names if name not in ("version", "build", "machine")]
    rows = []
    for each in results:
        for run in each.runs:
            values = vars(each.settings) | vars(run)
            cells = ["" if values[name] is None else str(values[name]) for name in names]
            rows.append([str(each.path), *cells])
    return Table(["folder", *names], rows)


def write_tables(
    results: Sequence[Results], planners: Sequence[PlannerRuns], folder: Path
) -> list[Path]:
    """Writes each table as CSV, LaTeX and Markdown, and all runs as CSV; returns the files. Raises PushWorldError."""
    written = [make_folder(folder) / "runs.csv"]
    write_text(written[0], runs_table(results).csv())
    for name, table in report_tables(planners).items():
        for suffix, text in {
            ".csv": table.csv(),
            ".tex": f"{table.latex()}\n",
            ".md": f"{table.markdown()}\n",
        }.items():
            written.append(folder / f"{name}{suffix}")
            write_text(written[-1], text)
    return written


def print_tables(
    results: Sequence[Results],
    console: Console,
    *,
    markdown: bool = False,
    people: HumanSolutions | None = None,
) -> None:
    """Prints coverage by level and time, scores, comparisons with the first planner, and the settings."""
    planners = rows_of_report(results, people)
    show_tables(report_tables(planners).values(), notes(planners), console, markdown=markdown)


def write_report(
    results: Sequence[Results], folder: Path, people: HumanSolutions | None = None
) -> WrittenReport:
    """Writes ``figure.svg``, ``figure.png`` and ``report.html`` into a folder; raises PushWorldError."""
    planners = rows_of_report(results, people)
    page = folder / "report.html"
    figures: tuple[Path, ...] = (folder / "figure.svg", folder / "figure.png")
    missing = None
    make_folder(folder)
    write_text(page, page_of(results, planners))
    try:
        write_figure([each for each in planners if each.timed], figures)
    except PushWorldError as error:
        figures, missing = (), str(error)
    return WrittenReport(page, figures, missing)
