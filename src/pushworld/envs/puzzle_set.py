"""The puzzles that the episodes of an environment draw from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from pushworld import _native
from pushworld.datasets import default_store, load_set
from pushworld.datasets.sets import known_set
from pushworld.engine import Engine
from pushworld.envs.planes import Frame
from pushworld.puzzle import Position, PushWorldError, Puzzle, Symmetry, pad, transform

PuzzleSource = str | os.PathLike[str] | Puzzle
"""A puzzle, or anything that `pushworld.datasets.load_set` takes: a set, a folder, a file, a name."""

SYMMETRIES = tuple(Symmetry)


class PuzzleSet:
    """The puzzles of an environment with their common frame.

    Attributes:
        puzzles: the puzzles, in order.
        frame: the common layout of their observations.
        native: the puzzles for the native environments.
        names: the names of the puzzles, as an array of objects.
    """

    def __init__(self, puzzles: Sequence[Puzzle], symmetries: bool = False) -> None:
        """Creates the set; the frame is a square if `symmetries`.

        Raises:
            PushWorldError: if there are no puzzles.
        """
        if not puzzles:
            raise PushWorldError("an environment needs at least one puzzle")
        self.puzzles = tuple(puzzles)
        self.frame = Frame.around(puzzles, symmetries)
        self.native = _native.PuzzleSet(
            width=self.frame.width,
            height=self.frame.height,
            goals=self.frame.goals,
            objects=self.frame.objects,
        )
        for puzzle in puzzles:
            self.native.add(Engine(puzzle).native, list(puzzle.walls), list(puzzle.agent_walls))
        self.names = np.array([puzzle.name for puzzle in puzzles], dtype=object)
        self._index_of = {puzzle.name: i for i, puzzle in reversed(list(enumerate(puzzles)))}

    @classmethod
    def load(
        cls, puzzles: PuzzleSource | Iterable[PuzzleSource], symmetries: bool = False
    ) -> PuzzleSet:
        """Returns the puzzles of one or several sources; a named set is read only once.

        Raises:
            PushWorldError: if a source is unknown, not installed or not a puzzle.
        """
        if isinstance(puzzles, str) and known_set(puzzles) is not None:
            return _named_set(puzzles, symmetries, os.fspath(default_store().root))
        single = isinstance(puzzles, str | os.PathLike | Puzzle)
        sources: Iterable[PuzzleSource] = [puzzles] if single else puzzles  # type: ignore[assignment, list-item]
        loaded: list[Puzzle] = []
        for source in sources:
            loaded += [source] if isinstance(source, Puzzle) else load_set(source)
        return cls(loaded, symmetries)

    def index_of(self, name: str) -> int:
        """Returns the index of the first puzzle with a name, or raises PushWorldError."""
        if name not in self._index_of:
            close = get_close_matches(str(name), self._index_of, n=3)
            meant = f": did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise PushWorldError(f"the environment has no puzzle {name!r}{meant}")
        return self._index_of[name]

    def seen(self, index: int, symmetry: int, offset: Position) -> Puzzle:
        """Returns a puzzle as an episode shows it: transformed, and padded with walls to the frame."""
        turned = transform(self.puzzles[index], SYMMETRIES[symmetry])
        return pad(turned, self.frame.width, self.frame.height, offset)


@lru_cache(maxsize=16)
def _named_set(name: str, symmetries: bool, data_folder: str) -> PuzzleSet:
    """Returns a named set; the data folder is part of the cache key, because the set is read there."""
    return PuzzleSet(load_set(name), symmetries)
