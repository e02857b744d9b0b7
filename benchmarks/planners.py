"""Measures planners: solved puzzles by level and time, compared on puzzles that several solve.

    python benchmarks/planners.py
    python benchmarks/planners.py --puzzles level1 level2 --time-limit 60
    python benchmarks/planners.py --puzzles ../shared/puzzles --output results/all.jsonl
    python benchmarks/planners.py --report results/all.jsonl --markdown

Runs one search at a time, each in a process apart from this one, so that a crash or a full memory
is an outcome like others. Results are written as they come: after an interruption, the same command
goes on where it stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from isolation import Job, Worker, build_of_package
from machine import describe_machine, usable_cores
from planner_report import print_report
from planner_runs import Key, Run, RunFile, Settings, check_comparable, read_runs
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

import pushworld
from pushworld.datasets import bundled_puzzles, load_set, published_manifest
from pushworld.datasets.sets import known_set, natural_order
from pushworld.planners import get_planner
from pushworld.planners.solving import check_limits
from pushworld.puzzle import PushWorldError, Puzzle

EXIT_INTERRUPTED = 13


@dataclass(frozen=True)
class Task:
    """A puzzle and the level it is counted for."""

    level: str
    puzzle: Puzzle
    digest: str

    def key(self, planner: str) -> Key:
        return planner, self.level, self.puzzle.name, self.digest


def main() -> int:
    """Returns the exit code."""
    parser = build_parser()
    arguments = parser.parse_args()
    try:
        if arguments.report:
            runs = [run for path in arguments.report for run in read_runs(path)]
            finished = True
        else:
            runs, finished = measure(arguments)
        check_comparable(runs)
    except PushWorldError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if runs:
        print_report(runs, markdown=arguments.markdown)
    elif finished:
        parser.exit(2, f"{parser.prog}: there are no runs to report on\n")
    if not finished:
        print("interrupted: the same command goes on from here", file=sys.stderr)
    return 0 if finished else EXIT_INTERRUPTED


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["bundled"], metavar="SET|DIR", help="(default: bundled)")
    add(
        "--planners",
        default="default,novelty-rgd,rgd",
        metavar="NAME,...",
        help="the others are compared with the first (default: default,novelty-rgd,rgd)",
    )
    add("--time-limit", type=float, default=10, help="seconds for each puzzle (default: 10)")
    add("--memory-limit", type=float, default=8, help="gigabytes for each puzzle (default: 8)")
    add(
        "--threads",
        type=int,
        default=usable_cores(),
        help="for planners that use several (default: all cores)",
    )
    add("--seed", type=int, default=0, help="(default: 0)")
    add(
        "--output",
        type=Path,
        default=Path("results/planners.jsonl"),
        metavar="FILE",
        help="where results are added (default: results/planners.jsonl)",
    )
    add("--restart", action="store_true", help="discard what the output file holds")
    add("--report", nargs="+", type=Path, metavar="FILE", help="only report on these results")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    return parser


def measure(arguments: argparse.Namespace) -> tuple[list[Run], bool]:
    """Returns the runs of the chosen planners and puzzles, and whether these are all."""
    planners = list(dict.fromkeys(name.strip() for name in arguments.planners.split(",")))
    for name in planners:
        get_planner(name)
    check_limits(arguments.time_limit, arguments.memory_limit, arguments.threads, arguments.seed)
    tasks = choose_tasks(arguments.puzzles)
    machine = describe_machine()
    settings = Settings(
        time_limit=arguments.time_limit,
        memory_limit_gb=arguments.memory_limit,
        threads=arguments.threads,
        seed=arguments.seed,
        version=pushworld.__version__,
        build=build_of_package(),
        **{key: machine[key] for key in ("processor", "cores", "system", "python")},
    )
    file = RunFile(arguments.output, settings, restart=arguments.restart)
    finished = True
    try:
        measure_all(tasks, planners, settings, file)
    except KeyboardInterrupt:
        finished = False
    known = {run.key: run for run in file.runs}
    keys = [task.key(planner) for planner in planners for task in tasks]
    return [known[key] for key in keys if key in known], finished


def measure_all(tasks: list[Task], planners: list[str], settings: Settings, file: RunFile) -> None:
    """Runs what is not in the file yet, all planners on a puzzle before the next one."""
    wanted = {task.key(planner): task for task in tasks for planner in planners}
    known = {run.key: run for run in file.runs if run.key in wanted}
    open_keys = [key for key in wanted if key not in known]
    console = Console(stderr=True)
    if known:
        console.print(f"{len(known)} of {len(wanted)} runs are in {file.path}", soft_wrap=True)
    if not open_keys:
        return
    solved = Counter(run.planner for run in known.values() if run.status == "solved")
    with (
        Worker(settings.build) as worker,
        Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            speed_estimate_period=3600,
        ) as progress,
    ):
        bar = progress.add_task(standing(planners, solved), total=len(wanted), completed=len(known))
        for key in open_keys:
            run = run_one(worker, wanted[key], key[0], settings, file)
            solved[run.planner] += run.status == "solved"
            progress.update(bar, advance=1, description=standing(planners, solved))


def standing(planners: Iterable[str], solved: Counter[str]) -> str:
    return "solved: " + ", ".join(f"{planner} {solved[planner]}" for planner in planners)


def run_one(worker: Worker, task: Task, planner: str, settings: Settings, file: RunFile) -> Run:
    """Returns the run, which is in the file then."""
    job = Job(
        puzzle=task.puzzle,
        planner=planner,
        time_limit=settings.time_limit,
        memory_limit_gb=settings.memory_limit_gb,
        threads=settings.threads_of(planner),
        seed=settings.seed,
    )
    unless_known = {"length": None, "states_per_second": 0.0}
    outcome = asdict(worker.run(job))
    return file.append(
        unless_known
        | outcome
        | {
            "planner": planner,
            "level": task.level,
            "puzzle": task.puzzle.name,
            "digest": task.digest,
            "date": date.today().isoformat(),
        }
    )


def choose_tasks(names: Iterable[str]) -> list[Task]:
    """Returns the puzzles of sets and folders that have goals, each once, with their levels.

    Raises:
        PushWorldError: if a name stands for nothing or no puzzle has goals.
    """
    tasks: dict[Key, Task] = {}
    for name in names:
        for level, puzzle in load_with_levels(name):
            digest = hashlib.sha256(puzzle.to_pwp().encode()).hexdigest()[:12]
            task = Task(level, puzzle, digest)
            if puzzle.goal:
                tasks.setdefault(task.key(""), task)
    if not tasks:
        raise PushWorldError(f"no puzzle of {', '.join(names)} has goals")
    return list(tasks.values())


def load_with_levels(name: str) -> list[tuple[str, Puzzle]]:
    """Returns puzzles with the names of the folders or sets that they are in."""
    path = Path(name)
    full_name = known_set(name)
    if full_name is None and path.is_dir():
        load_set(path)  # says what is wrong with the folder
        files = [file for file in path.rglob("*") if file.suffix.lower() == ".pwp"]
        files.sort(key=lambda file: natural_order(file.as_posix()))
        return [(file.resolve().parent.name, Puzzle.load(file)) for file in files]
    puzzles = load_set(name)
    if full_name is None and path.is_file():
        return [(path.resolve().parent.name, puzzle) for puzzle in puzzles]
    homes = {each.name: "bundled" for each in bundled_puzzles()}
    homes |= {entry.name: entry.level for entry in published_manifest().puzzles}
    return [(homes.get(puzzle.name, full_name or name), puzzle) for puzzle in puzzles]


if __name__ == "__main__":
    sys.exit(main())
