"""``pushworld analyze`` and ``pushworld design``: what puzzles demand, and new ones that do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pushworld.cli.arguments import JsonOption, PuzzleArgument
from pushworld.datasets import resolve_puzzle

if TYPE_CHECKING:
    from pushworld.design.analysis import Analysis

INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("analyze")(analyze_puzzle)


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


def _table(analysis: Analysis) -> Table:
    """Returns the analysis for a person to read."""
    from pushworld.design.explanation import explain

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), title=analysis.puzzle)
    for topic, text in explain(analysis):
        table.add_row(f"[bold]{topic}[/]", text)
    return table
