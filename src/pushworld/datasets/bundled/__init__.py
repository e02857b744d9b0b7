"""The puzzles that ship with the package: ``bundled``, which teaches, ``classic``, and the hard ``frontier`` and ``heldout``.

One TOML file beside the ``.pwp`` files of each set is its index.
"""

import tomllib
from collections.abc import Iterator
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
        idea: one line about what it teaches, for those who have solved it.
        tags: the skills that it needs.
        plan: a plan that solves it, the best one known.
        level: from 1, easy, to 4, by the difficulty model; None where that was not asked.
        optimal: whether it is proved that no plan is shorter.
        at_least: how many actions every plan has, where more is not proved.
    """

    name: str
    title: str
    description: str
    idea: str
    tags: tuple[str, ...]
    plan: str
    level: int | None = None
    optimal: bool = True
    at_least: int | None = None

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
        tools: the objects without which there is no plan.
        obstacles: the objects without which plans are shorter.
        unknown: the objects whose role the analysis does not find.
    """

    optimal: bool = False
    tools: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    folder: ClassVar[str] = "classic"


@dataclass(frozen=True)
class FrontierPuzzle(BundledPuzzle):
    """A puzzle of the set ``frontier``, which the planner ``default`` did not solve when the set was made.

    Attributes:
        press: the kind of press that it is.
    """

    optimal: bool = False
    press: str = ""

    folder: ClassVar[str] = "frontier"


@dataclass(frozen=True)
class _HeldOutPuzzle(FrontierPuzzle):
    """A puzzle of the set ``heldout``: made as those of ``frontier``, for nobody to look at who changes a planner."""

    folder: ClassVar[str] = "heldout"


@cache
def bundled_puzzles() -> tuple[BundledPuzzle, ...]:
    """Returns the puzzles of the set ``bundled``, from easy to hard."""
    return tuple(BundledPuzzle(**entry) for _, entry in _read_index(BundledPuzzle.folder))


@cache
def classic_puzzles() -> tuple[ClassicPuzzle, ...]:
    """Returns the puzzles of the set ``classic``, by level."""
    return tuple(
        ClassicPuzzle(**entry, level=int(key.removeprefix("level")))
        for key, entry in _read_index(ClassicPuzzle.folder)
    )


@cache
def frontier_puzzles() -> tuple[FrontierPuzzle, ...]:
    """Returns the puzzles of the set ``frontier``, by their kinds."""
    return _presses(FrontierPuzzle)


@cache
def heldout_puzzles() -> tuple[FrontierPuzzle, ...]:
    """Returns the puzzles of the set ``heldout``, by their kinds."""
    return _presses(_HeldOutPuzzle)


def package_puzzles() -> tuple[BundledPuzzle, ...]:
    """Returns all of them."""
    return (*bundled_puzzles(), *classic_puzzles(), *frontier_puzzles(), *heldout_puzzles())


def _presses(kind: type[FrontierPuzzle]) -> tuple[FrontierPuzzle, ...]:
    return tuple(kind(**entry, press=press) for press, entry in _read_index(kind.folder))


def title_of(name: str) -> str:
    """Returns the title of a puzzle whose entry has none."""
    return name.replace("-", " ").title()


def _read_index(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the entries of a set's index by the names of their tables, with titles, and lists as tuples."""
    index = tomllib.loads((_PUZZLES / folder / "index.toml").read_text(encoding="utf-8"))
    for table, entries in index.items():
        for entry in entries:
            lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
            yield table, {"title": title_of(entry["name"])} | entry | lists


_PUZZLES = files(__package__) / "puzzles"
