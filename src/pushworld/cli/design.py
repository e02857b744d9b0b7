"""``pushworld analyze`` and ``pushworld design``: what puzzles demand, and new ones that do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pushworld.cli.arguments import JsonOption, PuzzleArgument
from pushworld.cli.exit_codes import INTERRUPTED
from pushworld.cli.output import counted, echo_report, shown_progress
from pushworld.datasets import resolve_puzzle
from pushworld.machine import usable_cores

if TYPE_CHECKING:
    from pushworld.design.analysis import Analysis


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("analyze")(analyze_puzzle)
    app.command("design")(design_puzzles)


def analyze_puzzle(
    puzzle: PuzzleArgument,
    effort: Annotated[
        str, typer.Option(help="quick, normal or thorough: how much each experiment may cost.")
    ] = "normal",
    as_json: JsonOption = False,
) -> None:
    """Find out by experiment what a puzzle demands: tools, obstacles, orders, dead ends, level.

    The puzzle is solved as it is, without each object, for each goal alone, and from states that
    careless play reaches. The answer is the same on every run.

    [bold]Examples[/]

    pushworld analyze deep-water

    pushworld analyze maze.pwp --effort thorough

    pushworld analyze maze.pwp --json
    """
    from pushworld.design.analysis import analyze
    from pushworld.design.effort import named_effort

    chosen = named_effort(effort)
    world = resolve_puzzle(puzzle)
    console = Console(stderr=True)
    try:
        with console.status("reading") as line:
            analysis = analyze(world, chosen, on_step=line.update)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps(analysis.as_dict()))
    else:
        Console().print(_table(analysis))


def design_puzzles(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="The folder to write or to go on with."),
    ],
    level: Annotated[int, typer.Option(min=1, max=4, help="From 1, easy, to 4.")] = 2,
    skill: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SKILL", help="What the puzzles must demand; may be given several times."
        ),
    ] = None,
    size: Annotated[str, typer.Option(help="Columns x rows of the interior.")] = "10x10",
    count: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same files.")] = 0,
    minimal: Annotated[
        bool, typer.Option("--minimal", help="Remove every wall and object that changes nothing.")
    ] = False,
    start: Annotated[
        str | None, typer.Option("--from", metavar="PUZZLE", help="Begin with this puzzle.")
    ] = None,
    evaluations: Annotated[
        int, typer.Option(min=1, help="How many puzzles the search for one looks at.")
    ] = 400,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Cores to use; the result does not depend on them.")
    ] = None,
    engine: Annotated[str, typer.Option(help="local, or ray for a cluster.")] = "local",
    address: Annotated[str | None, typer.Option(help="Of the Ray cluster.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Design puzzles of a level and of skills. Run it again to go on after an interruption.

    [bold]Examples[/]

    pushworld design --level 3 --skill tool-use --size 20x20 --count 10 --seed 7 -o tools

    pushworld design --level 1 --size 7x6 --minimal -o small

    pushworld design --level 2 --skill multiple-goals --from lid-last -o lids
    """
    from pushworld.design.engines import choose_engine
    from pushworld.design.folder import design_folder
    from pushworld.design.quality import Wish
    from pushworld.design.search import DesignRequest, parse_size

    width, height = parse_size(size)
    request = DesignRequest(
        wish=Wish(level, tuple(skill or ())),
        width=width,
        height=height,
        seed=seed,
        minimal=minimal,
        evaluations=evaluations,
        start=None if start is None else resolve_puzzle(start).to_pwp(),
    )
    with shown_progress("designing", count) as show:
        made_by = choose_engine(engine, workers or usable_cores(), address)
        report = design_folder(
            output, request, count, made_by, lambda made, n: show(made, f"{n} searches")
        )
    searches = counted(report.searches, "search", "searches")
    effort = f"{searches} looked at {counted(report.looked_at, 'puzzle')}"
    echo_report(report, effort, as_json=as_json)


def _table(analysis: Analysis) -> Table:
    """Returns the analysis for a person to read."""
    from pushworld.design.explanation import explain

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), title=analysis.puzzle)
    for topic, text in explain(analysis):
        table.add_row(f"[bold]{topic}[/]", text)
    return table
