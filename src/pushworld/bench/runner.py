"""A benchmark: every planner on every puzzle, in a folder of results that can be gone on with."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pushworld
from pushworld.bench.build import build_of_package
from pushworld.bench.cluster import run_on_cluster
from pushworld.bench.execution import Job
from pushworld.bench.local import run_locally
from pushworld.bench.planner_names import choose_contestants
from pushworld.bench.records import CLOCKS, Clock, Run, Settings
from pushworld.bench.store import Results, ResultsFolder
from pushworld.bench.tasks import choose_tasks
from pushworld.machine import this_machine, usable_cores
from pushworld.planners.solving import check_limits
from pushworld.puzzle import PushWorldError, Puzzle

Source = str | os.PathLike[str] | Puzzle
"""A set, a folder, a file, a name, or a puzzle."""

DEFAULT_PLANNERS = ("default", "novelty-rgd", "rgd")


class Watcher(Protocol):
    """Something that is told how a benchmark goes."""

    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None:
        """Called once with all runs to do, and those that were done before."""

    def on_start(self, job: Job) -> None:
        """Called when a run begins."""

    def on_end(self, run: Run) -> None:
        """Called when a run is in the folder."""


def run(
    output: str | os.PathLike[str],
    puzzles: Source | Iterable[Source] = ("bundled",),
    planners: str | Iterable[str] = DEFAULT_PLANNERS,
    *,
    time_limit: float = 60,
    memory_limit_gb: float = 8,
    threads: int = 1,
    seed: int = 0,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    restart: bool = False,
    watcher: Watcher | None = None,
    clock: Clock = "wall",
    every: int = 1,
) -> Results:
    """Returns the results of all planners on all puzzles, running what the folder does not hold.

    May be interrupted in any way at any time: called again, it goes on.

    Args:
        output: the folder of results; made if it does not exist.
        puzzles: sets, folders, files or puzzles, or one of these; those without goals are left out.
        planners: names of the registry, TOML files, or ``module:attribute``, or one of these.
        time_limit: seconds a run, on the clock below.
        memory_limit_gb: gigabytes (10^9 bytes) for all processes of a run together.
        threads: for planners that use several.
        seed: for planners that make arbitrary choices.
        workers: runs at the same time; if not given, as many as there are cores for (``local``) or
            as the cluster has room for (``ray``).
        engine: ``local`` for this machine, ``ray`` for a Ray cluster.
        address: of the Ray cluster.
        restart: discard what the folder holds.
        watcher: told about the progress.
        clock: ``wall`` for limits and times in wall time, a run having as much CPU time for each
            thread; ``cpu`` for CPU time, which other work on the machine hardly changes.
        every: of each level, run the first puzzle and then every so many-th.

    Raises:
        PushWorldError: if an argument is wrong, the folder holds runs of other settings, or no
            runs can be made.
    """
    check_limits(time_limit, memory_limit_gb, threads, seed)
    if math.isinf(time_limit):
        raise PushWorldError("a benchmark needs a time limit that ends: name a number of seconds")
    if engine not in ("local", "ray"):
        raise PushWorldError(f"there is no engine {engine!r}: use local or ray")
    if clock not in CLOCKS:
        raise PushWorldError(f"there is no clock {clock!r}: use wall or cpu")
    if clock == "cpu" and threads > 1:
        raise PushWorldError("on the CPU clock a run has one thread: use the wall clock for more")
    if every < 1:
        raise PushWorldError(f"every how many-th puzzle to run must be 1 or more, not {every}")
    if workers is not None and workers < 1:
        raise PushWorldError(f"the number of workers must be 1 or more, not {workers}")
    if workers is None and engine == "local":
        workers = max(1, usable_cores() // threads)
    contestants = choose_contestants([planners] if isinstance(planners, str) else planners)
    if isinstance(puzzles, str | os.PathLike | Puzzle):
        puzzles = [puzzles]
    tasks = choose_tasks(puzzles, every)
    settings = Settings(
        time_limit=float(time_limit),
        memory_limit_gb=float(memory_limit_gb),
        threads=threads,
        seed=seed,
        workers=workers,
        engine=engine,
        version=pushworld.__version__,
        build=build_of_package(),
        machine=this_machine(),
        clock=clock,
    )
    versions = {planner.name: planner.version for planner in contestants}
    jobs = [Job(planner, task, settings) for task in tasks for planner in contestants]
    with ResultsFolder(output, settings, versions, restart=restart) as folder:
        for task in tasks:
            folder.keep_puzzle(task)
        _run_missing(jobs, folder, address, watcher or _Nobody())
        runs = [folder.runs[job.key] for job in jobs]
    return Results(Path(output), settings, versions, runs)


def _run_missing(
    jobs: Sequence[Job], folder: ResultsFolder, address: str | None, watcher: Watcher
) -> None:
    missing = [job for job in jobs if job.key not in folder.runs]
    watcher.on_plan(missing, [folder.runs[job.key] for job in jobs if job.key in folder.runs])
    if not missing:
        return
    settings = folder.settings
    runs: Iterator[Run]
    if settings.engine == "ray":
        runs = run_on_cluster(missing, settings.workers, watcher.on_start, address)
    else:
        runs = run_locally(missing, settings.workers or 1, watcher.on_start)
    with closing(runs):  # type: ignore[type-var]
        for run in runs:
            folder.append(run)
            watcher.on_end(run)


class _Nobody:
    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None: ...
    def on_start(self, job: Job) -> None: ...
    def on_end(self, run: Run) -> None: ...
