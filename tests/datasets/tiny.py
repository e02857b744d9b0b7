"""A tiny copy of the published sets, made up here, with a manifest of its own."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

from pushworld.datasets import Manifest, Store


def puzzle_bytes(width: int) -> bytes:
    """Returns a corridor of the given width with one thing to push to its end."""
    return ("A M1 " + ". " * (width - 3) + "G1\n").encode()


def level0_bytes() -> bytes:
    """Returns an archive of Level 0 with twelve numbers in one set and one in another."""
    widths = {
        f"level0/base/train/level_0_base_train_{number}.pwp": 4 + number for number in range(12)
    }
    widths["level0/base/test/level_0_base_test_0.pwp"] = 30
    widths["level0/all/test/level_0_all_test_0.pwp"] = 31
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("level0/"), b"")
        for member, width in widths.items():
            # A ZipInfo has a fixed date, so the bytes are the same in every process.
            archive.writestr(zipfile.ZipInfo(member), puzzle_bytes(width))
    return packed.getvalue()


FILES: dict[str, bytes] = {
    "level1/Tiny Steps.pwp": puzzle_bytes(4),
    "level1/Dont Look Back.pwp": puzzle_bytes(5),
    "level2/Long Way.pwp": puzzle_bytes(900),
    "level4/The Last One.pwp": puzzle_bytes(7),
    "level0.zip": level0_bytes(),
}


def manifest_csv(files: dict[str, bytes] = FILES) -> str:
    rows = [f"{path},{hashlib.sha256(data).hexdigest()}" for path, data in files.items()]
    return "\n".join(["path,sha256", *rows]) + "\n"


def tiny_store(root: Path) -> Store:
    return Store(root, Manifest.parse(manifest_csv()))


def write_files(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    """Writes files below a folder, and returns the folder."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def installed_files(store: Store) -> dict[str, bytes]:
    """Returns what a store has under final names: path and bytes of each file."""
    return {
        path.relative_to(store.root).as_posix(): path.read_bytes()
        for path in sorted(store.root.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def make_zip(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def make_tar(path: Path, files: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path
