"""What is kept of a benchmark: its settings once, and a record for each run."""

from __future__ import annotations

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

Clock = Literal["wall", "cpu"]
CLOCKS: tuple[Clock, ...] = get_args(Clock)

WALL_PER_CPU = 30
"""How much longer a run may take by the clock on the wall than its CPU time, where that counts."""


class TaskKey(NamedTuple):
    """A puzzle within a benchmark; an edited puzzle is another one."""

    level: str
    puzzle: str
    digest: str


class RunKey(NamedTuple):
    """What a results folder holds at most one run of."""

    planner: str
    task: TaskKey


@dataclass(frozen=True)
class Settings:
    """All that runs must share for their times to be comparable.

    Attributes:
        time_limit: seconds a run, on the clock below.
        memory_limit_gb: gigabytes (10^9 bytes) for all processes of a run together.
        threads: for planners that use several.
        seed: for planners that make arbitrary choices.
        workers: runs at the same time; None if a cluster decides.
        engine: ``local`` or ``ray``.
        version: of the package.
        build: changes with the native code.
        machine: where the benchmark was started.
        clock: ``wall`` for wall time, of CPU time being as much for each thread; ``cpu`` for CPU
            time, which other work on the machine hardly changes.
    """

    time_limit: float
    memory_limit_gb: float
    threads: int
    seed: int
    workers: int | None
    engine: str
    version: str
    build: str
    machine: Machine
    clock: Clock = "wall"

    @property
    def wall_limit(self) -> float:
        """Seconds of wall time a run."""
        return self.time_limit * (WALL_PER_CPU if self.clock == "cpu" else 1)

    @property
    def cpu_limit(self) -> float:
        """Seconds of CPU time for all threads and processes of a run together."""
        return self.time_limit * self.threads

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Returns the settings; raises KeyError or TypeError if the values are something else."""
        known = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        return cls(**known | {"machine": Machine(**values["machine"])})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def differences(self, other: Settings) -> str:
        """Returns in words what is not the same; empty if all is."""
        mine, theirs = _flat(self), _flat(other)
        unequal = [key for key in mine if mine[key] != theirs[key]]
        return ", ".join(f"{key} {mine[key]} and not {theirs[key]}" for key in unequal)


def _flat(settings: Settings) -> dict[str, Any]:
    values = asdict(settings)
    machine: dict[str, Any] = values.pop("machine")
    return values | machine


@dataclass(frozen=True)
class Run:
    """One planner on one puzzle.

    Attributes:
        planner: its name.
        planner_version: of the planner, with the digest of native code.
        level: the set or folder of the puzzle.
        puzzle: its name.
        digest: of the puzzle's content.
        status: ``solved`` and ``unsolvable`` are what the planner says, a plan being replayed on
            the reference dynamics first (else ``wrong-plan``); ``time-limit`` and
            ``memory-limit`` are ends by the planner itself or by the runner; ``out-of-memory`` is
            an end by the system; ``crashed`` is the death of the process and ``error`` a message
            instead of a result.
        message: more about the status, in words; empty if there is nothing to say.
        seconds: from the puzzle to the plan, on the clock of the settings.
        cpu_seconds: of all processes of the run together.
        representation_seconds: the part of the wall time spent on writing, translating and
            grounding the task, where the planner tells.
        peak_memory_bytes: the most that all processes of the run held together.
        plan: the plan if there is one, wrong or not.
        length: its number of actions.
        pushes: how many of them move more than the agent.
        expanded, generated, evaluated, states: of the search, where known.
        processor: where it ran.
        date: when it ended, ISO 8601 in UTC.
    """

    planner: str
    planner_version: str
    level: str
    puzzle: str
    digest: str
    status: RunStatus
    message: str
    seconds: float
    cpu_seconds: float
    representation_seconds: float | None
    peak_memory_bytes: int
    plan: str | None
    length: int | None
    pushes: int | None
    expanded: int | None
    generated: int | None
    evaluated: int | None
    states: int | None
    processor: str
    date: str

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Run:
        """Returns the run; raises KeyError, TypeError or ValueError if the values are no run."""
        run = cls(**{field.name: values[field.name] for field in fields(cls)})
        if run.status not in STATUSES:
            raise ValueError(f"{run.status!r} is no status of a run")
        return run

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def task(self) -> TaskKey:
        return TaskKey(self.level, self.puzzle, self.digest)

    @property
    def key(self) -> RunKey:
        return RunKey(self.planner, self.task)

    def solved_within(self, seconds: float) -> bool:
        return self.status == "solved" and self.seconds <= seconds

    @property
    def states_per_second(self) -> float | None:
        """Different states seen in a second, where known."""
        return self.states / self.seconds if self.states and self.seconds > 0 else None
