"""One training run without the command line's comforts: ``python -m pushworld.rl.run``.

It needs JAX, Flax, Optax and Orbax only, so it runs on machines where the package is not installed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

from pushworld.datasets import Store, published_manifest
from pushworld.rl.config import RunConfig
from pushworld.rl.programs import exit_code_of, run_program
from pushworld.rl.training import Report, World, train


def main() -> int:
    """Runs the training that the arguments describe, and returns an exit code."""
    started = perf_counter()
    parser = argparse.ArgumentParser(prog="python -m pushworld.rl.run", description=__doc__)
    parser.add_argument("config", type=Path, help="a run as JSON or TOML")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the run")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip, level1 and so on")
    parser.add_argument("--seconds", type=float, help="stop after so long, preparations included")
    arguments = parser.parse_args()

    def work() -> None:
        config = RunConfig.load(arguments.config)
        store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
        world = World.of_sets(config, store)
        left = None if arguments.seconds is None else arguments.seconds - perf_counter() + started
        train(config, arguments.out, world, left, show=_print)

    return exit_code_of(work)


def _print(report: Report) -> None:
    print(json.dumps({key: float(f"{value:.5g}") for key, value in report.items()}), flush=True)


if __name__ == "__main__":
    run_program(main)
