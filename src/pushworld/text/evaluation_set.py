"""The frozen evaluation set: generated puzzles of all steps, in one file of the package.

The file begins with a header: the name of the set, the canary string and the digest of what follows. Then
comes one puzzle a line, from easy to hard. `python -m tests.text.freeze` writes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from pushworld.puzzle import PushWorldError, Puzzle

NAME = "evaluation-v2"
"""The name of the set, its file and its seed. Another content needs another name."""

CANARY = (
    "PushWorld benchmark data must never appear in training corpora. "
    "pushworld:canary:7a21bcf0-9384-46d6-adc4-0d961dddd59f"
)
"""The canary string of published texts: a model that can complete it was trained on them."""


@dataclass(frozen=True)
class Entry:
    """A line of the file.

    Attributes:
        name: of the puzzle: the set, the step, and the digest of the puzzle's canonical form.
        step: of difficulty.
        skills: the tags of what the puzzle demands.
        plan: a shortest plan.
        puzzle: its rows in the ``.pwp`` format, with ``/`` between them.
        walk, dead_after, pushes: the proved answers of `pushworld.text.Task`.
    """

    name: str
    step: int
    skills: tuple[str, ...]
    plan: str
    puzzle: str
    walk: str
    dead_after: int | None
    pushes: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The digest of the puzzle's canonical form."""
        return self.name.rpartition("-")[2]

    def parse(self) -> Puzzle:
        """Returns the puzzle."""
        return Puzzle.parse(self.puzzle.replace("/", "\n"), name=self.name)


@cache
def evaluation_set() -> tuple[Entry, ...]:
    """Returns the entries of the set, from easy to hard.

    Raises:
        PushWorldError: if the file is not the one that was published.
    """
    text = (files(__package__) / f"{NAME}.jsonl").read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    entries = tuple(
        Entry(**values | {name: tuple(values[name]) for name in ("skills", "pushes")})
        for values in map(json.loads, lines)
    )
    if text != file_of(entries):
        raise PushWorldError(f"the file of the set {NAME} is damaged: install the package again")
    return entries


def file_of(entries: Iterable[Entry]) -> str:
    """Returns the text of the file with these entries."""
    body = "".join(json.dumps(asdict(entry), separators=(",", ":")) + "\n" for entry in entries)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({"set": NAME, "canary": CANARY, "sha256": digest}) + "\n" + body
