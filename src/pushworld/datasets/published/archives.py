"""Reads untrusted archives: in memory, within limits, without writing anything to disk."""

import bz2
import gzip
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pushworld.datasets.errors import DataError

Wanted = Callable[[str], int | None]
"""Returns for a file's path how many bytes of it to read at most, or None to skip it."""

CHUNK = 1 << 16
TOO_LARGE = "it unpacks to more bytes than a copy of the sets ever has"


@dataclass(frozen=True)
class Limits:
    """Limits on an archive.

    Attributes:
        entries: the most members it may list.
        total_bytes: the most bytes that may be unpacked from it.
        single_read: the most bytes of one table or header.
    """

    entries: int = 100_000
    total_bytes: int = 512 << 20
    single_read: int = 16 << 20


DEFAULT_LIMITS = Limits()
# What decompresses a file, by its first bytes.
_COMPRESSIONS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
# The exceptions of the standard library's readers on malformed input.
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    RuntimeError,
    ValueError,
)


def read_archive(
    path: Path, wanted: Wanted, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of the wanted files in a zip or tar archive (gzip, bzip2, xz).

    Links, devices and folders are skipped. Content longer than wanted is cut one byte after the
    limit, so that it cannot match the published file.

    Raises:
        DataError: if the file is not an archive, is damaged, has a member that points outside of
            it, or exceeds the limits.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(6)
            file.seek(0)
            if magic.startswith(b"PK"):
                yield from _read_zip(file, wanted, limits)
            else:
                found = [
                    unpack for start, unpack in _COMPRESSIONS.items() if magic.startswith(start)
                ]
                with found[0](file) if found else nullcontext(file) as plain:
                    yield from _read_tar(plain, wanted, limits)
    except DataError as error:
        raise DataError(f"{path}: {error}; nothing was installed from it") from error
    except _DAMAGE as error:
        raise DataError(
            f"{path} is not a zip or tar archive, or is damaged: {error}; "
            "nothing was installed from it"
        ) from error
    except OSError as error:
        # Damaged gzip and bzip2 data is reported as an OSError too.
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


class _Meter:
    """A readable, seekable file that raises DataError when more is read from it than allowed.

    The standard library trusts the sizes in headers; this class does not.
    """

    def __init__(self, file: IO[bytes], single_read: int, total_bytes: int | None = None) -> None:
        self._file = file
        self._single_read = single_read
        self._left = total_bytes

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > self._single_read:
            size = self._single_read + 1
        data = self._file.read(size)
        if len(data) > self._single_read:
            raise DataError(f"it has a header of more than {_in_words(self._single_read)}")
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                raise DataError(TOO_LARGE)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        if self._left is None:
            return self._file.seek(offset, whence)
        # A tar archive is a stream: skipped bytes must be unpacked and so count, and only a
        # forged size leads backwards.
        while (ahead := offset - self._file.tell()) > 0 and self.read(min(ahead, CHUNK)):
            pass
        if ahead < 0:
            raise DataError("its members overlap")
        return self._file.tell()

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


def _read_zip(file: IO[bytes], wanted: Wanted, limits: Limits) -> Iterator[tuple[str, bytes]]:
    left = limits.total_bytes
    with zipfile.ZipFile(_Meter(file, limits.single_read)) as archive:
        members = archive.infolist()
        _check_count(len(members), limits)
        for member in members:
            _check_name(member.filename)
        for member in members:
            kind = stat.S_IFMT(member.external_attr >> 16)
            limit = wanted(_slashes(member.filename))
            if limit is None or member.is_dir() or kind not in (0, stat.S_IFREG):
                continue
            # The other compression methods of zip files have no bound on their output.
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise DataError(f"{member.filename!r} is compressed in a way that is not accepted")
            if member.flag_bits & 1:
                raise DataError(f"{member.filename!r} is encrypted")
            with archive.open(member) as content:
                data = _read_up_to(content, limit)
            left -= len(data)
            if left < 0:
                raise DataError(TOO_LARGE)
            yield _slashes(member.filename), data


def _read_tar(file: IO[bytes], wanted: Wanted, limits: Limits) -> Iterator[tuple[str, bytes]]:
    meter = _Meter(file, limits.single_read, limits.total_bytes)
    with tarfile.open(fileobj=meter, mode="r:") as archive:  # type: ignore[call-overload]
        for count, member in enumerate(archive, start=1):
            _check_count(count, limits)
            _check_name(member.name)
            limit = wanted(_slashes(member.name))
            if limit is None or not member.isreg() or member.issparse():
                continue
            content = archive.extractfile(member)
            assert content is not None
            yield _slashes(member.name), _read_up_to(content, limit)
        # tarfile takes a damaged header for the end, unless it is the first.
        file.seek(archive.offset)
        if file.read(tarfile.BLOCKSIZE).strip(b"\0"):
            raise DataError("a header in it is damaged")


def _read_up_to(content: IO[bytes], limit: int) -> bytes:
    """Returns the content, cut one byte after the limit."""
    chunks = []
    left = limit + 1
    while left > 0 and (chunk := content.read(min(left, CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _check_count(count: int, limits: Limits) -> None:
    if count > limits.entries:
        raise DataError(f"it lists more than {limits.entries} files")


def _check_name(name: str) -> None:
    plain = _slashes(name)
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in plain.split("/"):
        raise DataError(f"its member {name!r} points outside of it")


def _slashes(name: str) -> str:
    return name.replace("\\", "/")


def _in_words(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size} bytes"
