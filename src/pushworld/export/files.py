"""Writes exported puzzles to a folder."""

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

PATHS = {"task.sas": "{}.sas", "domain.pddl": "{}/domain.pddl", "problem.pddl": "{}/problem.pddl"}
COLLECTED = PATHS | {"domain.pddl": "domain-{}.pddl", "problem.pddl": "{}.pddl"}
"""Where the files of a puzzle are written, and how collections of benchmarks have it."""


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
        written = []
        for name, text in export_texts(puzzle, form, after(time_limit)).items():
            path = folder / (COLLECTED if ipc else PATHS)[name].format(stem)
            write_text(make_folder(path.parent) / path.name, text)
            written.append(path)
        yield written


def export_texts(puzzle: Puzzle, form: Format, stop: Stop) -> dict[str, str]:
    """Returns the texts of a task by the names of its files; raises as `export_pddl` does."""
    if form == "sas":
        return {"task.sas": export_sas(puzzle, stop=stop)}
    task = export_pddl(puzzle, low_arity=form == "pddl-low-arity", stop=stop)
    return {"domain.pddl": task.domain, "problem.pddl": task.problem}
