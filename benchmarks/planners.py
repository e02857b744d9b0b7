"""Measures planners: puzzles solved by level and time, and comparisons on puzzles that several solve.

    python benchmarks/planners.py
    python benchmarks/planners.py --puzzles level1 level2 --time-limit 60
    python benchmarks/planners.py --puzzles published --output results/all
    python benchmarks/planners.py --report results/all --markdown

This is `pushworld benchmark` with the settings of the figures in the documents: one run at a time,
and all cores for planners that use several. After an interruption, the same command resumes.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from machine import usable_cores
from rich.console import Console

from pushworld import bench
from pushworld.bench.progress import ProgressDisplay
from pushworld.bench.report import print_tables
from pushworld.puzzle import PushWorldError

EXIT_INTERRUPTED = 13


def main() -> int:
    """Returns the exit code."""
    parser = build_parser()
    arguments = parser.parse_args()
    try:
        if arguments.report:
            folders = [path.parent if path.is_file() else path for path in arguments.report]
            results = [bench.read_results(folder) for folder in folders]
        else:
            results = [measure(arguments)]
        print_tables(results, Console(), markdown=arguments.markdown)
    except PushWorldError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        print("interrupted: the same command resumes here", file=sys.stderr)
        return EXIT_INTERRUPTED
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["bundled"], metavar="SET|DIR", help="(default: bundled)")
    add(
        "--planners",
        default=",".join(bench.DEFAULT_PLANNERS),
        metavar="NAME,...",
        help="the others are compared with the first (default: %(default)s)",
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
        default=Path("results/planners"),
        metavar="DIR",
        help="the folder of results (default: results/planners)",
    )
    add("--restart", action="store_true", help="discard what the folder holds")
    add("--report", nargs="+", type=Path, metavar="DIR", help="only report on these results")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    return parser


def measure(arguments: argparse.Namespace) -> bench.Results:
    """Returns the results of the chosen planners on the chosen puzzles."""
    with closing(ProgressDisplay(Console(stderr=True))) as display:
        return bench.run(
            arguments.output,
            arguments.puzzles,
            [name.strip() for name in arguments.planners.split(",")],
            time_limit=arguments.time_limit,
            memory_limit_gb=arguments.memory_limit,
            threads=arguments.threads,
            seed=arguments.seed,
            workers=1,
            restart=arguments.restart,
            watcher=display,
        )


if __name__ == "__main__":
    sys.exit(main())
