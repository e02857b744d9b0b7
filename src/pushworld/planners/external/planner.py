"""A planner of another project behind our protocol."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pushworld.export import ExportStoppedError, plan_from_external
from pushworld.export.files import Format, export_texts
from pushworld.machine import resident_bytes
from pushworld.planners.external.recipe import Output, Recipe
from pushworld.planners.protocol import (
    Availability,
    PlannerError,
    Progress,
    ProgressCallback,
    SolveResult,
    Status,
    WrongPlanError,
    bytes_of,
)
from pushworld.process import Limits, Outcome, Usage, run_limited
from pushworld.puzzle import PlanError, Puzzle

BYTES_PER_MB = 10**6
MOST_SECONDS = 10**9
"""The time limit that a planner gets in place of an infinite one."""

CHECK_INTERVAL, CLOCK_INTERVAL = 0.05, 0.001
"""Seconds between two looks at the memory, and at the clock, while a task is written."""


@dataclass(frozen=True)
class ExternalPlanner(Recipe):
    """A planner that runs as a process under limits, in a folder of its own.

    Attributes:
        wall_per_cpu: if given, its time limit is in CPU time, and its wall time may be this factor longer.
    """

    wall_per_cpu: float | None = None

    def availability(self) -> Availability:
        """Returns whether the program is installed."""
        return self.find().availability

    def solve(
        self,
        puzzle: Puzzle,
        *,
        time_limit: float,
        memory_limit_gb: float,
        threads: int,
        seed: int,
        progress: ProgressCallback | None,
        max_states: int | None = None,
    ) -> SolveResult:
        """Returns what the planner finds; the limits are for all of its processes together.

        Raises:
            PlannerError: if it is not installed, ends without a plan, a proof or a limit, or is
                given a limit on states.
            WrongPlanError: if its plan does not solve the puzzle.
        """
        if max_states is not None:
            raise PlannerError(
                f"the planner {self.name!r} is an external program and cannot keep a limit on "
                "states: leave out max_states, or use one of our own planners"
            )
        program = self.find()
        if not program.command:
            raise PlannerError(
                f"the planner {self.name!r} is not installed: {program.availability.install}"
            )
        start = time.perf_counter()
        clock = time.process_time if self.wall_per_cpu else time.perf_counter
        deadline = clock() + time_limit
        if puzzle.is_solved(puzzle.initial_state):
            seconds = time.perf_counter() - start
            return SolveResult.of_plan(
                puzzle, self.name, "solved", "", seconds, representation_seconds=0.0
            )
        memory = bytes_of(memory_limit_gb)

        def report(memory_bytes: int = 0) -> None:
            if progress is not None:
                progress(Progress(time.perf_counter() - start, 0, 0, None, memory_bytes))

        texts = _texts_within(
            puzzle, self.representation, lambda: deadline - clock(), memory, report
        )
        if isinstance(texts, str):
            written = time.perf_counter() - start
            return SolveResult.of_plan(
                puzzle, self.name, texts, None, written, representation_seconds=written
            )
        with TemporaryDirectory(prefix="pushworld-planner-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            watch = _Watch(puzzle, Output(folder, self), report)
            values = _write_files(texts, folder)
            written = time.perf_counter() - start
            seconds_left = max(0.0, deadline - clock())
            values |= {
                "time": str(max(1, math.ceil(min(seconds_left, MOST_SECONDS)))),
                "memory": str(max(1, memory // BYTES_PER_MB)),
                "seed": str(seed),
            }
            arguments = [part.format_map(values) for part in self.arguments]
            command = [*program.command, *arguments]
            limits = Limits(
                wall_seconds=seconds_left * (self.wall_per_cpu or 1),
                cpu_seconds=seconds_left if self.wall_per_cpu else None,
                memory_bytes=memory,
            )
            outcome = _run(command, limits, folder, watch) if seconds_left > 0 else None
            output = Output(folder, self)
            status, plan = self._verdict(puzzle, output, outcome, watch)
            seconds = time.perf_counter() - start
            numbers = _numbers(output, outcome, written, seconds)
            return SolveResult.of_plan(puzzle, self.name, status, plan, seconds, **numbers)

    def _verdict(
        self, puzzle: Puzzle, output: Output, outcome: Outcome | None, watch: _Watch
    ) -> tuple[Status, str | None]:
        """Returns how the run ended, and its plan."""
        problem: PlanError | None = None
        for text in reversed([] if watch.interrupted else output.plans()):
            try:
                return "solved", plan_from_external(puzzle, text)
            except PlanError as error:
                problem = problem or error
        if watch.interrupted:
            return "interrupted", None
        if outcome is None or outcome.limit in ("wall", "cpu"):
            return "time-limit", None
        if outcome.limit == "memory":
            return "memory-limit", None
        if problem is not None:
            raise WrongPlanError(f"the plan of {self.name!r} is wrong: {problem}")
        if output.says_unsolvable():
            return "unsolvable", None
        status = self.exit_codes.get(outcome.exit_code)
        if status is not None and (status != "unsolvable" or self.complete):
            return status, None
        raise PlannerError(
            f"the planner {self.name!r} ended with {outcome.ending} and without a plan or "
            f"a proof that there is none: {output.last_words() or 'it printed nothing'}"
        )


def _write_files(texts: dict[str, str], folder: Path) -> dict[str, str]:
    """Writes the files of a planner, and returns the paths that its command may name."""
    paths = {"plan": str(folder / "plan")}
    for name, text in texts.items():
        file = folder / name
        file.write_text(text, encoding="utf-8")
        paths["sas" if file.suffix == ".sas" else file.stem] = str(file)
    return paths


def _texts_within(
    puzzle: Puzzle,
    form: Format,
    seconds_left: Callable[[], float],
    memory_bytes: int,
    report: Callable[[], None],
) -> dict[str, str] | Status:
    """Returns the texts of the planner's files by name, or what ended the writing."""
    memory_end = resident_bytes() + memory_bytes
    next_check = next_look = 0.0
    ended: Status = "interrupted"

    def stop() -> bool:
        nonlocal next_check, next_look, ended
        now = time.perf_counter()
        if now >= next_look:
            next_look = now + CLOCK_INTERVAL
            if seconds_left() <= 0:
                ended = "time-limit"
        if now >= next_check:
            next_check = now + CHECK_INTERVAL
            report()
            if resident_bytes() > memory_end:
                ended = "memory-limit"
        return ended != "interrupted"

    try:
        return export_texts(puzzle, form, stop)
    except (KeyboardInterrupt, ExportStoppedError):
        return ended


class _Watch:
    """Watches a running planner: reports progress, and ends it after its first plan if asked to."""

    def __init__(self, puzzle: Puzzle, output: Output, report: Callable[[int], None]) -> None:
        self.puzzle = puzzle
        self.output = output
        self.report = report
        self.interrupted = False

    def __call__(self, usage: Usage) -> bool:
        """Returns whether the planner can be ended."""
        try:
            self.report(usage.memory_bytes)
            self.output.check_size()
            return self.output.recipe.first_plan and self._has_plan()
        except KeyboardInterrupt:
            self.interrupted = True
            return True

    def _has_plan(self) -> bool:
        # A file that is still being written does not describe a whole plan, so it does not solve.
        for text in self.output.plans():
            try:
                plan_from_external(self.puzzle, text)
            except PlanError:
                continue
            return True
        return False


def _run(command: list[str], limits: Limits, folder: Path, watch: _Watch) -> Outcome | None:
    """Returns the outcome of the planner's process; None after Ctrl-C."""
    log = folder / "log"
    try:
        return run_limited(
            command, limits, folder=folder, stdout=log, stderr=log, scratch=folder, on_usage=watch
        )
    except KeyboardInterrupt:
        watch.interrupted = True
        return None
    except RuntimeError as error:  # a planner that kills or stops the process that watches it
        raise PlannerError(str(error)) from error


def _numbers(
    output: Output, outcome: Outcome | None, written: float, seconds: float
) -> dict[str, float]:
    """Returns what the system and the planner itself say about a run of these seconds."""
    patterns = output.recipe.patterns

    def count(pattern: str | None) -> int:
        return int(sum(output.numbers(pattern)))

    evaluated = count(patterns.evaluated)
    stated_memory = [int(1024 * number) for number in output.numbers(patterns.peak_memory_kb)]
    used_memory = 0 if outcome is None else outcome.peak_memory_bytes
    represented = written + sum(output.numbers(patterns.representation_seconds))
    return {
        "expanded": count(patterns.expanded),
        "generated": count(patterns.generated),
        "evaluated": evaluated,
        "states": evaluated,
        "peak_memory_bytes": max(stated_memory, default=used_memory),
        "representation_seconds": min(represented, seconds),
    }
