"""The page as a static site that any web host can serve; only solver and recording need a server."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pushworld.puzzle import PushWorldError
from pushworld.web.catalogue import CatalogueSet
from pushworld.web.site import SETS_FOLDER, SITE_FILE, STATIC_FOLDER, build_site


def export_site(
    folder: Path, sets: Iterable[CatalogueSet], static: Path = STATIC_FOLDER
) -> list[Path]:
    """Writes the site into a folder that is new, empty or an earlier export, and returns its files.

    Of an earlier export, sets that are no longer part of the site are removed; files that are not
    ours stay.

    Raises:
        PushWorldError: if the folder holds something else or cannot be written.
    """
    assets = build_site(sets, solver=False, recording=False, static=static)
    try:
        if folder.exists() and not folder.is_dir():
            raise PushWorldError(f"{folder} is a file where a folder is needed")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / SITE_FILE).is_file():
            raise PushWorldError(
                f"{folder} is not empty and no earlier export of the page: name a new folder"
            )
        written = []
        for path, asset in assets.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(asset.body)
            written.append(target)
        for old in (folder / SETS_FOLDER).glob("*.json"):
            if f"{SETS_FOLDER}/{old.name}" not in assets:
                old.unlink()
    except OSError as error:
        raise PushWorldError(
            f"{error.filename or folder} cannot be written: {error.strerror or error}"
        ) from error
    return written
