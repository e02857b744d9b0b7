"""Measures planners on siblings: puzzles made from puzzles with human plans, which nobody has seen.

    python benchmarks/siblings.py --puzzles ../shared/puzzles --plans ../shared/puzzles/solutions
    python benchmarks/siblings.py --family tight crowd --seeds 0 1 --half checking --states 10000 100000
    python benchmarks/siblings.py --planner default --planner few-objects --planner mine.toml --seconds 1 10 60

A planner is one of `pushworld planners`, a strategy, or a file of strategies, which it runs together. The half of
a puzzle is that of all its siblings: choose with one half, check with the other. With limits on states,
every run has one thread, and the same command finds the same plans on every machine. The same command resumes
after an interruption. Intervals are Wilson's, 95 %, for as many trials as say as much: siblings of one puzzle
are alike, so ten of one say less than one of ten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from common import command_line, positive, print_machine, rows_of, run_script, show
from families import FAMILIES, add_options, chosen_siblings, run_one

from pushworld.bench.contestants import native_build
from pushworld.bench.tables import Table
from pushworld.bench.tasks import digest_of
from pushworld.files import read_toml
from pushworld.planners.registry import all_planners
from pushworld.statistics import Share


def main() -> None:
    parser = command_line(__doc__)
    add_options(parser)
    add = parser.add_argument
    add("--planner", action="append", metavar="NAME|TEXT|FILE.toml", help="may be repeated")
    add("--states", type=positive, nargs="+", default=[10_000, 100_000], metavar="N", help="limits")
    add("--seconds", type=float, nargs="+", metavar="S", help="limits, instead of those on states")
    add("--threads", type=positive, default=1, metavar="N", help="of a run with limits in seconds")
    add("--seed", type=int, default=0, help="of the planners (default: 0)")
    add("--workers", type=positive, default=1, help="runs at the same time (default: 1)")
    add("--failures", action="store_true", help="name the siblings that are not solved")
    options = parser.parse_args()
    limits = sorted(options.seconds or options.states)
    unit = "seconds" if options.seconds else "states"
    threads = options.threads if options.seconds else 1
    limit = {"seconds" if options.seconds else "max_states": limits[-1]}
    siblings = chosen_siblings(options, options.family or FAMILIES)
    planners = options.planner or ["default"]
    kind = f"{unit} {limits[-1]:g} threads {threads} seed {options.seed}"
    tasks = {
        (native_build(), kind, planner, digest_of(each.puzzle)): partial(
            run_one, each.puzzle, threads=threads, seed=options.seed, **limit, **choice_of(planner)
        )
        for each in siblings
        for planner in planners
    }
    rows = rows_of(tasks, options.store, options.workers)
    print_machine()
    print(f"{len(siblings)} siblings of {len({each.parent for each in siblings})} puzzles, {kind}")
    lines = []
    for half in ("choosing", "checking"):
        for family in [*FAMILIES, ""]:
            own = [each for each in siblings if each.half == half and family in (each.family, "")]
            for planner in planners if own else ():
                runs = [rows[native_build(), kind, planner, digest_of(each.puzzle)] for each in own]
                cells = []
                for limit in limits:
                    trials: dict[str, list[bool]] = {}
                    for each, run in zip(own, runs, strict=True):
                        is_solved = run["status"] == "solved" and run[unit] <= limit
                        trials.setdefault(each.parent, []).append(is_solved)
                    cells.append(f"{sum(map(sum, trials.values()))} = {share_of(trials)}")
                lines.append([f"{half}, {family or 'all'}, {planner}", str(len(own)), *cells])
                for each, run in zip(own, runs, strict=True) if options.failures and family else ():
                    if run["status"] != "solved":
                        print(
                            f"{planner}: {each.family} {each.seed} of {each.parent}: {run['status']}"
                        )
    header = ["half, family, planner", "siblings", *(f"{limit:,g}" for limit in limits)]
    show(Table(header, lines), options.markdown)


def share_of(trials: Mapping[str, Sequence[bool]]) -> Share:
    """Returns the share of the trials that are true, with the interval of trials in groups.

    It is that of as many independent trials as vary as much as the shares of the groups do. Where all shares are
    equal, a group is one trial.
    """
    count, groups = sum(map(len, trials.values())), len(trials)
    share = sum(map(sum, trials.values())) / count
    squares = sum((sum(each) - share * len(each)) ** 2 for each in trials.values())
    independent = share * (1 - share) * count**2 / squares if squares else groups
    number = max(1, min(count, round(independent)))
    return Share(share * number, number)


def choice_of(planner: str) -> dict[str, Any]:
    """Returns the options of `solve` for a planner, a strategy, or a file of strategies."""
    is_file = planner.endswith(".toml")
    is_planner = planner in {each.name for each in all_planners()} or (
        is_file and "strategies" not in read_toml(Path(planner))
    )
    return {"planner" if is_planner else "strategies": planner}


if __name__ == "__main__":
    run_script(main)
