"""The published Level 0 puzzles, read from the verified ``level0.zip`` of the data folder."""

from __future__ import annotations

import io
import zipfile

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import (
    LEVEL0,
    LEVEL0_FILE,
    LEVEL0_SETS,
    LEVEL0_SPLITS,
    MAX_PUZZLE_BYTES,
)
from pushworld.datasets.published.store import Store, how_to_install
from pushworld.puzzle import Puzzle


class Level0Archive:
    """The puzzles of an installed ``level0.zip``, by full names such as ``level0/base/train/17``."""

    def __init__(self, store: Store) -> None:
        """Opens and checks the archive, or raises DataError if it is not installed."""
        entry = store.manifest.by_path.get(LEVEL0_FILE)
        if entry is None:
            raise DataError(f"{LEVEL0_FILE} is not installed: {how_to_install()}")
        self._archive = zipfile.ZipFile(io.BytesIO(store.read(entry)))

    def names(self, full_set: str) -> list[str]:
        """Returns the puzzles of a set, such as ``level0`` or ``level0/base``, in order of number."""
        members = set(self._archive.namelist())
        sets = [(each, split) for each in LEVEL0_SETS for split in LEVEL0_SPLITS]
        names = (
            f"{LEVEL0}/{each}/{split}/{number}"
            for each, split in sets
            if f"{LEVEL0}/{each}/{split}/".startswith(f"{full_set}/")
            for number in range(LEVEL0_SPLITS[split])
        )
        return [name for name in names if _member(name) in members]

    def load(self, full_name: str) -> Puzzle:
        """Returns a puzzle, named after its file; raises DataError if the set has no such number."""
        member = _member(full_name)
        try:
            with self._archive.open(member) as file:
                text = file.read(MAX_PUZZLE_BYTES).decode("utf-8")
        except KeyError:
            full_set = full_name.rpartition("/")[0]
            raise DataError(
                f"there is no puzzle {full_name}: {full_set} has the numbers 0 to "
                f"{len(self.names(full_set)) - 1}"
            ) from None
        return Puzzle.parse(text, name=member.rpartition("/")[2].removesuffix(".pwp"))


def _member(full_name: str) -> str:
    """Returns the path of a puzzle in the archive."""
    level, each, split, number = full_name.split("/")
    return f"{level}/{each}/{split}/level_0_{each}_{split}_{number}.pwp"
