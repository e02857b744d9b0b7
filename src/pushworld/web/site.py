"""The site: the page and its puzzles as files in memory, and their export for any web host."""

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pushworld.files import replaced
from pushworld.page.bundle import bundled
from pushworld.page.drawing import STATIC_FOLDER
from pushworld.planners import planners
from pushworld.planners.native import NativePlanner
from pushworld.puzzle import PushWorldError
from pushworld.web.catalogue import CatalogueSet
from pushworld.web.studies.messages import StudyInfo

INDEX = "index.html"
SCRIPT = "page.js"
WORKER = "js/server/planner-worker.js"
STYLE = "page.css"
STYLES = ("base", "parts", "board", "gallery", "play", "watch", "editor", "study")
"""The style sheets in their order: what comes later wins."""

SITE_FILE = "data/site.json"
SETS_FOLDER = "data/sets"
PLANNER_FILE = "wasm/planner.wasm"
OFFLINE_FILE = "service-worker.js"

CONSENT = (
    "If you agree, this page sends what you do in a puzzle (moves, undo, redo, reset, hints, and "
    "when) to the people who run it, for research on how puzzles are solved. It is kept under a "
    "random number that is not linked to you: no name, no address of your computer, nothing about "
    "your browser. You can play without agreeing, and withdraw at any time."
)
"""The text that a player must agree to before anything is recorded."""

PAGE_POLICY = (
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
)
"""The page's Content-Security-Policy: nothing from other hosts, nothing inline, no `eval`; the planner
is WebAssembly."""

# The table of `mimetypes` differs between machines, and browsers refuse modules of a wrong type.
_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}
_MIN_GZIP_BYTES = 512
_NO_SITE = b'const SITE = { version: "", files: [] }'
_CHARSET = b'<meta charset="utf-8">'


@dataclass(frozen=True)
class Asset:
    """A file of the site."""

    body: bytes  # its bytes
    media_type: str  # the value of its header Content-Type

    @cached_property
    def etag(self) -> str:
        """The entity tag: a hash of the bytes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The bytes compressed by gzip, or None if that saves too little."""
        if len(self.body) < _MIN_GZIP_BYTES:
            return None
        compressed = gzip.compress(self.body, 6, mtime=0)
        return compressed if len(compressed) < 0.9 * len(self.body) else None


def build_site(
    sets: Iterable[CatalogueSet],
    *,
    solver: bool,
    recording: bool,
    public_url: str | None = None,
    network_url: str | None = None,
    static_host: bool = False,
    static: Path = STATIC_FOLDER,
    study: StudyInfo | None = None,
) -> dict[str, Asset]:
    """Returns all files of the site by their paths relative to its root; raises PushWorldError.

    Args:
        sets: the puzzles.
        solver: whether a server searches for the page.
        recording: whether a server records games.
        public_url: where others find the site; copied links begin with it.
        network_url: the same in the local network, for links that are copied on the server's own computer.
        static_host: whether the site is for a host of files: then the page searches by itself, if the
            package has the planner for that, and keeps a copy of the site for use without a network.
        static: the folder of the page.
        study: the study that the page is for, if any.
    """
    sets = list(sets)
    assets = read_folder(static)
    for needed in (INDEX, OFFLINE_FILE):
        if needed not in assets:
            raise PushWorldError(f"{static} has no {needed}: reinstall the package")
    texts = {path: asset.body.decode() for path, asset in assets.items() if path.endswith(".js")}
    for path, entry in ((SCRIPT, "js/main.js"), (WORKER, WORKER)):
        assets[path] = Asset(bundled(texts, entry).encode(), _MEDIA_TYPES[".js"])
    styles = (assets.pop(f"css/{name}.css").body for name in STYLES)
    assets[STYLE] = Asset(b"".join(styles), _MEDIA_TYPES[".css"])
    assets[INDEX] = _with_head(
        assets[INDEX], [f"{SETS_FOLDER}/{each.id}.json" for each in sets[:1]]
    )
    planner = static_host and PLANNER_FILE in assets
    assets[SITE_FILE] = _json_asset(
        {
            "version": version("pushworld"),
            "solver": solver or planner,
            "server": solver,
            "offline": static_host,
            "page_planner": PLANNER_FILE in assets,
            "planners": [
                {"name": each.name, "description": each.description}
                for each in planners()
                if solver or (planner and isinstance(each, NativePlanner))
            ],
            "recording": recording,
            "consent": CONSENT if recording else None,
            "public_url": public_url,
            "network_url": network_url,
            "study": study,
            "sets": [
                {"id": each.id, "title": each.title, "count": len(each.puzzles)} for each in sets
            ],
        }
    )
    for each in sets:
        assets[f"{SETS_FOLDER}/{each.id}.json"] = _json_asset(each.puzzles)
    assets[OFFLINE_FILE] = _with_files(assets.pop(OFFLINE_FILE), assets)
    return assets


def export_site(
    folder: Path, sets: Iterable[CatalogueSet], public_url: str | None = None
) -> list[Path]:
    """Writes the site, without server and recording, into a folder and returns its files; raises PushWorldError.

    The folder must be new, empty or an earlier export. Sets of an earlier export that are no longer
    part of the site are deleted; all other files in the folder stay.
    """
    assets = build_site(
        sets, solver=False, recording=False, public_url=public_url, static_host=True
    )
    try:
        if folder.exists() and not folder.is_dir():
            raise PushWorldError(f"{folder} is a file; the export needs a folder")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / SITE_FILE).is_file():
            raise PushWorldError(
                f"{folder} is not empty and not an earlier export of the page: name a new folder"
            )
        for path, asset in assets.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with replaced(target, sync=False) as new:
                new.write_bytes(asset.body)
        for old in (folder / SETS_FOLDER).glob("*.json"):
            if f"{SETS_FOLDER}/{old.name}" not in assets:
                old.unlink()
    except OSError as error:
        raise PushWorldError(
            f"{error.filename or folder} cannot be written: {error.strerror or error}"
        ) from error
    return [folder / path for path in assets]


def checked_url(address: str | None) -> str | None:
    """Returns the address of a public site, which links can be appended to; raises PushWorldError."""
    if address is None:
        return None
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise PushWorldError(
            f"--public-url {address!r} is not the address of a site: write it like "
            "https://example.org/pushworld/"
        )
    return address if parts.path.endswith((".html", "/")) else f"{address}/"


def read_folder(folder: Path) -> dict[str, Asset]:
    """Returns the files below a folder by their relative paths.

    Leaves out hidden files, and symbolic links because they may lead out of the folder.
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
    """Returns the media type of a file of the page by its suffix."""
    return _MEDIA_TYPES.get(Path(name).suffix.lower(), "application/octet-stream")


def _with_head(page: Asset, early: Iterable[str]) -> Asset:
    """Returns the page with its policy, for hosts that do not send our headers, and what it needs first."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(PAGE_POLICY)}">'
    preload = '<link rel="preload" href="{}" as="fetch" crossorigin>'
    links = map(preload.format, (SITE_FILE, *early))
    head = "\n    ".join([_CHARSET.decode(), policy, *links])
    body = page.body.replace(_CHARSET, head.encode(), 1)
    return Asset(body, page.media_type)


def _with_files(worker: Asset, assets: Mapping[str, Asset]) -> Asset:
    """Returns the service worker with the names of the site's files and a hash of them all."""
    version = hashlib.sha256(
        "".join(f"{path}{asset.etag}" for path, asset in assets.items()).encode()
    )
    values = json.dumps({"version": version.hexdigest()[:16], "files": ["./", *assets]})
    return Asset(
        worker.body.replace(_NO_SITE, b"const SITE = " + values.encode()), worker.media_type
    )


def _is_hidden_or_link(path: Path) -> bool:
    return path.name.startswith((".", "__")) or path.is_symlink()


def _json_asset(value: Any) -> Asset:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Asset(text.encode(), _MEDIA_TYPES[".json"])
