"""Folders that several runs fill: an append-only log beside the files records request and progress.

The first line of the log is the request, each further line is one finished step. After an
interruption at any moment, the next run continues after the last complete line.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pushworld.datasets.errors import DataError

Row = dict[str, Any]
Kind = type | tuple[type, ...]


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Creates a folder if it does not exist, and locks it against other processes for the block.

    Raises:
        DataError: if another process holds the lock, or something in the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder):
            yield
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Holds an advisory lock on a folder where the system supports it; it ends with the process."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems do not support locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DataError(
                    f"another process is adding to {folder}: wait for it, or name another folder"
                ) from None
        yield
    finally:
        os.close(handle)


def open_journal(path: Path, request: Row, keys: Mapping[str, Kind]) -> list[Row]:
    """Returns the rows of a log after its first line; creates the log if there is none.

    A log of another request is overwritten if it is the only file of its folder.

    Args:
        path: the log, in a folder that exists.
        request: the first line of the log, as data for JSON.
        keys: the keys that each row must have, with the types of their values.

    Raises:
        DataError: if the folder belongs to another request or to none, or the log is damaged.
    """
    request = json.loads(json.dumps(request))
    folder = path.parent
    if not path.exists():
        if any(folder.iterdir()):
            raise DataError(f"{folder} is not empty and has no {path.name}: name a new folder")
        write_text(path, json.dumps(request) + "\n")
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if not whole and list(folder.iterdir()) == [path]:  # a run that ended while it began
        write_text(path, json.dumps(request) + "\n")
        return []
    try:
        found, *rows = [json.loads(line) for line in whole.decode("utf-8").splitlines()]
    except (ValueError, RecursionError) as error:
        raise damaged(path) from error
    if not isinstance(found, dict) or not all(_has(row, keys) for row in rows):
        raise damaged(path)
    if found != request:
        if list(folder.iterdir()) == [path]:
            write_text(path, json.dumps(request) + "\n")
            return []
        differing = [key for key in {**request, **found} if request.get(key) != found.get(key)]
        raise DataError(
            f"{folder} was made for another request, with another {' and '.join(sorted(differing))}: "
            "name another folder"
        )
    if whole != data:
        os.truncate(path, len(whole))  # writing it anew could lose it
    return rows


def read_rows(path: Path, keys: Mapping[str, Kind]) -> list[Row]:
    """Returns the complete rows of a log without a request, and cuts off an incomplete one.

    Args:
        path: the log; it need not exist.
        keys: the keys that each row must have, with the types of their values.

    Raises:
        DataError: if the log is damaged.
    """
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    try:
        rows = [json.loads(line) for line in whole.splitlines()]
    except (ValueError, RecursionError) as error:
        raise damaged(path, "remove this file") from error
    if not all(_has(row, keys) for row in rows):
        raise damaged(path, "remove this file")
    if whole != data:
        os.truncate(path, len(whole))
    return rows


def _has(row: object, keys: Mapping[str, Kind]) -> bool:
    """Returns whether something is a row with these keys."""
    return isinstance(row, dict) and all(
        key in row and isinstance(row[key], kind) for key, kind in keys.items()
    )


def damaged(path: Path, advice: str = "remove the folder or name another") -> DataError:
    """Returns the error about a log that cannot be continued."""
    return DataError(f"{path} is damaged: {advice}")


def append_rows(path: Path, rows: Iterable[Row]) -> None:
    """Appends rows to a log."""
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def write_text(path: Path, text: str) -> None:
    """Writes a file with the same bytes on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Gives the path of a temporary file, which replaces the file at the end of the block.

    The file is old or new at any moment, never half written.
    """
    temporary = path.with_name(f"{path.name}.partial")
    yield temporary
    temporary.replace(path)
