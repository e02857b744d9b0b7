"""Measures how hard the puzzles of the set classic are for a planner.

    python benchmarks/classic.py
    python benchmarks/classic.py --level 3 --planner rgd --seconds 10 --store classic.jsonl

The limit counts seconds of CPU time, so other work on the machine changes nothing. With a store, what
was measured before (with the same planner and limit, on the same puzzle) is not measured again.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from machine import describe_machine

from pushworld import solve
from pushworld.datasets.classic import ClassicPuzzle, classic_puzzles
from pushworld.design.canonical import canonical_hash
from pushworld.planners import Progress

UNLIMITED_SECONDS = 1e6


@dataclass(frozen=True)
class Measured:
    """What a planner made of a puzzle.

    Attributes:
        name: of the puzzle.
        form: the hash of its canonical form, by which an edited puzzle is told from what it was.
        planner: who searched.
        limit: seconds of CPU time that it was given.
        status: ``solved``, ``time-limit`` or ``memory-limit``.
        seconds: of CPU time that it took.
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
    add("--store", type=Path, help="JSON lines with what is measured, to go on with later")
    arguments = parser.parse_args()
    known = read_store(arguments.store)
    rows = []
    for entry in (each for each in classic_puzzles() if each.level == arguments.level):
        key = (canonical_hash(entry.puzzle), arguments.planner, arguments.seconds)
        row = known.get(key) or measure(entry, *key[1:], arguments.memory)
        if key not in known and arguments.store:
            with arguments.store.open("a", encoding="utf-8") as store:
                print(json.dumps(asdict(row)), file=store)
        rows.append(row)
    print_table(rows)


def read_store(path: Path | None) -> dict[tuple[str, str, float], Measured]:
    """Returns what is measured already, by puzzle, planner and limit."""
    if path is None or not path.exists():
        return {}
    rows = [Measured(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    return {(row.form, row.planner, row.limit): row for row in rows}


def measure(entry: ClassicPuzzle, planner: str, limit: float, memory: float) -> Measured:
    """Returns what the planner makes of a puzzle within the limit."""
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


def print_table(rows: list[Measured]) -> None:
    """Prints what was measured, and where, as Markdown."""
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    solved = sum(row.status == "solved" for row in rows)
    print(f"{rows[0].planner}, {rows[0].limit:g} s of CPU time: {solved} of {len(rows)} solved\n")
    print("| puzzle | status | CPU seconds | states |")
    print("| --- | --- | --- | --- |")
    for row in rows:
        print(f"| `{row.name}` | {row.status} | {row.seconds:.1f} | {row.states:,} |")


if __name__ == "__main__":
    main()
