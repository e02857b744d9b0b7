"""The puzzles that ship with the package: ``.pwp`` files with an index of what they teach."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class BundledPuzzle:
    """A puzzle of our own.

    Attributes:
        name: what the command line calls it, such as ``first-push``.
        title: what to print above it.
        description: one line about what it asks for.
        tags: the skills it needs.
        plan: a plan that solves it.
    """

    name: str
    title: str
    description: str
    tags: tuple[str, ...]
    plan: str

    @cached_property
    def puzzle(self) -> Puzzle:
        text = (_FOLDER / f"{self.name}.pwp").read_text(encoding="utf-8")
        return Puzzle.parse(text, name=self.name)


@cache
def bundled_puzzles() -> tuple[BundledPuzzle, ...]:
    """Returns all bundled puzzles in the order of the index, from easy to hard."""
    index = tomllib.loads((_FOLDER / "index.toml").read_text(encoding="utf-8"))
    return tuple(
        BundledPuzzle(
            name=item["name"],
            title=item["title"],
            description=item["description"],
            tags=tuple(item["tags"]),
            plan=item["plan"],
        )
        for item in index["puzzle"]
    )


_FOLDER = files(__package__) / "puzzles" / "teaching"
