"""The fault laboratory: tries to break the package, one kind of fault a command.

    python -m tests.laboratory files --count 10000000 --jobs 16
    python -m tests.laboratory kills --only design,train
    python -m tests.laboratory table

Every kind prints progress and appends its results to build/faults/KIND.jsonl; the same command goes on
where it was stopped. Trial number i of a seed is the same everywhere: `--first i --count 1` repeats it.
`table` writes the results into docs/explanation/reliability.md. The exit code is 1 if something was found.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pushworld.machine import usable_cores
from tests.laboratory.table import write_table
from tests.laboratory.trials import Options, describe, kind_of, run

ROOT = Path(__file__).resolve().parents[2]

KINDS = (
    *("files", "steps", "planners", "exports", "kills", "disks"),
    *("programs", "results", "archives", "weights", "servers", "checkpoints", "mirrors"),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.laboratory",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="name", required=True, metavar="KIND")
    for name in KINDS:
        kind = kind_of(name)
        command = commands.add_parser(name, help=kind.INPUTS)
        command.add_argument("--count", type=int, default=kind.COUNT)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--jobs", type=int, default=usable_cores())
        command.add_argument("--minutes", type=float, help="stop after that time")
        command.add_argument("--patience", type=float, default=600, help="seconds for a row")
        command.add_argument("--output", type=Path, default=ROOT / f"build/faults/{name}.jsonl")
        command.add_argument("--only", default="", help="variants, with commas between them")
        command.add_argument("--first", type=int, default=0, help="the first trial (default: 0)")
    table = commands.add_parser(
        "table", help="write the results into docs/explanation/reliability.md"
    )
    table.add_argument("rows", type=Path, nargs="*", help="files of rows (default: build/faults)")
    table.add_argument(
        "--document", type=Path, default=ROOT / "docs" / "explanation" / "reliability.md"
    )
    arguments = parser.parse_args()
    if arguments.name == "table":
        files = arguments.rows or sorted((ROOT / "build" / "faults").glob("*.jsonl"))
        write_table(files, arguments.document)
        return
    given = vars(arguments)
    given["only"] = tuple(filter(None, given["only"].split(",")))
    rows = run(Options(**given))
    print(f"{arguments.name}: {describe(rows)}")
    sys.exit(1 if any(row["found"] for row in rows) else 0)


if __name__ == "__main__":
    main()
