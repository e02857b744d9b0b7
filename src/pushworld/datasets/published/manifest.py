"""The published sets: the name and SHA-256 of every file, and where they are published."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

UPSTREAM_REPOSITORY = "google-deepmind/pushworld"
UPSTREAM_COMMIT = "103043f78ad0ba70a055efe336aaeb29d96896a6"
UPSTREAM_FOLDER = "benchmark/puzzles"
UPSTREAM_URL = (
    f"https://raw.githubusercontent.com/{UPSTREAM_REPOSITORY}/{UPSTREAM_COMMIT}/{UPSTREAM_FOLDER}"
)

LEVELS = ("level1", "level2", "level3", "level4")
LEVEL0 = "level0"
LEVEL0_FILE = "level0.zip"
LEVEL0_SETS = ("base", "size", "walls", "obstacles", "shapes", "goals", "all")
LEVEL0_SPLITS = {"train": 2000, "test": 200}

PUZZLE_SUFFIX = ".pwp"
MAX_PUZZLE_BYTES = 1 << 20
MAX_LEVEL0_BYTES = 64 << 20


@dataclass(frozen=True)
class Entry:
    """A published file.

    Attributes:
        path: its path below the folder of the sets: ``level1/NAME.pwp`` or ``level0.zip``.
        sha256: the hash of its bytes, in hexadecimal.
    """

    path: str
    sha256: str

    @property
    def level(self) -> str:
        """The level it belongs to, ``level0`` to ``level4``."""
        return LEVEL0 if self.path == LEVEL0_FILE else self.path.split("/")[0]

    @property
    def name(self) -> str:
        """The file's name without folder and suffix, which is the name of a puzzle."""
        return self.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    @property
    def full_name(self) -> str:
        """The name with its level, such as ``level2/Up And Over``."""
        return self.path.removesuffix(PUZZLE_SUFFIX)

    @property
    def max_bytes(self) -> int:
        """A limit on the bytes to read: the file is smaller."""
        return MAX_LEVEL0_BYTES if self.path == LEVEL0_FILE else MAX_PUZZLE_BYTES

    def matches(self, data: bytes) -> bool:
        """Returns whether these are the published bytes."""
        return hashlib.sha256(data).hexdigest() == self.sha256


@dataclass(frozen=True)
class Manifest:
    """The files of the published sets, in order."""

    entries: tuple[Entry, ...]

    @classmethod
    def parse(cls, text: str) -> Manifest:
        """Returns the manifest written as CSV with the columns ``path`` and ``sha256``."""
        rows = csv.DictReader(text.splitlines())
        return cls(tuple(Entry(row["path"], row["sha256"].lower()) for row in rows))

    @cached_property
    def by_path(self) -> dict[str, Entry]:
        """The entries by their paths."""
        return {entry.path: entry for entry in self.entries}

    @cached_property
    def by_sha256(self) -> dict[str, Entry]:
        """The entries by their hashes."""
        return {entry.sha256: entry for entry in self.entries}

    @property
    def puzzles(self) -> tuple[Entry, ...]:
        """The files of levels 1 to 4, each a puzzle."""
        return self.of_levels(LEVELS)

    def of_levels(self, levels: Sequence[str]) -> tuple[Entry, ...]:
        """Returns the files of some levels."""
        return tuple(entry for entry in self.entries if entry.level in levels)


@cache
def published_manifest() -> Manifest:
    """Returns the manifest of the package: 223 puzzles and ``level0.zip``."""
    return Manifest.parse((files(__package__) / "manifest.csv").read_text(encoding="utf-8"))
