"""One run: a planner on a puzzle in a supervised process, and the record of what happened."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pushworld.bench.contestants import Contestant
from pushworld.bench.records import Run, RunKey, RunStatus, Settings
from pushworld.bench.tasks import Task
from pushworld.machine import this_machine
from pushworld.planners.protocol import bytes_of, replayed
from pushworld.process import Limits, Outcome, Usage, run_limited
from pushworld.puzzle import PushWorldError

START_SECONDS = 60.0
"""Seconds that a process may take to start; they do not count for the planner."""

GRACE_SECONDS = 5.0
"""Seconds beyond the limit before the runner ends a planner. A late plan does not count."""

ATTEMPTS = 3
"""How often a run is tried if its process does not start or its supervisor is killed."""

OUTPUT_KEPT = 500
"""Characters at the end of a failed run's output that its record keeps."""


class Cancelled(Exception):  # noqa: N818
    """The run was cancelled; it has no record."""


class BuildChangedError(PushWorldError):
    """The package was rebuilt during the benchmark."""


@dataclass(frozen=True)
class Job:
    """A run to do."""

    planner: Contestant
    task: Task
    settings: Settings

    @property
    def key(self) -> RunKey:
        return RunKey(self.planner.name, self.planner.version, self.task.key)


def execute(job: Job, cancelled: Callable[[], bool] = lambda: False) -> Run:
    """Returns the record of a run, however it ended.

    Args:
        cancelled: called about ten times a second; the run ends when it returns True.

    Raises:
        Cancelled: if the run was cancelled.
        BuildChangedError: if the native code is not the build that the settings name.
        PushWorldError: if the process of the run cannot be started.
    """
    cause = ""
    for _ in range(ATTEMPTS):
        ooms = _out_of_memory_kills()
        with TemporaryDirectory(prefix="pushworld-run-", ignore_cleanup_errors=True) as folder:
            monitor = _Monitor(job.settings, Path(folder) / "answer", cancelled)
            try:
                outcome = _run_worker(job, Path(folder), monitor)
            except RuntimeError as error:  # the supervisor was killed, and the run with it
                cause = str(error)
                continue
            begun, answer = _read_answer(Path(folder) / "answer")
            output = _end_of(Path(folder) / "output")
        if begun is not None:
            break
        cause = _cause_of_end(outcome, output)
        if outcome.limit is not None:
            cause = f"the {outcome.limit} limit is too low for Python to start"
    else:
        raise PushWorldError(
            f"{job.planner.name} cannot be run on {job.task.puzzle.name!r}: {cause}"
        )
    if begun["build"] != job.settings.build:
        raise BuildChangedError(
            "the package was rebuilt during the benchmark: start again in another folder"
        )
    if answer is None:
        killed_by_system = _out_of_memory_kills() > ooms
        status, message = _status_without_answer(outcome, monitor.late, output, killed_by_system)
        seconds = outcome.wall_seconds - monitor.begun_after
        answer = {"status": status, "message": message, "seconds": seconds}
    cpu_seconds = max(0.0, outcome.cpu_seconds - begun["cpu_seconds"])
    return record_of(job, answer, cpu_seconds, outcome.peak_memory_bytes, cancelled)


class _Monitor:
    """Checks the times of a run, counted from the moment at which its planner begins.

    Attributes:
        begun_after: seconds that the process took to start.
        late: ``wall`` or ``CPU`` if the planner used too much of that time, or None.
    """

    def __init__(self, settings: Settings, answer: Path, cancelled: Callable[[], bool]) -> None:
        self.begun_after = 0.0
        self.late: str | None = None
        self._settings = settings
        self._answer = answer
        self._cancelled = cancelled
        self._cpu_before: float | None = None

    def __call__(self, usage: Usage) -> bool:
        """Returns whether to end the run."""
        if self._cancelled():
            raise Cancelled
        if self._cpu_before is None:
            begun, _ = _read_answer(self._answer)
            if begun is not None:
                self.begun_after = usage.wall_seconds
                self._cpu_before = begun["cpu_seconds"]
            return False
        if usage.wall_seconds - self.begun_after > self._settings.wall_limit + GRACE_SECONDS:
            self.late = "wall"
        elif usage.cpu_seconds - self._cpu_before > self._settings.cpu_limit + GRACE_SECONDS:
            self.late = "CPU"
        return self.late is not None


def _run_worker(job: Job, folder: Path, monitor: _Monitor) -> Outcome:
    settings = job.settings
    memory = bytes_of(settings.memory_limit_gb)
    content = {
        "planner": job.planner.source,
        "puzzle": job.task.puzzle.name,
        "pwp": job.task.puzzle.to_pwp(),
        "time_limit": settings.time_limit,
        "wall_limit": settings.wall_limit,
        "clock": settings.clock,
        "memory_limit_bytes": memory,
        "threads": settings.threads,
        "seed": settings.seed,
    }
    files = [folder / "job", folder / "answer"]
    files[0].write_text(json.dumps(content), encoding="utf-8")
    beyond = START_SECONDS + 2 * GRACE_SECONDS
    return run_limited(
        [sys.executable, "-m", "pushworld.bench.worker", *map(str, files)],
        Limits(
            wall_seconds=settings.wall_limit + beyond,
            cpu_seconds=settings.cpu_limit + beyond,
            memory_bytes=memory,
        ),
        environment=os.environ | {"TMPDIR": str(folder)},  # removed with what a killed planner left
        stdout=folder / "output",
        stderr=folder / "output",
        scratch=folder,
        on_usage=monitor,
    )


def _read_answer(path: Path) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Returns the lines that the worker wrote before and after the search, None for a missing one."""
    content = path.read_bytes() if path.exists() else b""
    whole = [line for line in content.splitlines(keepends=True) if line.endswith(b"\n")]
    begun, answer, *_ = *map(json.loads, whole), None, None
    return begun, answer


def record_of(
    job: Job,
    answer: dict[str, Any],
    cpu_seconds: float,
    peak_memory: int,
    cancelled: Callable[[], bool],
) -> Run:
    """Returns the record of a run, after its plan was replayed and its times compared with the limits."""
    puzzle, settings = job.task.puzzle, job.settings
    status, message, plan = answer["status"], answer.get("message", ""), answer.get("plan")
    if status == "interrupted":
        status, message = "error", "the planner was interrupted"
    deadline: float = time.monotonic() + settings.wall_limit - answer["seconds"] + GRACE_SECONDS

    def is_late() -> bool:
        if cancelled():
            raise Cancelled
        return time.monotonic() > deadline

    replay = replayed(puzzle, plan or "", is_late)
    solves, pushes = replay or (False, 0)
    valid = solves and plan is not None
    if replay is None:
        status, message, plan = "time-limit", "the replay of the plan took too long", None
    elif (status == "solved" or plan is not None) and not valid:
        status, message = "wrong-plan", message or "the plan does not solve the puzzle"
    elif status == "solved" and answer["seconds"] > settings.wall_limit:
        status, message = "time-limit", "solved after the time limit"
    elif status == "solved" and cpu_seconds > settings.cpu_limit:
        status, message = "time-limit", "solved with more CPU time than the limit"
    elif status == "solved" and peak_memory > bytes_of(settings.memory_limit_gb):
        status, message = "memory-limit", "solved with more memory than the limit"
    return Run(
        planner=job.planner.name,
        planner_version=job.planner.version,
        **job.task.key._asdict(),
        status=status,
        message=message,
        seconds=cpu_seconds if settings.clock == "cpu" else answer["seconds"],
        cpu_seconds=cpu_seconds,
        representation_seconds=answer.get("representation_seconds"),
        peak_memory_bytes=peak_memory,
        plan=plan,
        length=None if plan is None else len(plan),
        pushes=pushes if valid else None,
        expanded=answer.get("expanded") or None,
        generated=answer.get("generated") or None,
        evaluated=answer.get("evaluated") or None,
        states=answer.get("states") or None,
        processor=this_machine().processor,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _status_without_answer(
    outcome: Outcome, late: str | None, output: str, killed_by_system: bool
) -> tuple[RunStatus, str]:
    """Returns the status and message of a run whose process ended without an answer."""
    if late is not None or outcome.limit in ("wall", "cpu"):
        return "time-limit", f"ended by the runner for its {late or outcome.limit} time"
    if outcome.limit == "memory":
        return "memory-limit", "ended by the runner"
    if outcome.exit_code == -signal.SIGKILL and killed_by_system:
        return "out-of-memory", "ended by the system, which was out of memory"
    return "crashed", _cause_of_end(outcome, output)


def _cause_of_end(outcome: Outcome, output: str) -> str:
    return f"{outcome.ending}: {output}" if output else outcome.ending


def _end_of(path: Path) -> str:
    """Returns the end of what a process printed."""
    content = path.read_bytes() if path.exists() else b""
    return content[-OUTPUT_KEPT:].decode(errors="replace").strip()


def _out_of_memory_kills() -> int:
    """Returns how many processes this machine has killed because it was out of memory."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
