"""The user's data folder: published files, each verified before it is installed.

The folder has the paths of the manifest (``level1/NAME.pwp``, ``level0.zip``), and ``human/`` with the human
solutions (``human/level1/NAME.yaml``). A file gets its final name only by an atomic rename of verified
bytes, so a crash or a second process at any moment leaves every file either absent or complete.
"""

import io
import os
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import (
    LEVEL0,
    LEVEL0_FILE,
    LEVEL0_SETS,
    LEVEL0_SPLITS,
    MAX_PUZZLE_BYTES,
    Entry,
    Manifest,
    published_manifest,
)
from pushworld.files import PARTIAL, locked, make_folder, replaced
from pushworld.puzzle import PushWorldError, Puzzle

DATA_VARIABLE = "PUSHWORLD_DATA"
HUMAN_FOLDER = "human"
LOCK = ".download.lock"
STALE_SECONDS = 24 * 3600


class Status(Enum):
    """The state of a published file in the data folder."""

    INSTALLED = "installed"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class Store:
    """A data folder, and the manifest of the files that it may hold."""

    root: Path
    manifest: Manifest

    def path_of(self, entry: Entry) -> Path:
        """Returns where the file is, or would be, installed."""
        return self.root / entry.path

    def status(self, entry: Entry) -> Status:
        """Returns whether the published bytes are installed."""
        data = self._read(entry)
        if data is None:
            return Status.MISSING
        return Status.INSTALLED if entry.matches(data) else Status.DAMAGED

    def is_installed(self, entry: Entry) -> bool:
        """Returns whether the file is there with the published bytes."""
        return self.status(entry) is Status.INSTALLED

    def read(self, entry: Entry) -> bytes:
        """Returns the bytes of an installed file, or raises DataError if it is missing or damaged."""
        data = self._read(entry)
        if data is None:
            raise DataError(f"{entry.full_name} is not installed: {how_to_install()}")
        if not entry.matches(data):
            raise DataError(
                f"{self.path_of(entry)} is damaged (its SHA-256 is not the published one): "
                f"{how_to_install()}"
            )
        return data

    def install(self, entry: Entry, data: bytes) -> None:
        """Installs a published file, durably and atomically.

        Raises:
            DataError: if these are not the published bytes or the folder cannot be written; the
                folder is unchanged then.
        """
        if not entry.matches(data):
            raise DataError(f"these are not the bytes of {entry.path}: the SHA-256 differs")
        self._write(self.path_of(entry), data)

    def path_of_human_plan(self, entry: Entry) -> Path:
        """Returns where the human solution of a puzzle is, or would be, installed."""
        return self.root / HUMAN_FOLDER / f"{entry.full_name}.yaml"

    def install_human_plan(self, entry: Entry, plan: str) -> None:
        """Installs a human solution that was validated, durably and atomically.

        Raises:
            DataError: if the folder cannot be written; it is unchanged then.
        """
        self._write(self.path_of_human_plan(entry), f"plan: {plan}\n".encode())

    def _write(self, target: Path, data: bytes) -> None:
        with advised(), replaced(make_folder(target.parent) / target.name) as new:
            new.write_bytes(data)

    def prepare(self) -> None:
        """Creates the folder, and removes temporary files that crashed processes left in it.

        Recent temporary files are kept: a running process may still be writing them.
        """
        with advised():
            make_folder(self.root)
        for leftover in self.root.rglob(f".*{PARTIAL}"):
            with suppress(OSError):
                if time.time() - leftover.stat().st_mtime > STALE_SECONDS:
                    leftover.unlink()

    @contextmanager
    def download_lock(self) -> Iterator[None]:
        """Holds the lock on downloads into this folder; waits for it if another process has it.

        The operating system releases the lock when a process ends, however it ends.
        """
        self.prepare()
        with ExitStack() as stack:
            with advised():
                stack.enter_context(locked(self.root / LOCK, wait=True))
            yield

    def _read(self, entry: Entry) -> bytes | None:
        path = self.path_of(entry)
        try:
            with path.open("rb") as file:
                return file.read(entry.max_bytes + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


@dataclass(frozen=True)
class Problem:
    """A published file, by its path in the manifest, that could not be installed, and why."""

    path: str
    reason: str


@dataclass
class Report:
    """The result of an import or a download.

    Attributes:
        installed: the paths of files installed now.
        already: the paths of files that were installed before.
        human: the puzzles whose human solution was replayed and is installed, now or before.
        wrong: files found with other bytes than the published ones.
        missing: files not found.
        notes: further messages for the user.
    """

    installed: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    human: list[str] = field(default_factory=list)
    wrong: list[Problem] = field(default_factory=list)
    missing: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all requested files are installed."""
        return not self.wrong and not self.missing

    def as_dict(self) -> dict[str, Any]:
        """Returns the report as plain data for JSON."""
        return {"complete": self.complete, **asdict(self)}


def default_store() -> Store:
    """Returns the user's data folder, which the environment variable PUSHWORLD_DATA overrides."""
    chosen = os.environ.get(DATA_VARIABLE)
    if chosen:
        return Store(Path(chosen).expanduser(), published_manifest())
    from platformdirs import user_data_dir

    return Store(Path(user_data_dir("pushworld", appauthor=False)), published_manifest())


def how_to_install() -> str:
    """Returns the part of an error message that says how to install the published files."""
    return "run `pushworld data download`, or `pushworld data import PATH` if you have them"


@contextmanager
def advised() -> Iterator[None]:
    """Adds to an error about a file that cannot be written how to choose another folder."""
    try:
        yield
    except PushWorldError as error:
        raise DataError(f"{error}; set {DATA_VARIABLE} to a folder that can") from error


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
