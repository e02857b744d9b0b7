"""Arguments and options that several commands have."""

from __future__ import annotations

from glob import escape, iglob
from pathlib import Path
from typing import Annotated

import typer


def complete_puzzle(incomplete: str) -> list[str]:
    """Returns the bundled names, puzzle files and folders that a shell may complete a word to."""
    from pushworld.datasets import bundled_puzzles, classic_puzzles

    known = [each.name for each in bundled_puzzles()] + [each.name for each in classic_puzzles()]
    names = [name for name in known if name.startswith(incomplete)]
    paths = sorted(iglob(f"{escape(incomplete)}*"))
    folders = [f"{path}/" for path in paths if Path(path).is_dir()]
    return names + folders + [path for path in paths if path.endswith(".pwp")]


PuzzleArgument = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, or the name of a bundled or installed puzzle.",
        autocompletion=complete_puzzle,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
