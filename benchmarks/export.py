"""Measures the sizes of exported puzzles, and the time for writing them.

    python benchmarks/export.py --puzzles level1

For each set: the median and the largest of the operators, the pairs of positions that touch, the
bytes of SAS+ and PDDL, and the CPU time for each.
"""

import time
from collections.abc import Callable
from statistics import median

from common import command_line, print_machine, run_script

from pushworld.datasets import load_set
from pushworld.export.pddl import format_pddl
from pushworld.export.sas import format_sas
from pushworld.export.task import Task, build_task
from pushworld.puzzle import Puzzle


def measure(puzzle: Puzzle) -> dict[str, float]:
    """Returns the sizes and times of one puzzle."""
    start = time.process_time()
    task = build_task(puzzle)
    built = time.process_time() - start
    sas, sas_seconds = _timed(format_sas, task)
    pddl, pddl_seconds = _timed(lambda each: "".join(vars(format_pddl(each)).values()), task)
    return {
        "operators": task.operators,
        "touching pairs": sum(len(move.touched) for body in task.bodies for move in body.moves),
        "SAS+, kB": len(sas) / 1000,
        "SAS+, s": built + sas_seconds,
        "PDDL, kB": len(pddl) / 1000,
        "PDDL, s": built + pddl_seconds,
    }


def _timed(write: Callable[[Task], str], task: Task) -> tuple[str, float]:
    start = time.process_time()
    text = write(task)
    return text, time.process_time() - start


def main() -> None:
    """Prints a table."""
    parser = command_line(__doc__)
    parser.add_argument("--puzzles", nargs="+", default=["bundled"], help="sets or folders")
    arguments = parser.parse_args()
    print_machine()
    for name in arguments.puzzles:
        rows = [measure(puzzle) for puzzle in load_set(name) if puzzle.goal]
        print(f"\n{name}: {len(rows)} puzzles\n")
        print("| | median | largest |\n| --- | --: | --: |")
        for key in rows[0]:
            values = [row[key] for row in rows]
            digits = 2 if key.endswith(", s") else 0
            print(f"| {key} | {median(values):,.{digits}f} | {max(values):,.{digits}f} |")


if __name__ == "__main__":
    run_script(main)
