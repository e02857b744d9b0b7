"""Prints how many puzzles agents with the iterated network solve, by the number of its repeats.

    PYTHONPATH=src python benchmarks/repeats.py runs/*/agent*.zip --puzzles FOLDER --repeats 4 8 16 32

The rows are CSV: solve rates with the best and with sampled actions on each agent's test puzzles, or on
other sets with --sets, under all symmetries.
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

from msgspec import structs

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.rl.evaluation.agents import load_agent
from pushworld.rl.evaluation.assessment import assess
from pushworld.rl.settings import NetworkConfig

COLUMNS = (
    *("agent", "steps", "set", "repeats", "symmetric", "remember"),
    *("greedy", "sampled", "low", "high"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", type=Path, nargs="+")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip, level1, ...")
    parser.add_argument("--sets", nargs="+", help="by default the test set of each agent")
    parser.add_argument("--repeats", type=int, nargs="+", default=[4, 8, 12, 16, 24, 32])
    parser.add_argument("--symmetric", action="store_true", help="mean over all symmetric views")
    parser.add_argument("--remember", action="store_true", help="policies with a memory")
    for name in ("precision", "convolution"):
        choices = get_args(get_type_hints(NetworkConfig)[name])
        parser.add_argument(f"--{name}", choices=choices, help="instead of the agent's own")
    parser.add_argument("--first", type=int, help="only the first puzzles of each set")
    parser.add_argument("--largest", type=int, default=1000, help="only puzzles with such sides")
    parser.add_argument("--best", action="store_true", help="no sampled actions")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    rows = csv.writer(sys.stdout)
    rows.writerow(COLUMNS)
    for path in arguments.agents:
        agent = load_agent(path)
        own = agent.config.network
        network = structs.replace(
            own,
            precision=arguments.precision or own.precision,
            convolution=arguments.convolution or own.convolution,
        )
        agent = replace(agent, config=structs.replace(agent.config, network=network))
        for name in arguments.sets or [agent.config.test or agent.config.train]:
            puzzles = load_set(name, store)[: arguments.first]
            puzzles = [p for p in puzzles if max(p.width, p.height) <= arguments.largest]
            for repeats in arguments.repeats:
                greedy, *sampled = (
                    assess(
                        agent,
                        puzzles,
                        exploring=exploring,
                        repeats=repeats,
                        symmetric=arguments.symmetric,
                        remember=arguments.remember,
                    ).evaluation
                    for exploring in (False, True)[: 1 if arguments.best else 2]
                )
                random = f"{100 * sampled[0].rate:.1f}" if sampled else ""
                ways = int(arguments.symmetric), int(arguments.remember)
                best, *interval = (f"{100 * rate:.1f}" for rate in (greedy.rate, *greedy.interval))
                rows.writerow((path, agent.steps, name, repeats, *ways, best, random, *interval))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
