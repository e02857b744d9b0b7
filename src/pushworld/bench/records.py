"""The records of a benchmark: its settings, and one record for each run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from pushworld.machine import Machine

RunStatus = Literal[
    "solved",
    "unsolvable",
    "time-limit",
    "memory-limit",
    "state-limit",
    "out-of-memory",
    "wrong-plan",
    "crashed",
    "error",
]
STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)
FAILURES: tuple[RunStatus, ...] = ("out-of-memory", "wrong-plan", "crashed", "error")
"""How runs end that another attempt may end otherwise."""

Clock = Literal["wall", "cpu", "moves"]
CLOCKS: tuple[Clock, ...] = ("wall", "cpu")
"""Those of planners."""

DIGEST = re.compile("[0-9a-z]{1,64}")
MOST_NUMBER = 2**64
"""Numbers of records are smaller."""

WALL_PER_CPU = 30
"""On the CPU clock, the wall time that a run may take for each second of its time limit."""


class TaskKey(NamedTuple):
    """Identifies a puzzle within a benchmark; an edited puzzle has another digest."""

    level: str
    puzzle: str
    digest: str


class RunKey(NamedTuple):
    """Identifies a run; of several with the same key in a results folder the last one counts."""

    planner: str
    version: str
    task: TaskKey


@dataclass(frozen=True)
class Settings:
    """The settings that runs must share for their times to be comparable."""

    time_limit: float  # seconds per run, on the clock below
    memory_limit_gb: float  # gigabytes (10^9 bytes) for all processes of a run together
    threads: int  # threads per run, for planners that use several
    seed: int  # random seed, for planners that use one
    workers: int | None  # runs at the same time; None if a cluster decides
    engine: str  # the executor: ``local``, or ``ray`` for a Ray cluster
    version: str  # of the package
    build: str  # digest of the native code
    machine: Machine  # where the benchmark was started
    # ``wall`` for wall time, and as much CPU time per thread; ``cpu`` for CPU time, which other
    # work on the machine hardly changes; ``moves`` for agents, whose runs have no times: then the
    # time limit counts moves
    clock: Clock = "wall"

    @property
    def wall_limit(self) -> float:
        """Seconds of wall time per run."""
        return self.time_limit * (WALL_PER_CPU if self.clock == "cpu" else 1)

    @property
    def cpu_limit(self) -> float:
        """Seconds of CPU time for all threads and processes of a run together."""
        return self.time_limit * self.threads

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Returns the settings; raises KeyError, TypeError or ValueError if the values are no settings."""
        machine = Machine(**values["machine"])
        return cls(**_fitting(cls, {"clock": cls.clock, **values}) | {"machine": machine})

    def to_json(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return asdict(self)

    def differences(self, other: Settings) -> str:
        """Returns the differing settings as text; empty if there are none."""
        mine, theirs = _flat(self), _flat(other)
        unequal = [key for key in mine if mine[key] != theirs[key]]
        return ", ".join(f"{key} {mine[key]} and not {theirs[key]}" for key in unequal)


def _fitting(record: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of a record; raises KeyError, TypeError or ValueError if one is of another kind."""
    found = {field.name: values[field.name] for field in fields(record)}
    for field in fields(record):
        value = found[field.name]
        kind, _, optional = str(field.type).partition(" | ")
        if value is None and optional:
            continue
        is_text = isinstance(value, dict if kind == "Machine" else str)
        if not (abs(value) < MOST_NUMBER if kind in ("int", "float") else is_text):
            raise ValueError(f"{field.name} cannot be {value!r}")
    return found


def _flat(settings: Settings) -> dict[str, Any]:
    values = asdict(settings)
    machine: dict[str, Any] = values.pop("machine")
    return values | machine


@dataclass(frozen=True, kw_only=True)
class Run:
    """One planner on one puzzle."""

    planner: str  # its name
    planner_version: str  # of the planner, with a digest of its code
    level: str  # the set or folder of the puzzle
    puzzle: str  # its name
    digest: str  # of the puzzle's content
    # ``solved``: with a plan that the reference dynamics confirm, otherwise ``wrong-plan``;
    # ``unsolvable``: the planner says so; ``time-limit`` and ``memory-limit``: the planner or the
    # runner ended the run; ``out-of-memory``: the system had no memory left; ``crashed``: the
    # process died; ``error``: the planner raised an error
    status: RunStatus
    message: str = ""  # details of the status; empty if there are none
    seconds: float = 0.0  # from the puzzle to the plan, on the clock of the settings
    cpu_seconds: float = 0.0  # of all processes of the run together
    # the part of the wall time spent on writing, translating and grounding the task, if the planner
    # reports it
    representation_seconds: float | None = None
    peak_memory_bytes: int = 0  # peak memory of all processes of the run together
    plan: str | None  # the plan if there is one, correct or not
    length: int | None  # its number of actions
    pushes: int | None  # how many of them move more than the agent
    # expanded, generated, evaluated, states: statistics of the search, if known
    expanded: int | None = None
    generated: int | None = None
    evaluated: int | None = None
    states: int | None = None
    processor: str = ""  # of the machine that it ran on
    date: str = ""  # when it ended, ISO 8601 in UTC

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Run:
        """Returns the run; raises KeyError, TypeError or ValueError if the values are no run."""
        run = cls(**_fitting(cls, values))
        if run.status not in STATUSES:
            raise ValueError(f"{run.status!r} is no status of a run")
        if not DIGEST.fullmatch(run.digest):  # it names a file
            raise ValueError(f"{run.digest!r} is no digest")
        return run

    def to_json(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return asdict(self)

    @property
    def task(self) -> TaskKey:
        """What identifies the puzzle."""
        return TaskKey(self.level, self.puzzle, self.digest)

    @property
    def key(self) -> RunKey:
        """What identifies the run."""
        return RunKey(self.planner, self.planner_version, self.task)

    def solved_within(self, seconds: float) -> bool:
        """Returns whether the plan came in that time."""
        return self.status == "solved" and self.seconds <= seconds

    @property
    def states_per_second(self) -> float | None:
        """Different states per second, if known."""
        return self.states / self.seconds if self.states and self.seconds > 0 else None
