"""Measures how hard the puzzles of the set classic are for a planner.

    python benchmarks/classic.py
    python benchmarks/classic.py --level 3 --planner rgd --seconds 10 --store classic.jsonl
    python benchmarks/classic.py --facts
    python benchmarks/classic.py --index --workers 2
    python benchmarks/classic.py --index cradle safe-cracker

The limit is CPU time, which other work on the machine hardly changes. With a store, a measurement with the
same planner and limit on the same puzzle is not repeated. `--facts` prints facts about the four levels
instead. `--index` analyses the puzzles anew, all or those named, and writes what it finds to their entries
of index.toml: tags, tools, obstacles, objects whose role stays unknown, and plans that are shorter than
the best one known. The effort is "quick", "normal" where that leaves a role unknown, and then "normal"
with ten times the states for each experiment.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from machine import describe_machine

from pushworld import solve
from pushworld.datasets.bundled import ClassicPuzzle, classic_puzzles
from pushworld.design.analysis import analyze
from pushworld.design.budget import BUDGETS
from pushworld.design.canonical import canonical_hash
from pushworld.planners import Progress
from pushworld.process import run_jobs, worker_processes

UNLIMITED_SECONDS = 1e6
EFFORTS = (
    BUDGETS["quick"],
    BUDGETS["normal"],
    replace(BUDGETS["normal"], experiment_states=3_000_000),
)
INDEX = Path(__file__).parents[1] / "src/pushworld/datasets/bundled/puzzles/classic/index.toml"
HEADER = """\
# The set classic, from easy to hard. Tags, tools, obstacles and objects whose role is not known are what
# the analysis finds with the effort "quick", or with a larger one where that leaves a role unknown; a plan is
# the best one known, and optimal where that is proved. `python benchmarks/classic.py --index` writes them.
"""


@dataclass(frozen=True)
class Measured:
    """The result of a planner on a puzzle.

    Attributes:
        name: of the puzzle.
        form: the hash of its canonical form, which changes when the puzzle is edited.
        planner: its name.
        limit: seconds of CPU time.
        status: ``solved``, ``time-limit`` or ``memory-limit``.
        seconds: CPU time of the search.
        states: different states that it saw.
    """

    name: str
    form: str
    planner: str
    limit: float
    status: str
    seconds: float
    states: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--level", type=int, default=4, help="(default: 4)")
    add("--planner", default="novelty-rgd", help="(default: novelty-rgd)")
    add("--seconds", type=float, default=60, help="of CPU time for each puzzle (default: 60)")
    add("--memory", type=float, default=8, help="gigabytes for the tables (default: 8)")
    add("--store", type=Path, help="JSON lines with the measurements, to continue later")
    add("--facts", action="store_true", help="print sizes, goals, movables and plans by level")
    add("--index", nargs="*", metavar="NAME", help="analyse puzzles and write index.toml")
    add("--workers", type=int, default=1, help="processes for --index (default: 1)")
    arguments = parser.parse_args()
    if arguments.index is not None:
        write_index(arguments.index, arguments.workers)
        return
    if arguments.facts:
        print_facts()
        return
    known = read_store(arguments.store)
    entries = [each for each in classic_puzzles() if each.level == arguments.level]
    rows = []
    for entry in entries:
        key = (canonical_hash(entry.puzzle), arguments.planner, arguments.seconds)
        row = known.get(key) or measure(entry, *key[1:], arguments.memory)
        if key not in known and arguments.store:
            with arguments.store.open("a", encoding="utf-8") as store:
                print(json.dumps(asdict(row)), file=store)
        rows.append(row)
    print_table(entries, rows)


def read_store(path: Path | None) -> dict[tuple[str, str, float], Measured]:
    """Returns the stored measurements by puzzle, planner and limit."""
    if path is None or not path.exists():
        return {}
    rows = [Measured(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    return {(row.form, row.planner, row.limit): row for row in rows}


def measure(entry: ClassicPuzzle, planner: str, limit: float, memory: float) -> Measured:
    """Returns the result of the planner on a puzzle within the limit."""
    start = time.process_time()

    def stop_in_time(progress: Progress) -> None:
        if time.process_time() - start > limit:
            raise KeyboardInterrupt

    result = solve(
        entry.puzzle,
        planner,
        time_limit=UNLIMITED_SECONDS,
        memory_limit_gb=memory,
        progress=stop_in_time,
    )
    return Measured(
        name=entry.name,
        form=canonical_hash(entry.puzzle),
        planner=planner,
        limit=limit,
        status="time-limit" if result.status == "interrupted" else result.status,
        seconds=round(time.process_time() - start, 1),
        states=result.states,
    )


def print_table(entries: list[ClassicPuzzle], rows: list[Measured]) -> None:
    """Prints the measurements and the machine as Markdown."""
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    solved = sum(row.status == "solved" for row in rows)
    print(f"{rows[0].planner}, {rows[0].limit:g} s of CPU time: {solved} of {len(rows)} solved\n")
    print(
        f"| puzzle | cells | movables | best plan known | `{rows[0].planner}` | CPU seconds | states |"
    )
    print("| --- | --- | --: | --: | --- | --: | --: |")
    for entry, row in zip(entries, rows, strict=True):
        status = "solved" if row.status == "solved" else "not solved"
        print(
            f"| `{entry.name}` | {_cells(entry)} | {len(entry.puzzle.movables)} | "
            f"{len(entry.plan):,} | {status} | {row.seconds:.1f} | {row.states:,} |"
        )


def write_index(names: list[str], workers: int) -> None:
    """Analyses puzzles, all if none is named, and rewrites the index after each."""
    entries = {each.name: each for each in classic_puzzles()}
    chosen = [entries[name] for name in names or entries]
    with worker_processes(workers, "the analysis") as executor:
        for entry in run_jobs(executor, analyzed, chosen):
            entries[entry.name] = entry
            INDEX.write_text(HEADER + "".join(map(toml_entry, entries.values())), "utf-8")
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


def toml_entry(entry: ClassicPuzzle) -> str:
    """Returns the entry of a puzzle in the index."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in asdict(entry).items()]
    return "\n".join(("", "[[puzzle]]", *lines, ""))


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
    main()
