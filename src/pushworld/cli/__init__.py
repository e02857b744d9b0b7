"""The command line: one module for each group of commands, none with logic of its own."""

from __future__ import annotations

import signal
import sys
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from pushworld.cli.exit_codes import BAD_INPUT
from pushworld.puzzle import PushWorldError

EXIT_CODES = """\
[bold]Exit codes[/]

0 success: a puzzle is solved, a plan is valid

1 no success: a plan is not valid, data is missing

2 bad input: one line on standard error says what is wrong

10 unsolvable, 11 time limit, 12 memory limit, 13 interrupted
"""

app = typer.Typer(
    name="pushworld",
    help="PushWorld: puzzles about pushing things, and everything to play, plan and learn in them.",
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
    """Adds the commands of every module; help lists them in this order."""
    from pushworld.cli import (
        benchmark,
        data,
        design,
        export,
        generate,
        learning,
        pictures,
        play,
        puzzles,
        solve,
        traces,
    )

    solve.register(app)
    puzzles.register(app)
    pictures.register(app)
    play.register(app)
    traces.register(app)
    benchmark.register(app)
    export.register(app)
    data.register(app)
    generate.register(app)
    learning.register(app)
    design.register(app)


_register_commands()


def main() -> None:
    """Runs the command line; a user's mistake is one line on standard error and exit code 2.

    SIGTERM, with which schedulers end a job, is Ctrl-C: what is done is kept, and no process stays.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except PushWorldError as error:
        message = f"[bold red]error:[/] {escape(str(error))}"
        Console(stderr=True, soft_wrap=True).print(message, highlight=False)
        sys.exit(BAD_INPUT)
