"""The puzzles that the episodes of an environment draw from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from pushworld import _native
from pushworld.datasets import default_store, load_set
from pushworld.datasets.resolve import PuzzleSource, load_puzzles
from pushworld.datasets.sets import known_set
from pushworld.engine import Engine
from pushworld.envs.options import EnvOptions
from pushworld.envs.planes import Frame
from pushworld.puzzle import Position, PushWorldError, Puzzle, Symmetry, pad, transform

SYMMETRIES = tuple(Symmetry)


class PuzzleSet:
    """The puzzles of an environment with their common frame.

    Attributes:
        puzzles: the puzzles, in order.
        frame: the common layout of their observations.
        native: the puzzles for the native environments.
        names: the names of the puzzles, as an array of objects.
    """

    def __init__(self, puzzles: Sequence[Puzzle], options: EnvOptions) -> None:
        """Creates the set.

        Raises:
            PushWorldError: if there are no puzzles, or one does not fit into the frame of the
                options.
        """
        if not puzzles:
            raise PushWorldError("an environment needs at least one puzzle")
        self.puzzles = tuple(puzzles)
        self.frame = options.frame_around(puzzles)
        self.native = _native.PuzzleSet(
            width=self.frame.width,
            height=self.frame.height,
            goals=self.frame.goals,
            objects=self.frame.objects,
        )
        for puzzle in puzzles:
            self.native.add(Engine(puzzle).native, list(puzzle.walls), list(puzzle.agent_walls))
        # Copies of the names lie side by side in memory, where a step of many environments finds them.
        copies = [puzzle.name.encode().decode() for puzzle in puzzles]
        self.names = np.array(copies, dtype=object)
        self._index_of = {puzzle.name: i for i, puzzle in reversed(list(enumerate(puzzles)))}

    @classmethod
    def load(
        cls, puzzles: PuzzleSource | Iterable[PuzzleSource] | None, options: EnvOptions
    ) -> PuzzleSet:
        """Returns the puzzles of one or several sources; a named set is read only once.

        Raises:
            PushWorldError: if there is no source, one is unknown, not installed or not a puzzle, or
                a puzzle does not fit into the frame of the options.
        """
        if isinstance(puzzles, str) and known_set(puzzles) is not None:
            return _named_set(puzzles, options.framing, os.fspath(default_store().root))
        return cls(load_puzzles(puzzles), options)

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


def frame_of(*puzzles: PuzzleSource, symmetries: bool = False) -> dict[str, int]:
    """Returns the options that make the observations of several sets alike.

    An agent that is trained on one of the sets with these options can play the others:
    ``gymnasium.make(id, **frame_of("level0/all/train", "level1"))``.

    Args:
        puzzles: sets, folders, files, names or puzzles.
        symmetries: whether the frame is a square, for environments with `symmetries`.

    Returns:
        The smallest `width`, `height`, `goals` and `objects` that hold all puzzles.
    """
    return asdict(Frame.around(load_puzzles(puzzles), symmetries))


@lru_cache(maxsize=16)
def _named_set(name: str, options: EnvOptions, data_folder: str) -> PuzzleSet:
    """Returns a named set; the data folder is part of the cache key, because the set is read there."""
    return PuzzleSet(load_set(name), options)
