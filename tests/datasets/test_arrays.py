"""Files of arrays that are damaged or malicious: never code, never memory for what is not there."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pushworld.datasets.arrays import ARCHIVE_ERRORS, open_archive, read_member


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def read_arrays(path: Path) -> dict[str, Any]:
    with open_archive(path) as archive:
        return {name: read_member(archive, name) for name in archive.namelist()}


def claiming(shape: tuple[int, ...]) -> bytes:
    """Returns an array of which only a header with that shape is there."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64)


def test_arrays_come_back(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", one=np.arange(6).reshape(2, 3), two=np.float32(0.5))
    found = read_arrays(tmp_path / "a.npz")
    assert found["one.npy"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found["two.npy"] == np.float32(0.5)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("one.npy", npy(np.array([Payload(tmp_path / "executed")], object)))
    with pytest.raises(ARCHIVE_ERRORS):
        read_arrays(tmp_path / "a.npz")
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    "content",
    [
        claiming((2**40,)),
        claiming((10**30, 10**30)),
        claiming((-1,)),
        npy(np.array("text")),
        b"[[[[",
        claiming((4,)).replace(b"}", b"{"),
        npy(np.zeros(1 << 27, np.float32)),
    ],
    ids=["huge", "beyond numbers", "negative", "text", "no array", "half a header", "bomb"],
)
def test_a_member_that_is_no_plain_array_is_refused(content: bytes, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("one.npy", content)
    with pytest.raises(ARCHIVE_ERRORS):
        read_arrays(tmp_path / "a.npz")
