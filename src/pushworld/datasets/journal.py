"""Folders that grow: a log beside the files says what they are for and how far they are.

The log's first line is what was asked for, and each further line tells of one step. Lines are only
ever added, so whatever stops a run, the next one goes on after the last whole line.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pushworld.datasets.errors import DataError

Row = dict[str, Any]


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Makes a folder if it is not there, and keeps other processes from adding to it meanwhile.

    Raises:
        DataError: if another process adds to it, or something in it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder):
            yield
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, where the system has one; it ends with this process."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DataError(
                    f"another process is adding to {folder}: wait for it, or name another folder"
                ) from None
        yield
    finally:
        os.close(handle)


def open_journal(path: Path, request: Row, keys: Sequence[str]) -> list[Row]:
    """Returns the rows of a log after its first line; begins it if there is none.

    A log of another request, of which nothing has come yet, is begun anew.

    Args:
        path: the log, in a folder that exists.
        request: what the first line says or must say.
        keys: what each row must have.

    Raises:
        DataError: if the folder holds something else, or the log is damaged.
    """
    request = json.loads(json.dumps(request))
    folder = path.parent
    if not path.exists():
        if any(folder.iterdir()):
            raise DataError(f"{folder} is not empty and has no {path.name}: name a new folder")
        write_text(path, json.dumps(request) + "\n")
        return []
    try:
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        found, *rows = [json.loads(line) for line in whole.splitlines()]
        rows = [{**row, **{key: row[key] for key in keys}} for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} is damaged: remove the folder or name another") from error
    if found != request:
        if list(folder.iterdir()) == [path]:
            write_text(path, json.dumps(request) + "\n")
            return []
        differing = [key for key in {**request, **found} if request.get(key) != found.get(key)]
        raise DataError(
            f"{folder} was made for another request, with another {' and '.join(sorted(differing))}: "
            "name another folder"
        )
    if whole != text:
        write_text(path, whole)
    return rows


def append_rows(path: Path, rows: Iterable[Row]) -> None:
    """Adds rows to a log."""
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def write_text(path: Path, text: str) -> None:
    """Writes a file with the same bytes on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")
