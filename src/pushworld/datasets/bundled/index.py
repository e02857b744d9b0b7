"""The indexes of the sets ``bundled`` and ``classic``: one TOML file beside the ``.pwp`` files of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, ClassVar

from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class BundledPuzzle:
    """A puzzle that ships with the package.

    Attributes:
        name: its name on the command line, such as ``first-push``.
        title: its name for people.
        description: one line about the task.
        tags: the skills that it needs.
        plan: a plan that solves it; in ``classic`` the best plan known.
    """

    name: str
    title: str
    description: str
    tags: tuple[str, ...]
    plan: str

    folder: ClassVar[str] = "teaching"

    @cached_property
    def puzzle(self) -> Puzzle:
        text = (_PUZZLES / self.folder / f"{self.name}.pwp").read_text(encoding="utf-8")
        return Puzzle.parse(text, name=self.name)


@dataclass(frozen=True)
class ClassicPuzzle(BundledPuzzle):
    """A puzzle of the set ``classic``, drawn by hand or selected from designed puzzles.

    The tests verify all its facts.

    Attributes:
        level: from 1, easy, to 4, by the difficulty model.
        tools: the objects without which there is no plan.
        obstacles: the objects without which plans are shorter.
        unknown: the objects whose role the analysis does not find.
        optimal: whether it is proved that no plan is shorter.
    """

    level: int
    tools: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    optimal: bool = False

    folder: ClassVar[str] = "classic"


@cache
def bundled_puzzles() -> tuple[BundledPuzzle, ...]:
    """Returns the puzzles of the set ``bundled``, from easy to hard."""
    return tuple(BundledPuzzle(**entry) for entry in _read_index(BundledPuzzle.folder))


@cache
def classic_puzzles() -> tuple[ClassicPuzzle, ...]:
    """Returns the puzzles of the set ``classic``, by level."""
    return tuple(ClassicPuzzle(**entry) for entry in _read_index(ClassicPuzzle.folder))


def title_of(name: str) -> str:
    """Returns the title of a puzzle whose entry has none."""
    return name.replace("-", " ").title()


def _read_index(folder: str) -> list[dict[str, Any]]:
    """Returns the entries of a set's index, with titles, and with lists as tuples."""
    index = tomllib.loads((_PUZZLES / folder / "index.toml").read_text(encoding="utf-8"))
    return [
        {"title": title_of(entry["name"])}
        | {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
        for entry in index["puzzle"]
    ]


_PUZZLES = files(__package__) / "puzzles"
