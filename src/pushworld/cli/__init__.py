"""The command line: one module for each group of commands, none with logic of its own."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.markup import escape

from pushworld.puzzle import PushWorldError

BAD_INPUT = 2

app = typer.Typer(
    name="pushworld",
    help="PushWorld: puzzles about pushing things, and everything to play, plan and learn in them.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _register_commands() -> None:
    """Adds the commands of every module; help lists them in this order."""
    from pushworld.cli import data, pictures

    pictures.register(app)
    data.register(app)


_register_commands()


def main() -> None:
    """Runs the command line; a user's mistake is one line on standard error and exit code 2."""
    try:
        app()
    except PushWorldError as error:
        message = f"[bold red]error:[/] {escape(str(error))}"
        Console(stderr=True, soft_wrap=True).print(message, highlight=False)
        sys.exit(BAD_INPUT)
