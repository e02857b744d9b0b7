"""Journals: files of JSON lines that only grow, beside the files whose making they record.

What was appended is on the disk. The torn last line of a process that was killed does not count, and the
next row takes its place.
"""

import errno
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pushworld.errors import PushWorldError
from pushworld.files import parse_json, sync_folder, write_text, writing

Row = dict[str, Any]
Kind = type | tuple[type, ...]
LAST_BYTES = 1 << 16


def files_in(folder: Path) -> list[Path]:
    """Returns what is in a folder, apart from hidden files such as those of this module."""
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def open_journal(path: Path, request: Row, keys: Mapping[str, Kind]) -> list[Row]:
    """Returns the rows of a journal whose first line is a request; begins it if there is none. Raises PushWorldError.

    A journal of another request is overwritten if it is the only file of its folder.

    Each row must have the keys, with values of their types.
    """
    folder = path.parent
    others = [each for each in files_in(folder) if each != path]
    if others and not path.exists():
        raise PushWorldError(f"{folder} is not empty and has no {path.name}: name a new folder")
    advice = "remove the folder or name another"
    request = json.loads(json.dumps(request))
    rows: list[Any] = read_rows(path, {}, advice)
    found = rows.pop(0) if rows else None
    if found == request:
        if not all(_has(row, keys) for row in rows):
            raise damaged(path, advice)
        return rows
    if others:
        if not isinstance(found, dict):
            raise damaged(path, advice)
        differing = [key for key in {**request, **found} if request.get(key) != found.get(key)]
        raise PushWorldError(
            f"{folder} was made for another request, with another {' and '.join(sorted(differing))}: "
            "name another folder"
        )
    write_text(path, json.dumps(request) + "\n")
    return []


def read_rows(path: Path, keys: Mapping[str, Kind], advice: str) -> list[Row]:
    """Returns the whole rows of a journal, which need not exist; raises PushWorldError.

    Each row must have the keys, with values of their types; `advice` says what to do about a damaged journal.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise PushWorldError(f"{path} cannot be read: {error.strerror or error}") from error
    rows = []
    for number, line in enumerate(_whole_lines(data).splitlines(), start=1):
        try:
            rows.append(parse_json(line, path))
            if keys and not _has(rows[-1], keys):
                raise PushWorldError(f"the keys are not {', '.join(keys)}")
        except PushWorldError as error:
            raise PushWorldError(f"{path}, line {number} is damaged: {advice}") from error
    return rows


def _whole_lines(data: bytes) -> bytes:
    """Returns a journal without a torn last line; a loss of power may leave zeros in it."""
    end = data.rfind(b"\n") + 1
    last = data.rfind(b"\n", 0, max(0, end - 1)) + 1
    return data[:last] if b"\0" in data[last:end] else data[:end]


def _has(row: object, keys: Mapping[str, Kind]) -> bool:
    """Returns whether something is a row with these keys."""
    return isinstance(row, dict) and all(
        key in row and isinstance(row[key], kind) for key, kind in keys.items()
    )


def damaged(path: Path, advice: str) -> PushWorldError:
    """Returns the error about a journal that cannot be continued."""
    return PushWorldError(f"{path} is damaged: {advice}")


def append_rows(path: Path, rows: Iterable[Row]) -> None:
    """Appends rows to a journal: all are on the disk when this returns, or none if it fails; raises PushWorldError."""
    data = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows).encode()
    with writing(path), path.open("a+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - LAST_BYTES))
        last = file.readall()
        if _whole_lines(last) != last:
            file.seek(0)
            end = len(_whole_lines(file.readall()))
            file.truncate(end)
        try:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                file.truncate(end)
            raise
        if end == 0:
            sync_folder(path.parent)
