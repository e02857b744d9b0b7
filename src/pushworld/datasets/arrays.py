"""Arrays in zip archives, read from files that may be damaged or malicious."""

import io
import math
import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

ARCHIVE_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError),
    *(KeyError, ValueError, TypeError, OverflowError, SyntaxError, TokenError),
)
"""What reading a damaged archive raises, apart from OSError."""

MOST_UNPACKED = 1 << 28
"""The most bytes that the members of a smaller file unpack to."""

_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def open_archive(path: Path) -> zipfile.ZipFile:
    """Returns a zip archive that is open for reading; raises ValueError if it unpacks to far more."""
    archive = zipfile.ZipFile(path)
    if sum(each.file_size for each in archive.infolist()) > max(MOST_UNPACKED, path.stat().st_size):
        archive.close()
        raise ValueError(f"it unpacks to more than {MOST_UNPACKED >> 20} MiB")
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Returns an array of numbers that is a member of an archive.

    Raises:
        ValueError: if it is something else, or its header does not fit its size; nothing is
            unpickled, and no memory is taken for what is not there.
    """
    data = archive.read(name)
    file = io.BytesIO(data)
    version = npy.read_magic(file)
    if version not in _HEADERS:
        raise ValueError(f"{name} has an unknown header")
    shape, _, dtype = _HEADERS[version](file)
    if dtype.kind not in "biuf":
        raise ValueError(f"{name} holds no numbers")
    if min(shape, default=1) < 0 or math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise ValueError(f"{name} has another size than its header says")
    array: NDArray[Any] = np.load(io.BytesIO(data), allow_pickle=False)
    return array
