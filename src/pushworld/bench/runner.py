"""A benchmark: every planner on every puzzle. Results go to a folder; the next call continues there."""

import hashlib
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pushworld
from pushworld.bench.archives import Source, with_tasks
from pushworld.bench.contestants import Contestant, choose_contestants, native_build
from pushworld.bench.records import CLOCKS, FAILURES, Clock, Run, Settings
from pushworld.bench.single_run import Job, execute, record_of
from pushworld.bench.store import Results, ResultsFolder
from pushworld.bench.tasks import Task, choose_tasks
from pushworld.machine import this_machine, usable_cores
from pushworld.planners.solving import check_limits
from pushworld.process import (
    Executor,
    check_that_processes_can_be_limited,
    local_threads,
    ray_tasks,
    run_jobs,
)
from pushworld.puzzle import PushWorldError, Puzzle

DEFAULT_PLANNERS = ("default", "novelty-rgd", "rgd")


class Watcher(Protocol):
    """Receives the events of a benchmark, for example to show progress."""

    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None:
        """Called once with the jobs to run and the runs that the folder already holds."""

    def on_start(self, job: Job) -> None:
        """Called when a run begins."""

    def on_end(self, run: Run) -> None:
        """Called when a run has ended and is stored."""


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
    rerun: str | Iterable[str] = (),
    rerun_errors: bool = False,
    watcher: Watcher | None = None,
    clock: Clock = "wall",
    every: int = 1,
) -> Results:
    """Returns the results of all planners on all puzzles; runs only what the folder does not hold yet.

    It may be interrupted at any time. The next call continues. Raises PushWorldError.

    Args:
        output: the folder of results; made if it does not exist.
        puzzles: sets, folders, files, puzzles or results whose puzzles are run again, or one of these; puzzles
            without goals are skipped.
        planners: names of the registry, TOML files, or ``module:attribute``, or one of these.
        time_limit, memory_limit_gb, threads, seed, engine, clock: as in `Settings`.
        workers: runs at the same time; by default as many as the cores allow (``local``) or the
            cluster has room for (``ray``).
        address: of the Ray cluster.
        restart: discard what the folder holds.
        rerun: planners, or one of these, whose runs are repeated; those of a planner whose version or code
            has changed always are.
        rerun_errors: repeat the runs that ended with an error, a crash, a wrong plan or without memory.
        watcher: receives the events of the benchmark.
        every: N runs the first of every N puzzles.
    """
    check_that_processes_can_be_limited()
    check_limits(time_limit, memory_limit_gb, threads, seed)
    if math.isinf(time_limit):
        raise PushWorldError("a benchmark needs a finite time limit: name a number of seconds")
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
    again = {rerun} if isinstance(rerun, str) else set(rerun)
    if unknown := again - {name for each in contestants for name in (each.name, each.source)}:
        raise PushWorldError(f"{min(unknown)!r}, to be run again, is none of the planners")
    if isinstance(puzzles, str | os.PathLike | Puzzle):
        puzzles = [puzzles]
    tasks = choose_tasks([task for each in puzzles for task in with_tasks(each)], every)
    settings = _settings_here(
        time_limit=float(time_limit),
        memory_limit_gb=float(memory_limit_gb),
        threads=threads,
        seed=seed,
        workers=workers,
        engine=engine,
        clock=clock,
    )
    versions = {planner.name: planner.version for planner in contestants}
    jobs = [Job(planner, task, settings) for task in tasks for planner in contestants]
    with ResultsFolder(output, settings, versions, restart=restart) as folder:
        for task in tasks:
            folder.keep_puzzle(task)
        for job in jobs:
            known = folder.runs.get(job.key)
            failed = known is not None and known.status in FAILURES
            if again & {job.planner.name, job.planner.source} or (rerun_errors and failed):
                folder.runs.pop(job.key, None)
        _run_missing(jobs, folder, address, watcher or _Nobody())
        runs = [folder.runs[job.key] for job in jobs]
    return Results(Path(output), settings, versions, runs)


def keep_played(
    output: Path,
    name: str,
    agent: Path,
    plans: Mapping[Task, str | None],
    most_moves: int,
    seed: int,
) -> None:
    """Adds what an agent made of puzzles to a folder of results, for the same report as planners.

    The name says how it played, too. There is no plan where it did not solve a puzzle within the most moves.
    """
    machine = this_machine()
    settings = _settings_here(
        time_limit=most_moves,
        memory_limit_gb=machine.memory_gb,
        threads=machine.cores,
        seed=seed,
        workers=None,
        engine="local",
        clock="moves",
    )
    version = hashlib.sha256(agent.read_bytes()).hexdigest()[:12]  # of the agent's file
    player = Contestant(name, version, str(agent))
    with ResultsFolder(output, settings, {name: version}) as folder:
        for task, plan in plans.items():
            folder.keep_puzzle(task)
            job = Job(player, task, settings)
            if job.key not in folder.runs:
                status = "state-limit" if plan is None else "solved"
                answer = {"status": status, "plan": plan, "seconds": 0.0}
                folder.append(record_of(job, answer, 0.0, 0, lambda: False))


def _settings_here(**limits: Any) -> Settings:
    """Returns the settings of runs of this version on this machine."""
    build, machine = native_build(), this_machine()
    return Settings(version=pushworld.__version__, build=build, machine=machine, **limits)


def _run_missing(
    jobs: Sequence[Job], folder: ResultsFolder, address: str | None, watcher: Watcher
) -> None:
    missing = [job for job in jobs if job.key not in folder.runs]
    watcher.on_plan(missing, [folder.runs[job.key] for job in jobs if job.key in folder.runs])
    if not missing:
        return
    with _open_executor(folder.settings, address) as executor:
        for run in run_jobs(executor, execute, missing, on_start=watcher.on_start):
            folder.append(run)
            watcher.on_end(run)


@contextmanager
def _open_executor(settings: Settings, address: str | None) -> Iterator[Executor]:
    """Yields threads of this process, each for one run at a time, or a Ray cluster."""
    if settings.engine == "local":
        with local_threads(settings.workers or 1) as threads:
            yield threads
        return
    memory = int(settings.memory_limit_gb * 1e9)
    with ray_tasks(
        address, cpus=settings.threads, memory_bytes=memory, most=settings.workers
    ) as tasks:
        if not tasks.slots():
            raise PushWorldError(
                f"no node of the Ray cluster has {settings.threads} CPUs and "
                f"{settings.memory_limit_gb:g} GB of memory for a run: lower --threads or "
                "--memory-limit"
            )
        yield tasks


class _Nobody:
    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None: ...
    def on_start(self, job: Job) -> None: ...
    def on_end(self, run: Run) -> None: ...
