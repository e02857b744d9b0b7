"""Folders of results: settings, puzzles, and runs that are appended one by one and never lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pushworld.bench.records import Run, Settings
from pushworld.bench.tasks import Task
from pushworld.files import locked_folder, make_folder, read_json, write_text
from pushworld.journal import append_rows, files_in, read_rows
from pushworld.puzzle import PushWorldError, Puzzle

SETTINGS = "settings.json"
RUNS = "runs.jsonl"
PUZZLES = "puzzles"
REPORT = "report"
NOT_A_RECORD = (ValueError, KeyError, TypeError)
"""What reading something else raises."""


class ResultsError(PushWorldError):
    """A folder of results cannot be used as requested."""


@dataclass(frozen=True)
class Results:
    """The content of a results folder."""

    path: Path  # the folder
    settings: Settings  # those of all runs
    # the versions of the planners by name, in the order in which the user named them
    planners: dict[str, str]
    runs: list[Run]  # of these versions, in the order in which they ended

    def puzzle(self, run: Run) -> Puzzle | None:
        """Returns the puzzle of a run, or None if its file was removed."""
        path = self.path / PUZZLES / f"{run.digest}.pwp"
        if not path.is_file():
            return None
        return Puzzle.parse(path.read_text(encoding="utf-8"), name=run.puzzle)


def read_results(path: str | os.PathLike[str]) -> Results:
    """Returns the results in a folder; a benchmark may be adding to it. Raises ResultsError."""
    folder = Path(path)
    if not (folder / SETTINGS).is_file():
        raise ResultsError(
            f"{folder} holds no results: `pushworld benchmark -o {folder}` puts some there"
        )
    settings, planners = _read_settings(folder / SETTINGS)
    runs = {run.key: run for run in _read_runs(folder / RUNS)}
    current = [run for run in runs.values() if run.planner_version == planners.get(run.planner)]
    return Results(folder, settings, planners, current)


class ResultsFolder:
    """A results folder that is open for writing, for runs of the same settings; a context manager.

    Runs of other versions of a planner stay in the folder, but do not count. A run is on the disk
    when `append` returns.

    Raises:
        ResultsError: if the folder holds something else or runs of other settings.
        PushWorldError: if another process has it open, or it cannot be written.
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
        if self.path.is_dir():
            self._check_that_it_is_ours()
        with ExitStack() as stack:
            stack.enter_context(locked_folder(self.path))
            if restart:
                (self.path / RUNS).unlink(missing_ok=True)
                shutil.rmtree(self.path / PUZZLES, ignore_errors=True)
            self._agree_on_settings(restart)
            make_folder(self.path / PUZZLES)
            self.runs = {run.key: run for run in _read_runs(self.path / RUNS)}
            self._lock = stack.pop_all()

    def __enter__(self) -> ResultsFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def append(self, run: Run) -> None:
        """Adds a run; raises ResultsError if the folder holds it, and PushWorldError if the disk is full."""
        if run.key in self.runs:
            raise ResultsError(f"{self.path} already holds {run.planner} on {run.puzzle}")
        append_rows(self.path / RUNS, [run.to_json()])
        self.runs[run.key] = run

    def keep_puzzle(self, task: Task) -> None:
        """Stores the puzzle with the runs, so that their plans can be replayed anywhere."""
        path = self.path / PUZZLES / f"{task.key.digest}.pwp"
        if not path.exists():
            write_text(path, task.puzzle.to_pwp())

    def _check_that_it_is_ours(self) -> None:
        """Raises ResultsError if the folder holds files that are not of a benchmark."""
        if (self.path / SETTINGS).exists():
            _read_settings(self.path / SETTINGS)
            return
        if others := {entry.name for entry in files_in(self.path)}:
            raise ResultsError(
                f"{self.path} holds other files ({min(others)}): name an empty or new folder"
            )

    def _agree_on_settings(self, restart: bool) -> None:
        """Writes the settings, or raises ResultsError if the folder has others and does not begin anew."""
        path = self.path / SETTINGS
        known: dict[str, str] = {}
        if path.exists() and not restart:
            settings, known = _read_settings(path)
            if difference := settings.differences(self.settings):
                raise ResultsError(
                    f"{self.path} holds runs with {difference}: name another folder with -o, or "
                    "discard its runs with --restart"
                )
        if (planners := known | self.planners) != known:
            content = {"settings": self.settings.to_json(), "planners": planners}
            write_text(path, json.dumps(content, indent=2) + "\n")


def _read_settings(path: Path) -> tuple[Settings, dict[str, str]]:
    """Returns the settings and the versions of the planners."""
    content = read_json(path)
    try:
        planners = {str(name): str(version) for name, version in content["planners"].items()}
        return Settings.from_json(content["settings"]), planners
    except (*NOT_A_RECORD, AttributeError):
        raise ResultsError(f"{path} does not hold the settings of a benchmark") from None


def _read_runs(path: Path) -> list[Run]:
    advice = "remove the line to run it again"
    runs = []
    for number, row in enumerate(read_rows(path, {}, advice), start=1):
        try:
            runs.append(Run.from_json(row))
        except NOT_A_RECORD as error:
            raise ResultsError(f"{path}, line {number} is damaged: {advice}") from error
    return runs
