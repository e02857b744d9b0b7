"""The published puzzles, which are data from elsewhere: read where they are, skipped where not."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "shared"

SHARED: Path | None = _FOLDER if (_FOLDER / "puzzles").is_dir() else None
"""The folder ``shared`` next to the repository, or None where there is none."""

needs_shared = pytest.mark.skipif(
    SHARED is None,
    reason="needs the published puzzles in the folder 'shared' next to the repository",
)
"""Skips a test where the published puzzles are not at hand."""


def published_puzzles() -> list[Path]:
    """Returns the files of the published puzzles of levels 1 to 4 that are at hand, in order."""
    return [] if SHARED is None else sorted(SHARED.glob("puzzles/level[1-4]/*.pwp"))


def level0_archive() -> zipfile.ZipFile:
    """Returns the opened archive of the Level 0 puzzles; for tests marked with `needs_shared`."""
    assert SHARED is not None
    return zipfile.ZipFile(SHARED / "puzzles" / "level0.zip")
