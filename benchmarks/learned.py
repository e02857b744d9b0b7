"""Measures how many puzzles the learned network solves, with its policy alone and with search.

    python benchmarks/learned.py
    python benchmarks/learned.py --sets base/test level1 --budget 20000
    python benchmarks/learned.py --weights runs/learned/weights.npz --limit 50

The policy alone takes its best action 100 times. With a memory, it takes the next best action when it
returns to a state; it does not look ahead either. The search is that of `pushworld solve --planner
learned`, with a limit on expanded states instead of time, so that other work on the machine has no
effect. All rates have Wilson intervals at 95 %. As a baseline, `uninformed` is the same search with a
network that returns equal values for all actions and states.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from machine import describe_machine

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.engine import Engine
from pushworld.learned import GuidedSearch, Network, Observer, shipped_network
from pushworld.learned.weights import WEIGHTS_FILE, Array, random_weights
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.rl.evaluation.solve_rates import wilson_interval

SETS = ("base", "size", "walls", "obstacles", "shapes", "goals", "all")
EPISODE = 100
FRACTIONS = (100, 10, 1)
"""Results are also printed for a hundredth and a tenth of the budget."""


class Uninformed(Network):
    """Returns equal values for all arrangements."""

    def __init__(self) -> None:
        super().__init__(random_weights(1), 0)

    def __call__(
        self, planes: Array, stop: Callable[[], bool] = lambda: False
    ) -> tuple[Array, Array]:
        shape = planes.shape[:3]
        return np.full((*shape, 4), -np.log(4), np.float32), np.ones(shape, np.float32)


@dataclass(frozen=True)
class Result:
    """The result of a puzzle.

    Attributes:
        policy: whether the policy alone solved it.
        remembering: whether the policy with a memory solved it.
        expanded, evaluated: states and arrangements of the search; None if it did not solve it.
        length: of the plan found.
        uninformed: states that the uninformed search expanded to solve it, or None.
        seconds: processor time of the search.
    """

    puzzle: str
    policy: bool
    remembering: bool
    expanded: int | None
    evaluated: int | None
    length: int | None
    uninformed: int | None
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--puzzles",
        type=Path,
        help="a folder with level0.zip, level1 and so on (default: what is installed)",
    )
    parser.add_argument("--sets", nargs="+", default=[f"{name}/test" for name in SETS])
    parser.add_argument("--limit", type=int, help="only the first puzzles of each set")
    parser.add_argument("--budget", type=int, default=10_000, help="expanded states of a search")
    parser.add_argument("--weights", type=Path, default=WEIGHTS_FILE, help="default: the shipped")
    parser.add_argument("--no-yardstick", action="store_true", help="without `uninformed`")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    shipped = arguments.weights == WEIGHTS_FILE
    network = shipped_network() if shipped else Network.load(arguments.weights)
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print(f"{'shipped weights' if shipped else arguments.weights}, {network.repeats} repeats")
    outcomes: dict[str, list[Result]] = {}
    for name in arguments.sets:
        try:
            puzzles = load_set(name, store)[: arguments.limit]
        except PushWorldError as error:
            parser.error(str(error))
        outcomes[name] = [
            measure(puzzle, network, arguments.budget, not arguments.no_yardstick)
            for puzzle in puzzles
        ]
        print(summary(name, outcomes[name], arguments.budget), flush=True)
    if arguments.json:
        results = {name: [asdict(each) for each in several] for name, several in outcomes.items()}
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def measure(puzzle: Puzzle, network: Network, budget: int, yardstick: bool) -> Result:
    """Returns the result of a puzzle."""
    begun = time.process_time()
    search = searched(puzzle, network, budget)
    seconds = time.process_time() - begun
    blind = searched(puzzle, Uninformed(), budget) if yardstick else None
    solved = search.plan is not None
    return Result(
        puzzle=puzzle.name,
        policy=policy_solves(puzzle, network, memory=False),
        remembering=policy_solves(puzzle, network, memory=True),
        expanded=search.expanded if solved else None,
        evaluated=search.evaluated if solved else None,
        length=None if search.plan is None else len(search.plan),
        uninformed=blind.expanded if blind is not None and blind.plan is not None else None,
        seconds=seconds,
    )


def searched(puzzle: Puzzle, network: Network, budget: int) -> GuidedSearch:
    """Returns a search after it ended."""
    search = GuidedSearch(puzzle, network)
    search.run(lambda: search.expanded >= budget)
    if search.plan is not None and not puzzle.validate(search.plan):
        raise RuntimeError(f"a wrong plan for {puzzle.name}: {search.plan}")
    return search


def policy_solves(puzzle: Puzzle, network: Network, memory: bool) -> bool:
    """Returns whether taking the best action again and again solves the puzzle."""
    engine, observer = Engine(puzzle), Observer(puzzle)
    states = engine.initial_states(1)
    policies: dict[bytes, Array] = {}
    left: dict[bytes, list[int]] = {}
    for _ in range(EPISODE):
        arrangement, state = states[0, 1:].tobytes(), states.tobytes()
        if arrangement not in policies:
            policies[arrangement] = network(observer.draw(states))[0][0]
        (row,), (column,) = observer.cells_of_agent(states)
        if state not in left:
            left[state] = np.argsort(-policies[arrangement][row, column]).tolist()
        elif not memory or not left[state]:
            return False
        engine.step_batch(states, [left[state].pop(0)])
        if engine.achieved_goals(states)[0] == len(puzzle.goal):
            return True
    return False


def summary(name: str, outcomes: Sequence[Result], budget: int) -> str:
    """Returns a line on a set."""
    count = len(outcomes)
    parts = [
        f"{name:15} {count} puzzles; policy alone {rate(sum(o.policy for o in outcomes), count)}",
        f"policy with a memory {rate(sum(o.remembering for o in outcomes), count)}",
    ]
    for kind in ("expanded", "uninformed"):
        needed = [getattr(outcome, kind) for outcome in outcomes]
        if not any(needed):
            continue
        for fraction in FRACTIONS:
            within = budget // fraction
            solved = sum(each is not None and each <= within for each in needed)
            label = "search" if kind == "expanded" else "uninformed"
            parts.append(f"{label} {within:,} states {rate(solved, count)}")
    expanded = [outcome.expanded for outcome in outcomes if outcome.expanded is not None]
    evaluated = [outcome.evaluated for outcome in outcomes if outcome.evaluated is not None]
    if expanded:
        parts.append(
            f"median {np.median(expanded):.0f} states, {np.median(evaluated):.0f} evaluations"
        )
    parts.append(f"{sum(outcome.seconds for outcome in outcomes):.1f} s of processor time")
    return "\n    ".join(parts)


def rate(solved: int, count: int) -> str:
    """Returns a share with its interval."""
    low, high = wilson_interval(solved, count)
    return f"{solved}/{count} = {solved / count:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
