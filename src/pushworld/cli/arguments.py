"""Arguments and options that several commands share."""

from __future__ import annotations

import os
import sys
from glob import escape, iglob
from pathlib import Path
from typing import Annotated

import typer

from pushworld.puzzle import PushWorldError
from pushworld.puzzle.actions import LETTERS


def complete_puzzle(incomplete: str) -> list[str]:
    """Returns completions of a word: bundled names, puzzle files and folders."""
    from pushworld.datasets import bundled_puzzles, classic_puzzles

    known = [each.name for each in bundled_puzzles()] + [each.name for each in classic_puzzles()]
    names = [name for name in known if name.startswith(incomplete)]
    paths = sorted(iglob(f"{escape(incomplete)}*"))
    folders = [f"{path}/" for path in paths if Path(path).is_dir()]
    return names + folders + [path for path in paths if path.endswith(".pwp")]


def complete_set(incomplete: str) -> list[str]:
    """Returns completions of a word: names of sets."""
    from pushworld.datasets.sets import set_names

    return [name for name in set_names() if name.startswith(incomplete)]


def read_plan(plan: str) -> str:
    """Returns a plan, given as letters, as a file, or as - for standard input."""
    is_letters = set(plan.upper()) <= set(LETTERS)
    return read_text(plan) if plan == "-" or (not is_letters and os.path.isfile(plan)) else plan


def read_text(source: str) -> str:
    """Returns the text of a plan's file, or of standard input for -.

    Raises:
        PushWorldError: if it cannot be read or is not text.
    """
    if source == "-" and sys.stdin is None:
        raise PushWorldError("the plan - cannot be read: standard input is closed")
    try:
        return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise PushWorldError(f"the plan {source} cannot be read: {reason}") from error


PuzzleArgument = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, or the name of a puzzle: see 'pushworld data list'.",
        autocompletion=complete_puzzle,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
