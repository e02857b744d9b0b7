"""Measures shortening: how much shorter plans of a planner become, and how short they could be.

    python benchmarks/shorten.py
    python benchmarks/shorten.py --puzzles level1 level2 --seconds 1 5
    python benchmarks/shorten.py --puzzles level1 level2 level3 level4 --count 10 --markdown
    python benchmarks/shorten.py --puzzles level1 --human HUMAN.csv
    python benchmarks/shorten.py --puzzles level2 level3 --store results/shorten.jsonl --workers 2

It takes puzzles at equal distances in the order of each set and solves them. Puzzles that are not solved
within the limit do not count. Ratios are geometric means over the plans of a set. The plans of people are
those that `pushworld data import` has installed, or those of --human. --store keeps the plans of the planner
in a file, so that every run begins with the same ones, and all figures, so that the same command resumes.
With --prove, one of the threads proves lower bounds meanwhile, and the tables show the
gaps between plans and bounds. All seconds are CPU time of all threads, so a busy machine does not matter.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import geometric_mean, median

from common import Row, command_line, positive, print_machine, rows_of, run_script, show

from pushworld import Puzzle, shorten, solve
from pushworld.bench.human import chosen_solutions
from pushworld.bench.tables import Table
from pushworld.datasets import load_set
from pushworld.planners import Progress, ShortenProgress

MUCH_LONGER = 1.1
WALL_SECONDS = 20
"""The wall time that a run may take for each second of its limit."""


@dataclass(frozen=True)
class Measured:
    """Lengths of plans of one puzzle.

    Attributes:
        name: of the puzzle.
        original: by the planner.
        shortened: for each number of seconds.
        optimal: the length of a shortest plan, if shortening or A* proves one.
        human: the length of a person's plan, if known.
        bound: no plan is shorter, with --prove.
    """

    name: str
    original: int
    shortened: list[int]
    optimal: int | None
    human: int | None
    bound: int | None = None


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["bundled"], metavar="SET|DIR", help="(default: bundled)")
    add("--count", type=int, default=10, help="puzzles of each set (default: 10)")
    add("--planner", default="default", help="whose plans are shortened (default: default)")
    add("--store", type=Path, metavar="FILE", help="keep plans and figures in this file")
    add("--workers", type=positive, default=1, help="puzzles at the same time (default: 1)")
    add("--time-limit", type=float, default=10, help="seconds for the planner (default: 10)")
    add("--seconds", type=float, nargs="+", default=[1, 5], help="for shortening (default: 1 5)")
    add("--threads", type=int, default=1, help="for shortening (default: 1)")
    add("--prove", action="store_true", help="prove lower bounds meanwhile")
    add("--astar-limit", type=float, default=5, help="seconds for the proof by A* (default: 5)")
    add("--human", metavar="PATH", help="plans of people: folder of YAML files, database or CSV")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    arguments = parser.parse_args()
    if arguments.prove and arguments.threads == 1:
        parser.error("--prove with one thread takes a quarter of the wall time: add --threads 2")
    arguments.seconds.sort()
    people = chosen_solutions(arguments.human)
    puzzles = {
        (Path(path).name, each.name): each
        for path in arguments.puzzles
        for each in spread(load_set(path), arguments.count)
    }
    planner = arguments.planner, arguments.time_limit
    searches = {
        (*key, *planner): partial(solve_by, each, *planner) for key, each in puzzles.items()
    }
    limits = {key: vars(arguments)[key] for key in ("seconds", "threads", "prove", "astar_limit")}
    tasks = {
        (name, puzzle, plan, str(limits)): partial(measure, puzzles[name, puzzle], plan, **limits)
        for (name, puzzle, *_), found in rows_of(
            searches, arguments.store, arguments.workers
        ).items()
        if (plan := found["plan"]) is not None
    }
    measured: dict[str, list[Measured]] = {Path(path).name: [] for path in arguments.puzzles}
    for (name, puzzle, *_), row in rows_of(tasks, arguments.store, arguments.workers).items():
        human = people.length_of(puzzles[name, puzzle], name) if people else None
        measured[name].append(Measured(puzzle, human=human, **row))
    print_machine()
    show(plan_table(measured, arguments.seconds), arguments.markdown)
    show(level_table(measured, arguments.seconds), arguments.markdown)


def spread(puzzles: list[Puzzle], count: int) -> list[Puzzle]:
    """Returns `count` of the puzzles at equal distances, or all if there are fewer."""
    count = min(count, len(puzzles))
    return [puzzles[index * len(puzzles) // count] for index in range(count)]


def measure(
    puzzle: Puzzle, plan: str, seconds: list[float], threads: int, prove: bool, astar_limit: float
) -> Row:
    """Returns what `Measured` says of a puzzle and a plan, without the name and the person's plan."""
    lengths = [len(plan)] * len(seconds)
    elapsed = cpu_clock()

    def note(progress: ShortenProgress) -> None:
        now = elapsed()
        for k, limit in enumerate(seconds):
            if now <= limit:
                lengths[k] = min(lengths[k], progress.length)
        if now > seconds[-1]:
            raise KeyboardInterrupt

    wall = seconds[-1] * WALL_SECONDS
    result = shorten(puzzle, plan, wall, threads=threads, prove=prove, progress=note)
    end = elapsed()  # before the last limit if the plan is proved to be shortest
    for k, limit in enumerate(seconds):
        if end <= limit or limit == seconds[-1]:
            lengths[k] = result.length
    optimal = result.length if result.optimal else None
    if optimal is None and astar_limit > 0 and not prove:
        proof = solve_by(puzzle, "astar", astar_limit)["plan"]
        optimal = None if proof is None else len(proof)
    found = {"original": len(plan), "shortened": lengths}
    return found | {"optimal": optimal, "bound": result.lower_bound}


def solve_by(puzzle: Puzzle, planner: str, seconds: float) -> Row:
    """Returns the plan of a planner; None if it finds none within the limit."""
    elapsed = cpu_clock()

    def end_in_time(_: Progress) -> None:
        if elapsed() > seconds:
            raise KeyboardInterrupt

    limit = seconds * WALL_SECONDS
    return {"plan": solve(puzzle, planner, time_limit=limit, progress=end_in_time).plan}


def cpu_clock() -> Callable[[], float]:
    """Returns a function that says how much CPU time all threads have taken since this call."""
    start = time.process_time()
    return lambda: time.process_time() - start


def plan_table(measured: dict[str, list[Measured]], seconds: list[float]) -> Table:
    """Returns the table with the lengths for each puzzle."""
    header = ["set", "puzzle", "plan", *(f"{each:g} s" for each in seconds), "shortest", "human"]
    header += ["at least"]
    rows = []
    for name, results in measured.items():
        for each in results:
            others = ["" if n is None else str(n) for n in (each.optimal, each.human, each.bound)]
            rows.append([name, each.name, str(each.original), *map(str, each.shortened), *others])
    return Table(header, rows, last_wraps=False)


def level_table(measured: dict[str, list[Measured]], seconds: list[float]) -> Table:
    """Returns the table with mean ratios for each set and for all of them."""
    times = [f"{each:g} s" for each in seconds]
    header = ["set", "plans", *(f"{each} / plan" for each in times), "proved"]
    header += ["plan / shortest", *(f"{each} / shortest" for each in times), "shortest / human"]
    header += ["human", "plan / human", *(f"{each} / human" for each in times)]
    header += ["longer than human", f"over {MUCH_LONGER}", "worst", "median gap"]
    everything = [each for results in measured.values() for each in results]
    rows, columns = [], 1 + len(seconds)
    for name, results in [*measured.items(), ("all", everything)]:
        proved = [(each, each.optimal) for each in results if each.optimal is not None]
        human = [(each, each.human) for each in results if each.human]
        ratios = [each.shortened[-1] / n for each, n in human]
        gaps = [each.shortened[-1] / each.bound - 1 for each in results if each.bound]
        rows.append(
            [
                *(name, str(len(results))),
                *to_reference([(each, each.original) for each in results], columns)[1:],
                *(str(len(proved)), *to_reference(proved, columns)),
                mean_ratio([(n, each.human) for each, n in proved if each.human]),
                *(str(len(human)), *to_reference(human, columns)),
                str(sum(ratio > 1 for ratio in ratios)),
                str(sum(ratio > MUCH_LONGER for ratio in ratios)),
                f"{max(ratios):.2f}" if ratios else "",
                f"{median(gaps):.0%}" if gaps else "",
            ]
        )
    return Table(header, rows, last_wraps=False)


def to_reference(results: list[tuple[Measured, int]], columns: int) -> list[str]:
    """Returns the mean ratios of the plan and of the shortened plans to the numbers beside them."""
    lengths = [((each.original, *each.shortened), n) for each, n in results]
    return [mean_ratio([(own[k], n) for own, n in lengths]) for k in range(columns)]


def mean_ratio(pairs: list[tuple[int, int]]) -> str:
    """Returns the geometric mean of the ratios as text."""
    ratios = [a / b for a, b in pairs if a and b]
    return f"{geometric_mean(ratios):.3f}" if ratios else ""


if __name__ == "__main__":
    run_script(main)
