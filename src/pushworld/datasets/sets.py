"""The named sets (``bundled``, ``level1``, ``level0/base/train``), their puzzles, and what is installed."""

import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

from pushworld.datasets.bundled import (
    BundledPuzzle,
    bundled_puzzles,
    classic_puzzles,
    frontier_puzzles,
    heldout_puzzles,
)
from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import (
    LEVEL0,
    LEVEL0_SETS,
    LEVEL0_SPLITS,
    LEVELS,
    PUZZLE_SUFFIX,
    Entry,
)
from pushworld.datasets.published.store import Level0Archive, Status, Store, how_to_install
from pushworld.puzzle import Puzzle

BUNDLED = "bundled"
PUBLISHED = "published"
IN_PACKAGE: dict[str, Callable[[], tuple[BundledPuzzle, ...]]] = {
    BUNDLED: bundled_puzzles,
    "classic": classic_puzzles,
    "frontier": frontier_puzzles,
    "heldout": heldout_puzzles,
}
"""The sets that come with the package."""


def set_names() -> tuple[str, ...]:
    """Returns the names of all sets, installed or not."""
    level0 = [
        name
        for each in LEVEL0_SETS
        for name in (f"{LEVEL0}/{each}", *(f"{LEVEL0}/{each}/{split}" for split in LEVEL0_SPLITS))
    ]
    return (*IN_PACKAGE, *LEVELS, PUBLISHED, LEVEL0, *level0)


def known_set(name: str) -> str | None:
    """Returns the full name of a set, or None if there is no such set.

    Case, spaces, hyphens and underscores do not matter, and ``level0/`` may be left out.
    """
    plain = re.sub(r"[\s_-]+", "", name.casefold()).rstrip("/")
    return next((full for full in (plain, f"{LEVEL0}/{plain}") if full in set_names()), None)


def levels_of(full_name: str) -> tuple[str, ...]:
    """Returns the levels of the manifest that hold a set's files."""
    if full_name in IN_PACKAGE:
        return ()
    return LEVELS if full_name == PUBLISHED else (full_name.split("/")[0],)


def puzzles_of(full_name: str, store: Store) -> dict[str, Callable[[], Puzzle]]:
    """Returns what loads each installed puzzle of a set, by full name and in order.

    Raises:
        DataError: if none is installed.
    """
    if full_name in IN_PACKAGE:
        return {each.name: partial(getattr, each, "puzzle") for each in IN_PACKAGE[full_name]()}
    if full_name.startswith(LEVEL0):
        archive = Level0Archive(store)
        return {name: partial(archive.load, name) for name in archive.names(full_name)}
    found: dict[str, Callable[[], Puzzle]] = {
        entry.full_name: partial(load_entry, entry, store)
        for entry in store.manifest.of_levels(levels_of(full_name))
        if store.status(entry) is not Status.MISSING
    }
    if not found:
        raise DataError(f"{full_name} is not installed: {how_to_install()}")
    return found


def load_entry(entry: Entry, store: Store) -> Puzzle:
    """Returns a published puzzle of levels 1 to 4, or raises DataError if it is not installed."""
    return Puzzle.parse(store.read(entry).decode("utf-8"), name=entry.name)


def load_folder(folder: Path) -> list[Puzzle]:
    """Returns the puzzles of all ``.pwp`` files below a folder, sorted by path.

    A puzzle is named after its file, or after its path below the folder if two files share a name.

    Raises:
        DataError: if there are none, or the folder cannot be read.
    """
    paths = puzzle_files(folder)
    count = Counter(path.stem for path in paths)
    puzzles = []
    for path in paths:
        puzzle = Puzzle.load(path)
        if count[path.stem] > 1:
            full = path.relative_to(folder).with_suffix("").as_posix()
            puzzle = replace(puzzle, name=full)
        puzzles.append(puzzle)
    return puzzles


def puzzle_files(folder: Path) -> list[Path]:
    """Returns all ``.pwp`` files below a folder, sorted by path; raises DataError like `load_folder`."""
    found = [
        Path(place, name)
        for place, _, names in os.walk(folder, onerror=cannot_read)
        for name in names
        if name.lower().endswith(PUZZLE_SUFFIX)
    ]
    if not found:
        raise DataError(f"there is no {PUZZLE_SUFFIX} file below {folder}")
    return sorted(found, key=lambda path: natural_order(path.as_posix()))


def cannot_read(error: OSError) -> None:
    raise DataError(f"{error.filename} cannot be read: {error.strerror or error}") from error


def natural_order(text: str) -> list[tuple[int, str]]:
    """Returns a key that sorts numbers in a text by value: ``p2`` before ``p10``."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text.casefold())
    return [(int(part), "") if part[0] in "0123456789" else (-1, part) for part in parts]


def name_key(name: str) -> str:
    """Returns a name in the form in which names are compared: case, spaces and hyphens do not matter."""
    return re.sub(r"[\s_-]+", "-", name.strip().casefold())


@dataclass(frozen=True)
class SetSummary:
    """How much of a set is installed.

    Attributes:
        name: the name that `load_set` takes.
        installed: the number of its puzzles that are installed, with the published bytes.
        total: the number of its puzzles.
        damaged: the number of its puzzles that are installed with other bytes.
        where: the folder or archive that holds them.
    """

    name: str
    installed: int
    total: int
    damaged: int
    where: str


def summarize(store: Store) -> list[SetSummary]:
    """Returns the summaries of the package's sets, the levels, ``published`` and the Level 0 sets."""
    rows = [
        SetSummary(name, len(puzzles()), len(puzzles()), 0, "comes with the package")
        for name, puzzles in IN_PACKAGE.items()
    ]
    statuses = {entry: store.status(entry) for entry in store.manifest.entries}
    for name in (*LEVELS, PUBLISHED):
        found = [statuses[entry] for entry in store.manifest.of_levels(levels_of(name))]
        where = store.root if name == PUBLISHED else store.root / name
        installed, damaged = found.count(Status.INSTALLED), found.count(Status.DAMAGED)
        rows.append(SetSummary(name, installed, len(found), damaged, str(where)))
    for archive in store.manifest.of_levels([LEVEL0]):
        is_installed, is_damaged = (
            statuses[archive] is each for each in (Status.INSTALLED, Status.DAMAGED)
        )
        for name, (split, total) in product(LEVEL0_SETS, LEVEL0_SPLITS.items()):
            counts = total * is_installed, total, total * is_damaged
            rows.append(
                SetSummary(f"{LEVEL0}/{name}/{split}", *counts, str(store.path_of(archive)))
            )
    return rows
