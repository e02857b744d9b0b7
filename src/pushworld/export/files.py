"""Writes exported puzzles to a folder."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pushworld.export.cancellation import Stop, after
from pushworld.export.pddl import export_pddl
from pushworld.export.sas import export_sas
from pushworld.files import make_folder, write_text
from pushworld.puzzle import Puzzle

Format = Literal["sas", "pddl", "pddl-low-arity"]


def export_files(
    puzzles: Iterable[Puzzle],
    folder: Path,
    form: Format,
    time_limit: float = math.inf,
    ipc: bool = False,
) -> Iterator[list[Path]]:
    """Writes the puzzles one by one and yields the files of each.

    SAS+ is one file NAME.sas, PDDL a folder NAME with domain.pddl and problem.pddl. NAME is the name
    of the puzzle with other characters replaced by hyphens; if it is taken, a number is appended.

    Args:
        time_limit: seconds for the text of each puzzle.
        ipc: whether to write PDDL as NAME.pddl and domain-NAME.pddl, as collections of benchmarks have it.

    Raises:
        PushWorldError: if a puzzle has no goals or a file cannot be written.
        ExportStoppedError: if a puzzle takes more than its time; nothing is written for it.
    """
    taken: set[str] = set()
    for puzzle in puzzles:
        stem = plain = re.sub(r"[^\w.-]+", "-", puzzle.name).strip(".-") or "puzzle"
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{plain}-{number}"
        taken.add(stem.casefold())
        texts = _texts(puzzle, folder, stem, form, after(time_limit), ipc)
        for path, text in texts.items():
            make_folder(path.parent)
            write_text(path, text)
        yield list(texts)


def _texts(
    puzzle: Puzzle, folder: Path, stem: str, form: Format, stop: Stop, ipc: bool
) -> dict[Path, str]:
    """Returns the files to write."""
    if form == "sas":
        return {folder / f"{stem}.sas": export_sas(puzzle, stop=stop)}
    task = export_pddl(puzzle, low_arity=form == "pddl-low-arity", stop=stop)
    names = ("domain-{}.pddl", "{}.pddl") if ipc else ("{}/domain.pddl", "{}/problem.pddl")
    paths = [folder / name.format(stem) for name in names]
    return dict(zip(paths, (task.domain, task.problem), strict=True))
