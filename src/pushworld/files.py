"""Files: written whole or not at all, locks, and JSON and TOML that others wrote."""

import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from pushworld.errors import PushWorldError

PARTIAL = ".partial"
"""How names of temporary files end; they begin with a dot."""

LOCK = ".lock"
MOST_NESTED = 100
MOST_BYTES = 1 << 26
"""The most of a file that is read at once."""


@contextmanager
def writing(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """Turns the OSErrors of a block that writes a file into PushWorldErrors; those of others pass."""
    try:
        yield
    except OSError as error:
        if error.filename is not None and Path(error.filename) not in (path, temporary):
            raise
        raise PushWorldError(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def replaced(path: Path, *, sync: bool = True) -> Iterator[Path]:
    """Gives the path of a temporary file, which replaces the file at the end of the block; raises PushWorldError.

    The file is old or new at any moment, never half written. Devices and pipes are written as they are.

    Args:
        sync: whether the file has reached the disk when this ends, so that no loss of power takes it.
    """
    if path.parent.as_posix() in ("/dev", "/dev/fd") or (path.exists() and not path.is_file()):
        with writing(path):
            yield path
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    temporary = target.with_name(f".{os.urandom(6).hex()}{PARTIAL}")
    with writing(path, temporary):
        try:
            temporary.touch()  # before the block does its work in vain
            yield temporary
            if sync:
                with temporary.open("rb+") as file:
                    os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        if sync:
            sync_folder(target.parent)


def write_text(path: Path, text: str, *, sync: bool = True) -> None:
    """Writes a file as a whole, with the same bytes on every system; raises PushWorldError."""
    with replaced(path, sync=sync) as new:
        new.write_text(text, encoding="utf-8", newline="\n")


def make_folder(path: Path) -> Path:
    """Returns a folder, which is made if it does not exist; raises PushWorldError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PushWorldError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder durable, where the system supports that."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def locked(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Holds the lock of a file for the block; the system releases it when this process ends. Raises PushWorldError.

    The file is made, and removed at the end. Some network file systems do not support locks: there it
    holds none.
    """
    while True:
        with writing(path):
            file = path.open("ab")
        with file:
            with suppress(OSError):
                try:
                    _lock(file.fileno(), wait)
                except BlockingIOError:
                    raise PushWorldError(
                        f"another process is adding to {path.parent}: wait for it, or name another folder"
                    ) from None
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue  # whoever held the lock has removed the file
            try:
                yield
            finally:
                with suppress(OSError):  # Windows keeps files that are open
                    path.unlink()
        return


def _lock(handle: int, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                return msvcrt.locking(handle, msvcrt.LK_NBLCK if not wait else msvcrt.LK_LOCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Makes a folder if it does not exist, and locks it against other processes for the block; raises PushWorldError."""
    with locked(make_folder(folder) / LOCK):
        for left in folder.glob(f".*{PARTIAL}"):  # by a process that was killed
            left.unlink(missing_ok=True)
        yield


def read_text(path: Path) -> str:
    """Returns the text of a file; raises PushWorldError if it cannot be read or is not UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise PushWorldError(f"{path} is larger than {MOST_BYTES >> 20} MiB")
        return data.decode("utf-8-sig")  # some editors begin files with a byte order mark
    except OSError as error:
        raise PushWorldError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PushWorldError(f"{path}, line {line}: this is not UTF-8 text") from error


def read_json(path: Path) -> Any:
    """Returns the content of a JSON file, or raises PushWorldError."""
    return parse_json(read_text(path), path)


def read_toml(path: Path) -> dict[str, Any]:
    """Returns the content of a TOML file, or raises PushWorldError."""
    return parse_toml(read_text(path), path)


def parse_json(text: str | bytes, name: object) -> Any:
    """Returns the value of a JSON text; raises PushWorldError with the name of where it is from.

    Numbers that are not finite, lone surrogates and deep nesting are errors: what reads or writes the
    value later would fail in ways of its own.
    """
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        value = _JSON.decode(text)
        if "\\u" in text or not text.isascii() or text.count("[") + text.count("{") > MOST_NESTED:
            _check(value)
        return value
    except (ValueError, RecursionError) as error:
        raise PushWorldError(f"{name} is not valid JSON: {_reason(error)}") from error


def parse_toml(text: str, name: object) -> dict[str, Any]:
    """Returns the value of a TOML text; like `parse_json` otherwise."""
    import tomllib  # only here: every command imports this module

    try:
        value = tomllib.loads(text, parse_float=_finite)
        _check(value)
        return value
    except (ValueError, RecursionError) as error:
        raise PushWorldError(f"{name} is not valid TOML: {_reason(error)}") from error


def _check(value: Any) -> None:
    """Raises an error if a value is nested too deeply, or holds a text that UTF-8 cannot hold."""
    level = [value]
    for _ in range(MOST_NESTED):
        for text in (each for each in level if isinstance(each, str)):
            text.encode()
        dicts = [each for each in level if isinstance(each, dict)]
        lists = [each for each in level if isinstance(each, list)]
        level = list(chain(*dicts, *(each.values() for each in dicts), *lists))
        if not level:
            return
    raise RecursionError


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it holds something that is not Unicode text"
    return str(error)


_JSON = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
