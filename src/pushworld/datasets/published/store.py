"""The user's data folder: published files, each verified before it is installed.

The folder has the paths of the manifest (``level1/NAME.pwp``, ``level0.zip``), ``human/`` with the human
solutions (``human/level1/NAME.yaml``), and ``partial/`` for unfinished files. A file gets its final name only by an atomic rename of verified bytes, so a crash
or a second process at any moment leaves every file either absent or complete.
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import Entry, Manifest, published_manifest

DATA_VARIABLE = "PUSHWORLD_DATA"
PARTIAL_FOLDER = "partial"
HUMAN_FOLDER = "human"
TEMPORARY_SUFFIX = ".tmp"
STALE_SECONDS = 24 * 3600


class Status(Enum):
    """The state of a published file in the data folder."""

    INSTALLED = "installed"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class Store:
    """A data folder and the manifest of its files.

    Attributes:
        root: the folder.
        manifest: which files it may hold.
    """

    root: Path
    manifest: Manifest

    def path_of(self, entry: Entry) -> Path:
        """Returns where the file is, or would be, installed."""
        return self.root / entry.path

    def partial_path(self, entry: Entry) -> Path:
        """Returns where the received part of a download is kept; hashes make the names unique."""
        return self.root / PARTIAL_FOLDER / entry.sha256

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
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._write_temporary(data)
            try:
                os.replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            _sync_folder(target.parent)
        except OSError as error:
            raise cannot_write(target, error) from error

    def prepare(self) -> None:
        """Creates the folder, and removes temporary files that crashed processes left in it.

        Recent temporary files are kept: a running process may still be writing them.
        """
        partial = self.root / PARTIAL_FOLDER
        try:
            partial.mkdir(parents=True, exist_ok=True)
            for leftover in partial.glob(f"*{TEMPORARY_SUFFIX}"):
                with suppress(FileNotFoundError):
                    if time.time() - leftover.stat().st_mtime > STALE_SECONDS:
                        leftover.unlink()
        except OSError as error:
            raise cannot_write(partial, error) from error

    @contextmanager
    def download_lock(self) -> Iterator[None]:
        """Holds the lock on downloads into this folder; waits for it if another process has it.

        The operating system releases the lock when a process ends, however it ends.
        """
        self.prepare()
        path = self.root / PARTIAL_FOLDER / "download.lock"
        try:
            lock = path.open("ab")
        except OSError as error:
            raise cannot_write(path, error) from error
        with lock:
            _wait_for_lock(lock.fileno())
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

    def _write_temporary(self, data: bytes) -> Path:
        """Returns a new file in the data folder whose bytes have reached the disk."""
        folder = self.root / PARTIAL_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{uuid.uuid4().hex}{TEMPORARY_SUFFIX}"
        try:
            with path.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path


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


def cannot_write(path: Path, error: OSError) -> DataError:
    """Returns the error to raise when the data folder refuses a write."""
    return DataError(
        f"{path} cannot be written: {error.strerror or error}; "
        f"set {DATA_VARIABLE} to a folder that can"
    )


def _sync_folder(folder: Path) -> None:
    """Makes a rename in the folder durable, where the system supports that."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _wait_for_lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            with suppress(OSError):
                msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
                return
    else:
        import fcntl

        # Some network file systems do not support locks; installs are atomic there too.
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
