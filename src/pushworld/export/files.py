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
Layout = Literal["folders", "ipc"]


def export_files(
    puzzles: Iterable[Puzzle],
    folder: Path,
    form: Format,
    time_limit: float = math.inf,
    layout: Layout = "folders",
) -> Iterator[list[Path]]:
    """Writes the puzzles one by one and yields the files of each.

    SAS+ is one file NAME.sas, PDDL a folder NAME with domain.pddl and problem.pddl. NAME is the name
    of the puzzle with other characters replaced by hyphens; if it is taken, a number is appended.

    Args:
        time_limit: seconds for the text of each puzzle.
        layout: ``ipc`` writes PDDL as NAME.pddl and domain-NAME.pddl into one folder, as collections of benchmarks
            hold domains and as the tools around Fast Downward find them.

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
        texts = _texts(puzzle, folder, stem, form, layout, after(time_limit))
        for path, text in texts.items():
            make_folder(path.parent)
            write_text(path, text)
        yield list(texts)


def _texts(
    puzzle: Puzzle, folder: Path, stem: str, form: Format, layout: Layout, stop: Stop
) -> dict[Path, str]:
    """Returns the files to write."""
    if form == "sas":
        return {folder / f"{stem}.sas": export_sas(puzzle, stop=stop)}
    task = export_pddl(puzzle, low_arity=form == "pddl-low-arity", stop=stop)
    if layout == "ipc":
        return {folder / f"domain-{stem}.pddl": task.domain, folder / f"{stem}.pddl": task.problem}
    return {
        folder / stem / "domain.pddl": task.domain,
        folder / stem / "problem.pddl": task.problem,
    }
