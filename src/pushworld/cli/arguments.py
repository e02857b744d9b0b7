"""Arguments and options that several commands share."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from glob import escape, iglob
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.puzzle.actions import LETTERS

HUMAN = "human"


def complete_puzzle(incomplete: str) -> list[str]:
    """Returns completions of a word: bundled names, puzzle files and folders."""
    from pushworld.datasets import package_puzzles

    names = [each.name for each in package_puzzles() if each.name.startswith(incomplete)]
    paths = sorted(iglob(f"{escape(incomplete)}*"))
    folders = [f"{path}/" for path in paths if Path(path).is_dir()]
    return names + folders + [path for path in paths if path.endswith(".pwp")]


def complete_name(known: Callable[[], Iterable[Any]]) -> Callable[[str], list[str]]:
    """Returns a function for a shell: it completes a word to the names of what is known."""

    def complete(incomplete: str) -> list[str]:
        return [each.name for each in known() if each.name.startswith(incomplete)]

    return complete


def complete_set(incomplete: str) -> list[str]:
    """Returns completions of a word: names of sets."""
    from pushworld.datasets.sets import set_names

    return [name for name in set_names() if name.startswith(incomplete)]


def parse_size(text: str) -> tuple[int, int]:
    """Returns the columns and rows of a size such as ``20x12``, or raises PushWorldError."""
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*[xX×]\s*([0-9]{1,6})\s*", text)
    if match is None:
        raise PushWorldError(f"{text!r} is no size: write columns x rows, such as 20x12")
    return int(match[1]), int(match[2])


def read_plan(plan: str, puzzle: Puzzle) -> str:
    """Returns a plan, given as letters, as a file, as - for standard input, or as human; raises PushWorldError."""
    if plan.casefold() == HUMAN:
        from pushworld.datasets import installed_human_solutions

        found = installed_human_solutions().plan_of(puzzle)
        if found is None:
            raise PushWorldError(
                f"no human solution of {puzzle.name!r} is installed: `pushworld data import PATH` "
                "installs the published ones"
            )
        return found
    is_letters = set(plan.upper()) <= set(LETTERS)
    if plan != "-" and (is_letters or not os.path.isfile(plan)):
        return plan
    from pushworld.datasets.human import PLAN_SUFFIXES, plan_in_yaml

    text = read_text(plan)
    return plan_in_yaml(text) if plan.lower().endswith(PLAN_SUFFIXES) else text


def read_text(source: str) -> str:
    """Returns the text of a plan's file, or of standard input for -; raises PushWorldError."""
    if source == "-" and sys.stdin is None:
        raise PushWorldError("the plan - cannot be read: standard input is closed")
    try:
        return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise PushWorldError(f"the plan {source} cannot be read: {reason}") from error


def output_option(help: str, metavar: str = "DIR", default: str | None = None) -> Any:
    """Returns the option that says where a command writes; `default` says in words where else."""
    return typer.Option("--output", "-o", metavar=metavar, help=help, show_default=default or True)


def names_in(text: str) -> list[str]:
    """Returns the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


PuzzleArgument = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, or the name of a puzzle: see 'pushworld data list'.",
        autocompletion=complete_puzzle,
    ),
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
PackOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the folder as a .zip archive, which others can verify."
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Worker processes; the result does not depend on them.",
        show_default="as many as the cores allow",
    ),
]
EngineOption = Annotated[
    Literal["local", "ray"], typer.Option(help="This machine, or a Ray cluster.")
]
AddressOption = Annotated[
    str | None, typer.Option(help="Ray cluster: HOST:PORT, or auto.", show_default="a new one")
]
