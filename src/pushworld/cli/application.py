"""The Typer application of ``pushworld`` with the commands of all modules."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

EXIT_CODES = """\
[bold]Exit codes[/]

0 success: a puzzle is solved, a plan is valid

1 no success: a plan is not valid, data is missing

2 bad input: one line on standard error says what is wrong

10 unsolvable, 11 time limit, 12 memory limit, 13 interrupted, 14 state limit
"""

app = typer.Typer(
    name="pushworld",
    help="PushWorld: puzzles about pushing things, to play, to plan and to learn.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pushworld {version('pushworld')}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


def _register_commands() -> None:
    """Adds the commands of every module, in the order in which help lists them."""
    from pushworld.cli import (
        agents,
        benchmark,
        data,
        design,
        export,
        generate,
        learning,
        llm,
        pictures,
        play,
        puzzles,
        solve,
        study,
        text,
        traces,
    )

    solve.register(app)
    puzzles.register(app)
    pictures.register(app)
    play.register(app)
    study.register(app)
    traces.register(app)
    benchmark.register(app)
    export.register(app)
    data.register(app)
    generate.register(app)
    learning.register(app)
    agents.register(app)
    design.register(app)
    text.register(app)
    llm.register(app)


_register_commands()
