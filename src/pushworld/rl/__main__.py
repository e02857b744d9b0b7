"""Training without the command line's packages: ``python -m pushworld.rl``.

    python -m pushworld.rl run run.json --out runs/base --puzzles FOLDER --seconds 300
    python -m pushworld.rl suite suite.json --work runs --out results --jobs 7 --seconds 570

It needs the packages of the extra ``jax`` only, so it runs on machines where PushWorld itself is not
installed. The same command again continues from the last checkpoints.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from pushworld.rl import require_jax
from pushworld.rl.runs.interrupts import exit_code_of, run_program

STARTED = perf_counter()

Number = TypeVar("Number", int, float)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command that the arguments name, and returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pushworld.rl",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="one training run")
    run.add_argument("config", type=Path, help="a run as JSON or TOML")
    run.add_argument("--out", type=Path, required=True, help="the folder of the run")
    run.add_argument("--seconds", type=float, help="stop after this time, with preparations")
    run.set_defaults(command=_run)
    suite = commands.add_parser("suite", help="many training runs on one device")
    suite.add_argument("suite", type=Path, help="the runs, as JSON")
    suite.add_argument("--work", type=Path, required=True, help="the folder of the runs' folders")
    suite.add_argument("--out", type=Path, required=True, help="the folder of the results")
    suite.add_argument("--jobs", type=_positive(int), default=1, help="runs at the same time")
    suite.add_argument("--seconds", type=float, help="end all runs after this time")
    suite.add_argument("--only", default="", help="train only runs whose names contain this text")
    suite.add_argument("--run-seconds", type=_positive(float), help="the training time of each run")
    suite.add_argument(
        "--grace", type=float, help="time that runs have at the end to evaluate and save"
    )
    suite.set_defaults(command=_suite)
    for each in (run, suite):
        each.add_argument("--puzzles", type=Path, help="a folder with level0.zip, level1, ...")
    chosen = parser.parse_args(arguments)
    return exit_code_of(lambda: chosen.command(chosen))


def _positive(kind: type[Number]) -> Callable[[str], Number]:
    """Returns the type of an argument that is a number above 0."""

    def number(text: str) -> Number:
        value = kind(text)
        if value > 0:
            return value
        raise argparse.ArgumentTypeError(f"{text} is too small: it must be above 0")

    number.__name__ = kind.__name__
    return number


def _run(arguments: argparse.Namespace) -> None:
    require_jax()
    from pushworld.datasets import Store, published_manifest
    from pushworld.rl.config import RunConfig
    from pushworld.rl.runs.puzzles import RunPuzzles
    from pushworld.rl.runs.training import train

    config = RunConfig.load(arguments.config)
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    puzzles = RunPuzzles.of_sets(config, store)
    seconds = arguments.seconds
    left = None if seconds is None else seconds - (perf_counter() - STARTED)
    train(config, arguments.out, puzzles, left, _print, partial(print, file=sys.stderr, flush=True))


def _print(report: Mapping[str, float]) -> None:
    print(json.dumps({key: float(f"{value:.5g}") for key, value in report.items()}), flush=True)


def _suite(arguments: argparse.Namespace) -> None:
    require_jax()
    import msgspec

    from pushworld.rl.runs.suite import GRACE_SECONDS, load_suite, run_suite

    runs = load_suite(arguments.suite)
    if arguments.run_seconds is not None:
        runs = [msgspec.structs.replace(run, seconds=arguments.run_seconds) for run in runs]
    run_suite(
        runs,
        arguments.work,
        arguments.out,
        arguments.puzzles,
        arguments.jobs,
        arguments.seconds,
        GRACE_SECONDS if arguments.grace is None else arguments.grace,
        arguments.only,
    )


if __name__ == "__main__":
    run_program(main)
