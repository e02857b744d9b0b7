"""Prints what the documents say about the set classic, and writes its index.

    pushworld benchmark --puzzles classic --planners novelty-rgd --clock cpu -o results/classic
    python benchmarks/classic.py results/classic
    python benchmarks/classic.py --facts
    python benchmarks/classic.py --index --workers 2
    python benchmarks/classic.py --index cradle safe-cracker

Results give the table of a level: what the first planner solves. `--facts` prints facts about the four levels.
`--index` analyses the puzzles anew, all or those named, and writes what it finds to their entries of index.toml:
tags, tools, obstacles, objects whose role stays unknown, and plans that are shorter than the best one known. The
effort is "quick", "normal" where that leaves a role unknown, and then "normal" with ten times the states for each
experiment.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path

from common import command_line, run_script

from pushworld import bench
from pushworld.datasets.bundled import ClassicPuzzle, classic_puzzles, title_of
from pushworld.design.analysis import analyze
from pushworld.design.budget import BUDGETS
from pushworld.process import run_jobs, worker_processes

EFFORTS = (
    BUDGETS["quick"],
    BUDGETS["normal"],
    replace(BUDGETS["normal"], experiment_states=3_000_000),
)
INDEX = Path(__file__).parents[1] / "src/pushworld/datasets/bundled/puzzles/classic/index.toml"
HEADER = """\
# The set classic by level, from easy to hard. Tags, tools, obstacles and objects whose role is not known are what
# the analysis finds with the effort "quick", or with a larger one where that leaves a role unknown; a plan is
# the best one known, and optimal where that is proved. `python benchmarks/classic.py --index` writes them.
"""


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add("results", nargs="?", type=Path, help="the folder of a benchmark")
    add("--level", type=int, default=4, help="of the table (default: 4)")
    add("--facts", action="store_true", help="print sizes, goals, movables and plans by level")
    add("--index", nargs="*", metavar="NAME", help="analyse puzzles and write index.toml")
    add("--workers", type=int, default=1, help="processes for --index (default: 1)")
    arguments = parser.parse_args()
    if arguments.index is not None:
        write_index(arguments.index, arguments.workers)
    elif arguments.facts:
        print_facts()
    elif arguments.results:
        print_table(bench.read_results(arguments.results), arguments.level)
    else:
        parser.error("name a folder of results, --facts or --index")


def print_table(results: bench.Results, level: int) -> None:
    """Prints what the first planner of the results solves of a level."""
    planner = results.runs[0].planner
    runs = {run.puzzle: run for run in results.runs if run.planner == planner}
    print(f"| puzzle | cells | movables | best plan known | `{planner}` | CPU seconds | states |")
    print("| --- | --- | --: | --: | --- | --: | --: |")
    for entry in classic_puzzles():
        run = runs.get(entry.name)
        if run is None or entry.level != level:
            continue
        status = "solved" if run.status == "solved" else "not solved"
        print(
            f"| `{entry.name}` | {_cells(entry)} | {len(entry.puzzle.movables)} | "
            f"{len(entry.plan):,} | {status} | {run.cpu_seconds:.1f} | {run.states or 0:,} |"
        )


def write_index(names: list[str], workers: int) -> None:
    """Analyses puzzles, all if none is named, and rewrites the index after each."""
    entries = {each.name: each for each in classic_puzzles()}
    chosen = [entries[name] for name in names or entries]
    with worker_processes(workers, "the analysis") as executor:
        for entry in run_jobs(executor, analyzed, chosen):
            entries[entry.name] = entry
            INDEX.write_text(index_of(entries.values()), "utf-8")
            roles = f"unknown {', '.join(entry.unknown)}" if entry.unknown else "all roles known"
            print(f"{entry.name}: {len(entry.plan)} actions, {roles}", flush=True)


def analyzed(entry: ClassicPuzzle) -> ClassicPuzzle:
    """Returns the entry of a puzzle with what the analysis finds."""
    for budget in EFFORTS:
        found = analyze(entry.puzzle, budget, planners=("default",), known_plan=entry.plan)
        assert found.roles is not None
        assert found.measures.solution is not None
        solution, unknown = found.measures.solution, found.roles.of("unknown")
        shorter = solution.length < len(entry.plan)
        entry = replace(
            entry,
            tags=found.skills,
            tools=found.roles.of("tool"),
            obstacles=found.roles.of("obstacle"),
            unknown=unknown,
            optimal=solution.optimal or (entry.optimal and not shorter),
            plan=solution.plan if shorter else entry.plan,
        )
        if not unknown:
            break
    return entry


def index_of(entries: Iterable[ClassicPuzzle]) -> str:
    """Returns the index: a list for each level, with a line for each puzzle."""
    lines = [HEADER.rstrip()]
    for level, own in groupby(entries, key=lambda entry: entry.level):
        lines += ["", f"level{level} = [", *(f"  {{ {toml_entry(each)} }}," for each in own), "]"]
    return "\n".join([*lines, ""])


def toml_entry(entry: ClassicPuzzle) -> str:
    """Returns the entry of a puzzle in the index, without what goes without saying; plans may be long, so they come last."""
    values = asdict(entry)
    values["plan"] = values.pop("plan")
    usual = {"title": title_of(entry.name), "optimal": False, "level": entry.level}
    return ", ".join(
        f"{key} = {json.dumps(value)}"
        for key, value in values.items()
        if value not in (usual.get(key), ())
    )


def print_facts() -> None:
    """Prints facts about each level as Markdown."""
    print(
        "| level | puzzles | cells | goals | movables | with agent walls | with tools | "
        "actions of the best plan known | proved shortest |"
    )
    print("| --- | --: | --- | --- | --- | --: | --: | --- | --: |")
    for level in range(1, 5):
        entries = [each for each in classic_puzzles() if each.level == level]
        by_area = sorted(entries, key=lambda each: each.puzzle.width * each.puzzle.height)
        print(
            f"| {level} | {len(entries)} | {_cells(by_area[0])} to {_cells(by_area[-1])} | "
            f"{_span([len(each.puzzle.goal) for each in entries])} | "
            f"{_span([len(each.puzzle.movables) for each in entries])} | "
            f"{sum(bool(each.puzzle.agent_walls) for each in entries)} | "
            f"{sum('tool-use' in each.tags for each in entries)} | "
            f"{_span([len(each.plan) for each in entries])} | "
            f"{sum(each.optimal for each in entries)} |"
        )


def _cells(entry: ClassicPuzzle) -> str:
    return f"{entry.puzzle.width - 2}x{entry.puzzle.height - 2}"


def _span(numbers: list[int]) -> str:
    return f"{min(numbers):,} to {max(numbers):,}"


if __name__ == "__main__":
    run_script(main)
