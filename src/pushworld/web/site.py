"""The files of the site, all held in memory: nothing else can be asked for, so nothing else is read."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pushworld.puzzle import PushWorldError
from pushworld.web.catalogue import CatalogueSet

STATIC_FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
DATA = "data"
SITE_FILE = f"{DATA}/site.json"
SETS_FILE = f"{DATA}/sets.json"
SETS_FOLDER = f"{DATA}/sets"

CONSENT = (
    "If you agree, this page sends what you do in a puzzle (moves, undo, redo, reset, hints, and "
    "when) to the people who run it, for research on how puzzles are solved. It is kept under a "
    "random number that is not linked to you: no name, no address of your computer, nothing about "
    "your browser. You can play without agreeing, and withdraw at any time."
)
"""The one text that a player is asked to agree to before anything is recorded."""

PAGE_POLICY = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
)
"""The Content-Security-Policy of the page: nothing from elsewhere, nothing inline."""

# What a system's own table says differs from machine to machine, and modules need the right type.
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_MIN_GZIP_BYTES = 512
_CHARSET = b'<meta charset="utf-8">'


@dataclass(frozen=True)
class Asset:
    """A file of the site.

    Attributes:
        body: its bytes.
        media_type: for the header Content-Type.
    """

    body: bytes
    media_type: str

    @cached_property
    def etag(self) -> str:
        """A name for these bytes, for caches."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The bytes in gzip, or None where that is not worth it."""
        if len(self.body) < _MIN_GZIP_BYTES:
            return None
        smaller = gzip.compress(self.body, 6, mtime=0)
        return smaller if len(smaller) < 0.9 * len(self.body) else None


def build_site(
    sets: Iterable[CatalogueSet],
    *,
    solver: bool,
    recording: bool,
    static: Path = STATIC_FOLDER,
) -> dict[str, Asset]:
    """Returns all files of the site by their paths relative to its root.

    Raises:
        PushWorldError: if the page's files are not where they should be.
    """
    sets = list(sets)
    assets = read_folder(static)
    if INDEX not in assets:
        raise PushWorldError(f"{static} has no {INDEX}: install the package anew")
    assets[INDEX] = _with_policy(assets[INDEX])
    assets[SITE_FILE] = _json_asset(
        {
            "version": version("pushworld"),
            "solver": solver,
            "recording": recording,
            "consent": CONSENT if recording else None,
        }
    )
    assets[SETS_FILE] = _json_asset(
        [{"id": each.id, "title": each.title, "count": len(each.puzzles)} for each in sets]
    )
    for each in sets:
        assets[f"{SETS_FOLDER}/{each.id}.json"] = _json_asset(each.puzzles)
    return assets


def read_folder(folder: Path) -> dict[str, Asset]:
    """Returns the plain files below a folder by their relative paths.

    Hidden files are left out, and so are symbolic links, which may lead out of the folder.
    """
    assets = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _is_hidden_or_link(Path(place, name))]
        for name in names:
            path = Path(place, name)
            if not _is_hidden_or_link(path) and path.is_file():
                relative = path.relative_to(folder).as_posix()
                assets[relative] = Asset(path.read_bytes(), media_type_of(name))
    return assets


def media_type_of(name: str) -> str:
    """Returns the media type of a file, told by its name."""
    suffix = Path(name).suffix.lower()
    return _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _with_policy(page: Asset) -> Asset:
    """Returns the page with its policy in it, for web hosts that send no headers of ours."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(PAGE_POLICY)}">'
    body = page.body.replace(_CHARSET, _CHARSET + b"\n    " + policy.encode(), 1)
    return Asset(body, page.media_type)


def _is_hidden_or_link(path: Path) -> bool:
    return path.name.startswith((".", "__")) or path.is_symlink()


def _json_asset(value: Mapping[str, Any] | Iterable[Any]) -> Asset:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Asset(text.encode(), _TYPES[".json"])
