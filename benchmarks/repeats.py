"""Prints how many puzzles agents with the iterated network solve, by the number of its repeats.

    PYTHONPATH=src python benchmarks/repeats.py runs/*/agent*.zip --puzzles FOLDER --repeats 4 8 16 32

The rows are CSV: solve rates with the best and with sampled actions on each agent's test puzzles, or on
other sets with --sets, under the symmetries of the agent's training. With --largest 14 20 puzzles of at
most 14 cells a side are played on one grid, those of at most 20 on another, and larger ones are left out.
"""

import argparse
import csv
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.puzzle import Puzzle
from pushworld.rl.agents import agent_file
from pushworld.rl.evaluation.agents import Agent, load_agent
from pushworld.rl.evaluation.assessment import assess
from pushworld.statistics import Share

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
    parser.add_argument("--largest", type=int, nargs="+", default=[1000], help="sides of grids")
    parser.add_argument("--best", action="store_true", help="no sampled actions")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    rows = csv.writer(sys.stdout)
    rows.writerow(COLUMNS)
    for path in arguments.agents:
        agent = load_agent(agent_file(path))
        for name in arguments.sets or [agent.config.test or agent.config.train]:
            puzzles = load_set(name, store)[: arguments.first]
            groups = [
                [each for each in puzzles if less < max(each.width, each.height) <= most]
                for less, most in pairwise([0, *sorted(arguments.largest)])
            ]
            count = sum(map(len, groups))
            for repeats in arguments.repeats:
                greedy, *sampled = (
                    solve_rate(agent, groups, exploring, repeats, arguments)
                    for exploring in (False, True)[: 1 if arguments.best else 2]
                )
                best, *interval = (
                    f"{100 * rate:.1f}" for rate in (greedy, *Share(greedy * count, count).interval)
                )
                random = f"{100 * sampled[0]:.1f}" if sampled else ""
                ways = int(arguments.symmetric), int(arguments.remember)
                about = path, agent.steps, name, count, repeats
                rows.writerow((*about, *ways, best, random, *interval))
                sys.stdout.flush()


def solve_rate(
    agent: Agent,
    groups: list[list[Puzzle]],
    exploring: bool,
    repeats: int,
    arguments: argparse.Namespace,
) -> float:
    """Returns the share of the episodes of all groups that the agent solves."""
    solved = [
        assess(
            agent,
            puzzles,
            exploring=exploring,
            repeats=repeats,
            symmetric=arguments.symmetric,
            remember=arguments.remember,
        ).evaluation.solved
        for puzzles in groups
        if puzzles
    ]
    return float(np.concatenate(solved).mean())


if __name__ == "__main__":
    main()
