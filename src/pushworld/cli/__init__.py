"""The command line: one module for each group of commands, none with logic of its own."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from pushworld.puzzle import PushWorldError

BAD_INPUT = 2

app = typer.Typer(
    name="pushworld",
    help="PushWorld: puzzles about pushing things, and everything to play, plan and learn in them.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Runs the command line; a user's mistake is one line on standard error and exit code 2."""
    try:
        app()
    except PushWorldError as error:
        Console(stderr=True).print(f"[bold red]error:[/] {error}", highlight=False, markup=True)
        sys.exit(BAD_INPUT)
