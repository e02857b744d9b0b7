"""Prints how many puzzles agents with the iterated network solve, by the number of its repeats.

    PYTHONPATH=src python benchmarks/repeats.py runs/*/agent*.zip --puzzles FOLDER --repeats 4 8 16 32

The rows are CSV: solve rates with the best and with sampled actions on each agent's test puzzles, or on
other sets with --sets, under the symmetries of the agent's training unless --as-drawn.
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.rl.agents import agent_file
from pushworld.rl.evaluation.agents import load_agent
from pushworld.rl.evaluation.assessment import assess

COLUMNS = (
    *("agent", "steps", "set", "puzzles", "repeats", "symmetric", "remember"),
    *("greedy", "sampled", "low", "high"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="+", help="files of agents, or their names")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip, level1, ...")
    parser.add_argument("--sets", nargs="+", help="by default the test set of each agent")
    parser.add_argument("--repeats", type=int, nargs="+", default=[4, 8, 12, 16, 24, 32])
    parser.add_argument("--symmetric", action="store_true", help="mean over all symmetric views")
    parser.add_argument("--remember", action="store_true", help="policies with a memory")
    parser.add_argument("--first", type=int, help="only the first puzzles of each set")
    parser.add_argument("--best", action="store_true", help="no sampled actions")
    parser.add_argument("--as-drawn", action="store_true", help="no symmetries of the puzzles")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    ways = {"symmetric": arguments.symmetric, "remember": arguments.remember}
    rows = csv.writer(sys.stdout)
    rows.writerow(COLUMNS)
    for path in arguments.agents:
        agent = load_agent(agent_file(path))
        if arguments.as_drawn:
            config = structs.replace(agent.config, symmetries=False)
            agent = replace(agent, config=config)
        for name in arguments.sets or [agent.config.test or agent.config.train]:
            puzzles = load_set(name, store)[: arguments.first]
            for repeats in arguments.repeats:
                best, *sampled = (
                    assess(agent, puzzles, exploring=exploring, repeats=repeats, **ways).evaluation
                    for exploring in (False, True)[: 1 if arguments.best else 2]
                )
                rates = [best.rate, *(each.rate for each in sampled), *best.interval]
                shown = [f"{100 * rate:.1f}" for rate in rates]
                if not sampled:
                    shown.insert(1, "")
                told = (name, len(puzzles), repeats, *map(int, ways.values()))
                rows.writerow((path, agent.steps, *told, *shown))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
