"""``pushworld benchmark`` and ``pushworld report``."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pushworld.cli.arguments import (
    AddressOption,
    EngineOption,
    JsonOption,
    MarkdownOption,
    PackOption,
    names_in,
    output_option,
)
from pushworld.cli.consoles import interruptible, status_line, table_console
from pushworld.cli.output import counted

if TYPE_CHECKING:
    from pushworld.bench import Results, Run
    from pushworld.datasets import HumanSolutions

REPORT = "report"


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(epilog="Exit code: 0 finished, 13 interrupted, 2 bad input.")(benchmark)
    app.command(epilog="Exit code: 0 all results hold, 1 some do not, 2 bad input.")(report)


def benchmark(
    more: Annotated[
        list[str] | None, typer.Argument(metavar="SET|DIR", help="The same as --puzzles.")
    ] = None,
    puzzles: Annotated[
        list[str] | None,
        typer.Option(metavar="SET|DIR ...", help="Sets, folders or files.", show_default="bundled"),
    ] = None,
    planners: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Names that 'pushworld planners' lists, TOML files, or module:attribute.",
        ),
    ] = "default,novelty-rgd,rgd",
    every: Annotated[int, typer.Option(metavar="N", help="Take the first of every N puzzles.")] = 1,
    time_limit: Annotated[float, typer.Option(help="Seconds per run.")] = 60,
    clock: Annotated[
        Literal["wall", "cpu"],
        typer.Option(help="Limit wall time, or CPU time, which other work hardly changes."),
    ] = "wall",
    memory_limit: Annotated[
        float, typer.Option(help="Gigabytes per run, for all its processes.")
    ] = 8,
    threads: Annotated[
        int, typer.Option(help="Threads per run, for planners that use several.")
    ] = 1,
    seed: Annotated[int, typer.Option(help="Random seed, for planners that use one.")] = 0,
    workers: Annotated[
        int | None,
        typer.Option(help="Runs at the same time.", show_default="as many as the cores allow"),
    ] = None,
    engine: EngineOption = "local",
    address: AddressOption = None,
    output: Annotated[Path, output_option("The results folder.")] = Path("results"),
    restart: Annotated[
        bool, typer.Option("--restart", help="Discard the results in the folder.")
    ] = False,
    rerun: Annotated[
        str, typer.Option(metavar="NAME,...", help="Planners whose runs are repeated.")
    ] = "",
    rerun_errors: Annotated[
        bool,
        typer.Option("--rerun-errors", help="Repeat runs that failed, but not those at a limit."),
    ] = False,
    markdown: MarkdownOption = False,
) -> None:
    """Run planners on puzzles under limits, and report who solves what.

    Every run is stored as soon as it ends. After any interruption, the same command continues. A planner
    whose version or code has changed runs again.

    [bold]Examples[/]

    pushworld benchmark
    pushworld benchmark --puzzles level1 level2 --planners default,novelty-rgd -o results/levels
    pushworld benchmark my-puzzles --planners default,mine.toml --time-limit 10
    pushworld benchmark my-puzzles --planners default,mine:planner --rerun-errors
    pushworld benchmark --puzzles level1 level2 --every 8 --clock cpu --planners ff,lama
    pushworld benchmark --puzzles level3 --engine ray --address auto -o results/cluster
    """
    from pushworld.bench import run
    from pushworld.bench.human import chosen_solutions
    from pushworld.bench.report import print_tables

    with interruptible(), status_line("starting") as show:
        results = run(
            output,
            [*(puzzles or []), *(more or [])] or ["bundled"],
            names_in(planners),
            time_limit=time_limit,
            memory_limit_gb=memory_limit,
            threads=threads,
            seed=seed,
            workers=workers,
            engine=engine,
            address=address,
            restart=restart,
            rerun=names_in(rerun),
            rerun_errors=rerun_errors,
            watcher=RunsLine(show),
            clock=clock,
            every=every,
        )
    people = chosen_solutions(None)
    print_tables([results], table_console(), markdown=markdown, people=people)
    _write_report([results], output / REPORT, people)


def report(
    context: typer.Context,
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR", help="Results folders or archives.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        output_option(
            "Folder for the figure and the page.", default=f"{REPORT} in the first folder"
        ),
    ] = None,
    pack: PackOption = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write all runs as CSV, and each table as CSV, LaTeX (booktabs) and Markdown.",
        ),
    ] = None,
    human: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Plans of people, for a row 'human': a database of 'play --record', a folder of "
            "YAML files or a CSV file; none leaves the row out.",
            show_default="those that 'data import' has installed",
        ),
    ] = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Report results: tables, the figure, and a page with every run and plan.

    Every plan is replayed, and limits and digests are compared: a run that is not what it claims does not
    count. A benchmark may still be adding to a folder. If several folders have runs of a planner, its
    label includes the folder's name.

    [bold]Examples[/]

    pushworld report results
    pushworld report results --markdown
    pushworld report before after -o comparison
    pushworld report results --pack mine.zip
    pushworld report mine.zip theirs.zip -o scoreboard
    pushworld report results --tables paper/tables
    pushworld report results --human solutions/
    """
    from pushworld.bench import read_results
    from pushworld.bench.archives import pack_folder, unpacked, verified
    from pushworld.bench.human import chosen_solutions
    from pushworld.bench.report import print_tables, report_tables, rows_of_report, write_tables
    from pushworld.bench.tables import notes

    opened = context.with_resource(unpacked(folders))
    claimed = [read_results(folder) for folder in opened]
    results = [verified(each) for each in claimed]
    people = chosen_solutions(human)
    planners = rows_of_report(results, people)
    if as_json:
        records = {name: table.records() for name, table in report_tables(planners).items()}
        typer.echo(json.dumps({**records, "notes": list(notes(planners))}))
    else:
        print_tables(results, table_console(), markdown=markdown, people=people)
    for path in write_tables(results, planners, tables) if tables is not None else ():
        typer.echo(f"wrote {path}", err=True)
    first = folders[0] if folders[0].is_dir() else folders[0].parent
    _write_report(results, output or first / REPORT, people)
    if pack is not None:
        typer.echo(f"wrote {pack}, SHA-256 {pack_folder(opened, pack)}", err=True)
    if wrong := _solved(claimed) - _solved(results):
        typer.echo(f"not what they claim, and not counted: {counted(wrong, 'run')}", err=True)
        raise typer.Exit(1)


class RunsLine:
    """A watcher of a benchmark that shows how many runs have ended, who solved how many, and how long the rest may take."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._solved: Counter[str] = Counter()
        self._total = self._known = self._ended = self._running = 0
        self._begun = time.monotonic()

    def on_plan(self, jobs: Sequence[Any], known: Sequence[Run]) -> None:
        self._total, self._known = len(jobs) + len(known), len(known)
        if known:
            typer.echo(f"{len(known)} of {self._total} runs are there already", err=True)
        for run in known:
            self._count(run)
        typer.echo(self._text(), err=True)

    def on_start(self, _: Any) -> None:
        self._running += 1
        self._show(self._text())

    def on_end(self, run: Run) -> None:
        self._running -= 1
        self._count(run)
        self._show(self._text())
        if self._ended == self._total:
            typer.echo(self._text(), err=True)

    def _count(self, run: Run) -> None:
        self._ended += 1
        self._solved[run.planner] += run.status == "solved"

    def _text(self) -> str:
        text = f"{self._ended} of {self._total} runs, {self._solved.total()} solved"
        if len(self._solved) > 1:
            text += f" ({', '.join(f'{name} {count}' for name, count in self._solved.items())})"
        text += f", {self._running} running" if self._running else ""
        done, left = self._ended - self._known, self._total - self._ended
        if done and left:
            seconds = (time.monotonic() - self._begun) / done * left
            text += f", about {timedelta(seconds=round(seconds))} left"
        return text


def _solved(results: list[Results]) -> int:
    return sum(run.status == "solved" for each in results for run in each.runs)


def _write_report(
    results: list[Results], folder: Path, people: HumanSolutions | None = None
) -> None:
    """Writes the figure and the page, and prints their paths."""
    from pushworld.bench.report import write_report

    written = write_report(results, folder, people)
    for path in (*written.figures, written.page):
        typer.echo(f"wrote {path}", err=True)
    if written.missing is not None:
        typer.echo(f"no figure: {written.missing}", err=True)
