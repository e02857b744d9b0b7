"""Folders of results: settings, puzzles, and runs that are appended one by one and never lost."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pushworld.bench.records import Run, RunKey, Settings
from pushworld.bench.tasks import Task
from pushworld.puzzle import PushWorldError, Puzzle

SETTINGS = "settings.json"
RUNS = "runs.jsonl"
PUZZLES = "puzzles"
REPORT = "report"
LOCK = "lock"
NOT_A_RECORD = (ValueError, KeyError, TypeError, RecursionError)
"""What reading something else raises; JSON that is nested deeply raises the last."""


class ResultsError(PushWorldError):
    """A folder of results cannot be used as requested."""


@dataclass(frozen=True)
class Results:
    """The content of a results folder.

    Attributes:
        path: the folder.
        settings: those of all runs.
        planners: the versions of the planners by name, in the order in which the user named them.
        runs: of these versions, in the order in which they ended.
    """

    path: Path
    settings: Settings
    planners: dict[str, str]
    runs: list[Run]

    def puzzle(self, run: Run) -> Puzzle | None:
        """Returns the puzzle of a run, or None if its file was removed."""
        path = self.path / PUZZLES / f"{run.digest}.pwp"
        if not path.is_file():
            return None
        return Puzzle.parse(path.read_text(encoding="utf-8"), name=run.puzzle)


def read_results(path: str | os.PathLike[str]) -> Results:
    """Returns the results in a folder; a benchmark may be adding to it.

    Raises:
        ResultsError: if it is not a results folder or a line is damaged.
    """
    folder = Path(path)
    if not (folder / SETTINGS).is_file():
        raise ResultsError(
            f"{folder} holds no results: `pushworld benchmark -o {folder}` puts some there"
        )
    settings, planners = _read_settings(folder / SETTINGS)
    runs = {run.key: run for run in _read_runs(folder / RUNS)[0]}
    current = [run for run in runs.values() if run.planner_version == planners.get(run.planner)]
    return Results(folder, settings, planners, current)


class ResultsFolder:
    """A results folder that is open for writing, for runs of the same settings; a context manager.

    Runs of other versions of a planner stay in the folder, but do not count. A run is on the disk when `append` returns. If the machine or the process dies while a run is
    written, the next one that opens the folder removes the incomplete line.

    Raises:
        ResultsError: if the folder holds something else or runs of other settings, or another
            process has it open.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: Settings,
        planners: Mapping[str, str],
        *,
        restart: bool = False,
    ) -> None:
        self.path = Path(path)
        self.settings = settings
        self.planners = dict(planners)
        self.runs: dict[RunKey, Run] = {}
        self._descriptor = -1
        try:
            self._lock = self._locked()
            try:
                self._open(restart)
            except BaseException:
                self.close()
                raise
        except OSError as error:
            raise ResultsError(f"{self.path} cannot be used: {error.strerror or error}") from error

    def __enter__(self) -> ResultsFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the folder and releases its lock."""
        for descriptor in (self._descriptor, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._descriptor = self._lock = -1

    def append(self, run: Run) -> None:
        """Adds a run.

        Raises:
            ResultsError: if the folder already holds this run, or the disk is full.
        """
        if run.key in self.runs:
            raise ResultsError(f"{self.path} already holds {run.planner} on {run.puzzle}")
        line = json.dumps(run.to_json()).encode() + b"\n"
        size = os.fstat(self._descriptor).st_size
        try:
            if os.write(self._descriptor, line) != len(line):
                raise OSError(None, "the disk is full")
            os.fsync(self._descriptor)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, size)
            raise ResultsError(f"{self.path / RUNS} cannot be written: {error.strerror}") from error
        self.runs[run.key] = run

    def keep_puzzle(self, task: Task) -> None:
        """Stores the puzzle with the runs, so that their plans can be replayed anywhere."""
        path = self.path / PUZZLES / f"{task.key.digest}.pwp"
        if not path.exists():
            _write_atomically(path, task.puzzle.to_pwp())

    def _locked(self) -> int:
        """Returns the descriptor of the lock; the system releases it when this process ends."""
        import fcntl  # not on Windows, where reports of benchmarks can be made

        if self.path.is_dir():
            self._check_that_it_is_ours()
        self.path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode() or "?"
            os.close(descriptor)
            raise ResultsError(
                f"another benchmark (process {holder}) is adding to {self.path}: wait for it, or "
                "name another folder with -o"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        return descriptor

    def _check_that_it_is_ours(self) -> None:
        """Raises ResultsError if the folder holds files that are not of a benchmark."""
        if (self.path / SETTINGS).exists():
            _read_settings(self.path / SETTINGS)
            return
        others = {entry.name for entry in self.path.iterdir()}
        if LOCK in others:  # a benchmark was killed before it wrote its settings
            others -= {LOCK, PUZZLES, REPORT, f"{SETTINGS}.part"}
        if others:
            raise ResultsError(
                f"{self.path} holds other files ({min(others)}): name an empty or new folder"
            )

    def _open(self, restart: bool) -> None:
        if restart:
            (self.path / RUNS).unlink(missing_ok=True)
            (self.path / SETTINGS).unlink(missing_ok=True)
            shutil.rmtree(self.path / PUZZLES, ignore_errors=True)
        self._agree_on_settings()
        (self.path / PUZZLES).mkdir(exist_ok=True)
        runs, whole = _read_runs(self.path / RUNS)
        self.runs = {run.key: run for run in runs}
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._descriptor = os.open(self.path / RUNS, flags, 0o666)
        os.ftruncate(self._descriptor, whole)
        os.fsync(self._descriptor)
        _sync_folder(self.path)

    def _agree_on_settings(self) -> None:
        """Writes the settings, or raises ResultsError if the folder has others."""
        path = self.path / SETTINGS
        known: dict[str, str] = {}
        if path.exists():
            settings, known = _read_settings(path)
            if difference := settings.differences(self.settings):
                raise ResultsError(
                    f"{self.path} holds runs with {difference}: name another folder with -o, or "
                    "discard its runs with --restart"
                )
        if (planners := known | self.planners) != known:
            content = {"settings": self.settings.to_json(), "planners": planners}
            _write_atomically(path, json.dumps(content, indent=2) + "\n")


def _read_settings(path: Path) -> tuple[Settings, dict[str, str]]:
    """Returns the settings and the versions of the planners."""
    try:
        content = json.loads(path.read_bytes())
        planners = {str(name): str(version) for name, version in content["planners"].items()}
        return Settings.from_json(content["settings"]), planners
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror or error}") from error
    except (*NOT_A_RECORD, AttributeError):
        raise ResultsError(f"{path} does not hold the settings of a benchmark") from None


def _read_runs(path: Path) -> tuple[list[Run], int]:
    """Returns the runs in a file and their size in bytes; an incomplete last line is not counted."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror or error}") from error
    runs: list[Run] = []
    whole = 0
    lines = content.splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        run = _parse_run(line) if line.endswith(b"\n") else None
        if run is None:
            if number == len(lines):
                break
            raise ResultsError(f"{path}, line {number} is damaged: remove the line to run it again")
        runs.append(run)
        whole += len(line)
    return runs, whole


def _parse_run(line: bytes) -> Run | None:
    try:
        values: Any = json.loads(line)
        return Run.from_json(values)
    except NOT_A_RECORD:
        return None


def _write_atomically(path: Path, text: str) -> None:
    """Writes a file completely or not at all."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
