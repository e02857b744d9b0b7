"""Runs of planners on puzzles, kept as JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pushworld.puzzle import PushWorldError

USING_SEVERAL_THREADS = ("default",)


@dataclass(frozen=True)
class Settings:
    """All that runs must share for their times to be comparable.

    Attributes:
        threads: for planners that use several.
        build: changes with the native code.
        processor, cores, system, python: the machine.
    """

    time_limit: float
    memory_limit_gb: float
    threads: int
    seed: int
    version: str
    build: str
    processor: str
    cores: str
    system: str
    python: str

    @property
    def machine(self) -> str:
        cores = f"{self.cores} core{'s' * (self.cores != '1')}"
        return f"{self.processor}, {cores}, {self.system}, Python {self.python}"

    def threads_of(self, planner: str) -> int:
        """Returns how many threads the planner uses."""
        return self.threads if planner in USING_SEVERAL_THREADS else 1

    def differences(self, other: Settings) -> str:
        """Returns what is not the same, in words; empty if all is."""
        mine, theirs = asdict(self), asdict(other)
        unequal = [key for key in mine if mine[key] != theirs[key]]
        return ", ".join(f"{key} {mine[key]} and not {theirs[key]}" for key in unequal)


Key = tuple[str, str, str, str]
"""Planner, level, puzzle and digest."""


@dataclass(frozen=True)
class Run:
    """What a report needs of a run; its line in the file holds more.

    Attributes:
        level: the set or folder of the puzzle.
        digest: of the puzzle's content, so that an edited puzzle is another one.
        date: when it was measured.
        status: of the result, or ``crashed``, ``hung`` or ``error``.
    """

    planner: str
    level: str
    puzzle: str
    digest: str
    date: str
    status: str
    seconds: float
    length: int | None
    states_per_second: float
    settings: Settings

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Run:
        """Returns the run; raises KeyError or TypeError if the record is of another kind."""
        values = {field.name: record[field.name] for field in fields(cls)}
        return cls(**values | {"settings": Settings(**record["settings"])})

    @property
    def key(self) -> Key:
        return self.planner, *self.task

    @property
    def task(self) -> tuple[str, str, str]:
        """Returns level, puzzle and digest."""
        return self.level, self.puzzle, self.digest

    def solved_within(self, seconds: float) -> bool:
        return self.status == "solved" and self.seconds <= seconds


def read_runs(path: Path) -> list[Run]:
    """Returns the runs in a file; a last line that was not written to its end is left out.

    Raises:
        PushWorldError: if the file cannot be read or holds something else.
    """
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise PushWorldError(f"{path} cannot be read: {error.strerror or error}") from error
    runs = []
    for number, line in enumerate(lines, start=1):
        try:
            runs.append(Run.from_record(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            raise PushWorldError(
                f"{path}, line {number} is not a run of a planner: remove the line or name "
                "another file"
            ) from None
    return runs


class RunFile:
    """A file that takes runs of the same settings; each is on the disk before the next begins.

    Raises:
        PushWorldError: if the file cannot be used or holds runs of other settings.
    """

    def __init__(self, path: Path, settings: Settings, *, restart: bool = False) -> None:
        self.path = path
        self._settings = settings
        self.runs: list[Run] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if restart:
                path.unlink(missing_ok=True)
            if path.exists():
                self.runs = read_runs(path)
                self._check()
                _cut_torn_line(path)
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise PushWorldError(f"{path} cannot be used: {error.strerror or error}") from error

    def append(self, record: dict[str, Any]) -> Run:
        """Returns the run that was added."""
        record = record | {"settings": asdict(self._settings)}
        try:
            self._file.write(json.dumps(record) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise PushWorldError(f"{self.path} cannot be written: {error.strerror}") from error
        self.runs.append(Run.from_record(record))
        return self.runs[-1]

    def _check(self) -> None:
        for run in self.runs:
            if difference := run.settings.differences(self._settings):
                raise PushWorldError(
                    f"{self.path} holds runs with {difference}: name another file with --output, "
                    "or discard those runs with --restart"
                )


def check_comparable(runs: Iterable[Run]) -> None:
    """Raises PushWorldError unless all runs are of one machine and each planner's of one kind."""
    first: dict[str, Settings] = {}
    for run in runs:
        known = first.setdefault(run.planner, run.settings)
        if difference := run.settings.differences(known):
            raise PushWorldError(f"runs of {run.planner} are not comparable: {difference}")
    if len(machines := {settings.machine for settings in first.values()}) > 1:
        raise PushWorldError(f"runs of several machines: {'; '.join(sorted(machines))}")


def _cut_torn_line(path: Path) -> None:
    content = path.read_bytes()
    os.truncate(path, content.rfind(b"\n") + 1)
