"""The published Level 0 puzzles, read from the verified ``level0.zip`` of the data folder."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import (
    LEVEL0_FILE,
    LEVEL0_SETS,
    LEVEL0_SPLITS,
    MAX_PUZZLE_BYTES,
    Entry,
)
from pushworld.datasets.published.store import Store, how_to_install
from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class Level0Name:
    """The name of a Level 0 puzzle: one of the seven sets, its split, and a number."""

    set: str
    split: str
    number: int

    def __str__(self) -> str:
        return f"level0/{self.set}/{self.split}/{self.number}"

    @property
    def stem(self) -> str:
        """The name of its file without the suffix, which is also the name of the puzzle."""
        return f"level_0_{self.set}_{self.split}_{self.number}"

    @property
    def member(self) -> str:
        """Its path in the archive."""
        return f"level0/{self.set}/{self.split}/{self.stem}.pwp"


class Level0Archive:
    """The puzzles of an installed ``level0.zip``."""

    def __init__(self, store: Store) -> None:
        """Opens and checks the archive, or raises DataError if it is not installed."""
        self._archive = zipfile.ZipFile(io.BytesIO(store.read(level0_entry(store))))

    def names(self, set_name: str | None = None, split: str | None = None) -> list[Level0Name]:
        """Returns the puzzles of a set and a split, or of all of them, in order of number."""
        members = set(self._archive.namelist())
        names = (
            Level0Name(each, part, number)
            for each in LEVEL0_SETS
            for part, most in LEVEL0_SPLITS.items()
            if set_name in (None, each) and split in (None, part)
            for number in range(most)
        )
        return [name for name in names if name.member in members]

    def load(self, name: Level0Name) -> Puzzle:
        """Returns a puzzle, or raises DataError if the set has no such number."""
        try:
            with self._archive.open(name.member) as file:
                text = file.read(MAX_PUZZLE_BYTES).decode("utf-8")
        except KeyError:
            count = len(self.names(name.set, name.split))
            raise DataError(
                f"there is no puzzle {name}: level0/{name.set}/{name.split} has the "
                f"numbers 0 to {count - 1}"
            ) from None
        return Puzzle.parse(text, name=name.stem)


def level0_entry(store: Store) -> Entry:
    """Returns the manifest's entry of the archive."""
    entry = store.manifest.by_path.get(LEVEL0_FILE)
    if entry is None:
        raise DataError(f"{LEVEL0_FILE} is not installed: {how_to_install()}")
    return entry
