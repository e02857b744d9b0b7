"""Installs published files and human solutions from a clone, a folder, an archive or a single file."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from pushworld.datasets.errors import DataError
from pushworld.datasets.human import PLAN_SUFFIXES, solution_of
from pushworld.datasets.published.archives import DEFAULT_LIMITS, Limits, Wanted, read_archive
from pushworld.datasets.published.manifest import (
    LEVEL0_FILE,
    LEVEL0_SETS,
    MAX_LEVEL0_BYTES,
    MAX_PUZZLE_BYTES,
    PUZZLE_SUFFIX,
    Entry,
    Manifest,
)
from pushworld.datasets.published.store import HUMAN_FOLDER, Problem, Report, Store, default_store
from pushworld.datasets.sets import cannot_read
from pushworld.puzzle import PushWorldError, Puzzle

_LEVEL0_PUZZLE = re.compile(rf"level_0_({'|'.join(LEVEL0_SETS)})_(train|test)_\d+\.pwp")


def import_path(
    path: str | os.PathLike[str],
    store: Store | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    on_file: Callable[[str], None] = lambda path: None,
) -> Report:
    """Installs every published file found under a path, and returns a report.

    Files are recognised by their level and name at any depth below the path, and installed only if
    their SHA-256 is the published one. A file is reported as missing only if another file of its
    level was found. A human solution (``level1/NAME.yaml``) is installed only if it solves its puzzle.

    Args:
        path: a clone, a folder, a zip or tar archive, or a single file of the published sets.
        store: where to install; the user's data folder if not given.
        limits: the limits on an archive.
        on_file: called with each published path when it is done.

    Raises:
        DataError: if the path cannot be read, has no published file, or is an unsafe
            or damaged archive; nothing is changed then.
    """
    source = Path(path).expanduser()
    store = store or default_store()
    finder = _Finder(store.manifest)
    for where, data in _files(source, finder, limits):
        finder.add(where, data)
    if not finder.right and not finder.wrong and not finder.solutions:
        raise DataError(_nothing_found(source, finder))
    store.prepare()
    report = Report()
    for entry in store.manifest.of_levels(finder.levels()):
        _install(entry, finder, store, report)
        on_file(entry.path)
    _install_solutions(finder, store, report, on_file)
    if finder.saw_unpacked_level0 and LEVEL0_FILE not in finder.right:
        report.notes.append(_UNPACKED)
    return report


class _Finder:
    """Selects the files to read, and keeps those whose bytes are the published ones."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.right: dict[str, bytes] = {}
        self.wrong: dict[str, str] = {}
        self.solutions: dict[str, dict[Entry, tuple[str, bytes]]] = {}
        self.saw_unpacked_level0 = False

    def entry_at(self, where: str) -> Entry | None:
        """Returns the published file that the last one or two parts of a path name, or None."""
        parts = PurePosixPath(where).parts
        for count in (2, 1):
            entry = self.manifest.by_path.get("/".join(parts[-count:]))
            if entry is not None:
                return entry
        self.saw_unpacked_level0 |= bool(parts and _LEVEL0_PUZZLE.fullmatch(parts[-1]))
        return None

    def solved_by(self, where: str) -> Entry | None:
        """Returns the puzzle whose plan the last two parts of a path name, or None."""
        path = PurePosixPath(where)
        if path.suffix.lower() not in PLAN_SUFFIXES:
            return None
        return self.manifest.by_path.get(f"{path.parent.name}/{path.stem}{PUZZLE_SUFFIX}")

    def wanted(self, where: str) -> int | None:
        if self.solved_by(where) is not None:
            return MAX_PUZZLE_BYTES
        entry = self.entry_at(where)
        return None if entry is None or entry.path in self.right else entry.max_bytes

    def add(self, where: str, data: bytes) -> None:
        solved = self.solved_by(where)
        if solved is not None:
            folder = PurePosixPath(where).parent.parent.as_posix()
            self.solutions.setdefault(folder, {})[solved] = where, data
            return
        entry = self.entry_at(where)
        assert entry is not None
        if not entry.matches(data):
            # A clone on Windows may have converted the line ends.
            data = data.replace(b"\r\n", b"\n")
        if entry.matches(data):
            self.right[entry.path] = data
        else:
            self.wrong[entry.path] = where

    def levels(self) -> list[str]:
        """Returns the levels of the files found."""
        found = {*self.right, *self.wrong}
        return sorted({self.manifest.by_path[path].level for path in found})


def _install(entry: Entry, finder: _Finder, store: Store, report: Report) -> None:
    if store.is_installed(entry):
        report.already.append(entry.path)
    elif entry.path in finder.right:
        store.install(entry, finder.right[entry.path])
        report.installed.append(entry.path)
    elif entry.path in finder.wrong:
        reason = f"the SHA-256 of {finder.wrong[entry.path]} is not the published one"
        report.wrong.append(Problem(entry.path, reason))
    else:
        report.missing.append(Problem(entry.path, "it is not there"))


def _install_solutions(
    finder: _Finder, store: Store, report: Report, on_file: Callable[[str], None]
) -> None:
    """Installs the human solutions found; if there are solutions of several kinds, those of people."""
    folders = list(finder.solutions)
    if len(folders) > 1:
        folders = [each for each in folders if "human" in each.casefold()]
    if len(folders) != 1:
        if finder.solutions:
            named = ", ".join(sorted(folders or finder.solutions))
            report.notes.append(f"plans are in {named}: import the one with the plans of people")
        return
    for entry, (where, data) in finder.solutions[folders[0]].items():
        try:
            text = (finder.right.get(entry.path) or store.read(entry)).decode("utf-8")
            plan = solution_of(Puzzle.parse(text, name=entry.name), data)
        except PushWorldError as error:
            report.wrong.append(Problem(f"{HUMAN_FOLDER}/{entry.full_name}", f"{where}: {error}"))
        else:
            store.install_human_plan(entry, plan)
            report.human.append(entry.full_name)
        on_file(where)


def _files(source: Path, finder: _Finder, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of every file in the source that is named like a published one."""
    if source.is_dir():
        yield from _read_folder(source, finder.wanted)
    elif source.is_file():
        data = _read_file(source, MAX_LEVEL0_BYTES)
        known = finder.manifest.by_sha256.get(hashlib.sha256(data).hexdigest())
        where = source.absolute().as_posix() if known is None else known.path
        if finder.wanted(where) is not None:
            yield where, data
        else:
            yield from read_archive(source, finder.wanted, limits)
    elif source.exists():
        raise DataError(f"{source} is neither a folder nor a file")
    else:
        raise DataError(f"{source} does not exist: give a folder or an archive of the sets")


def _read_folder(folder: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    # The folder's own name counts too: it may be `level1`.
    for place, folders, names in os.walk(folder.absolute(), onerror=cannot_read):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            path = Path(place, name)
            limit = wanted(path.as_posix())
            if limit is not None and path.is_file():
                yield path.as_posix(), _read_file(path, limit)


def _read_file(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


def _nothing_found(source: Path, finder: _Finder) -> str:
    if finder.saw_unpacked_level0:
        return f"{source}: {_UNPACKED}"
    return (
        f"{source} has nothing of the published sets: expected files such as "
        f"`level1/Two Goals.pwp` or `{LEVEL0_FILE}`"
    )


_UNPACKED = (
    f"an unpacked Level 0 was left out, since only {LEVEL0_FILE} itself can be checked: import that"
)
