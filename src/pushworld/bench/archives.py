"""Results that travel: folders as archives, unpacked and checked elsewhere."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pushworld.bench.records import Run, Settings
from pushworld.bench.store import REPORT, SETTINGS, Results, read_results
from pushworld.bench.tasks import Task, digest_of
from pushworld.datasets.arrays import ARCHIVE_ERRORS, open_archive
from pushworld.files import replaced as replaced_file
from pushworld.planners.protocol import bytes_of, replayed
from pushworld.puzzle import PushWorldError, Puzzle

Source = str | os.PathLike[str] | Puzzle
"""A set, a folder, a file, a name, or a puzzle."""

KNOWN = {SETTINGS, "journal.jsonl"}
"""One of these is in every folder of results: of planners and agents, or of language models."""


def pack_folder(folders: Sequence[Path], file: Path) -> str:
    """Writes the one folder without its report, always as the same bytes; returns their SHA-256. Raises PushWorldError."""
    if len(folders) != 1:
        raise PushWorldError("an archive holds one folder: name one with --pack")
    (folder,) = folders
    with replaced_file(file) as new, ZipFile(new, "w") as archive:
        for each in sorted(folder.rglob("[!.]*")):
            path = each.relative_to(folder)
            if each.is_file() and REPORT not in path.parts and each != file:
                archive.writestr(ZipInfo(path.as_posix()), each.read_bytes(), ZIP_DEFLATED)
    return hashlib.sha256(file.read_bytes()).hexdigest()


@contextmanager
def unpacked(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Yields folders; those of archives are named like them, and vanish at the end of the block. Raises PushWorldError."""
    with TemporaryDirectory(prefix="pushworld-results-") as temporary:
        folders = []
        for number, path in enumerate(paths):
            folders.append(path)
            if path.is_file():
                folders[-1] = Path(temporary) / str(number) / path.stem
                try:
                    with open_archive(path) as archive:
                        if not KNOWN & {Path(name).name for name in archive.namelist()}:
                            raise ValueError("it holds no results")
                        archive.extractall(folders[-1])
                except (*ARCHIVE_ERRORS, OSError) as error:
                    raise PushWorldError(f"{path} is no archive of results: {error}") from error
        yield folders


def verified(results: Results) -> Results:
    """Returns the results; a run that is not what it claims to be becomes ``wrong-plan``, with the reason."""
    runs = []
    for run in results.runs:
        wrong = run.status == "solved" and _wrong(run, results.puzzle(run), results.settings)
        runs.append(replace(run, status="wrong-plan", message=wrong) if wrong else run)
    return replace(results, runs=runs)


def _wrong(run: Run, puzzle: Puzzle | None, settings: Settings) -> str | None:
    """Returns what is wrong with a solved run, or None."""
    if puzzle is None or digest_of(puzzle) != run.digest:
        return "not replayed: its puzzle is missing or another one"
    if run.plan is None or replayed(puzzle, run.plan) != (True, run.pushes):
        return "replayed: the plan does not solve the puzzle with this number of pushes"
    if len(run.plan) != run.length:
        return f"the plan has {len(run.plan)} actions, not {run.length}"
    used = run.length if settings.clock == "moves" else run.seconds
    if used > settings.time_limit or run.cpu_seconds > settings.cpu_limit:
        return "beyond the time limit"
    if run.peak_memory_bytes > bytes_of(settings.memory_limit_gb):
        return "beyond the memory limit"
    return None


def with_tasks(source: Source) -> Sequence[Source | Task]:
    """Returns the tasks of a folder or archive of results, to run them again; anything else as it is."""
    if isinstance(source, Puzzle):
        return [source]
    path = Path(source)
    if not (path / SETTINGS).is_file() and (path.suffix != ".zip" or not path.is_file()):
        return [source]
    with unpacked([path]) as (folder,):
        results = read_results(folder)
        found = {run.task: results.puzzle(run) for run in results.runs}
    return [Task(task.level, puzzle) for task, puzzle in found.items() if puzzle]
