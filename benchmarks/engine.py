"""Measures steps a second: the reference against the engine, on random walks with resets.

    python benchmarks/engine.py
    python benchmarks/engine.py --puzzle keyhole --seconds 3
    python benchmarks/engine.py --puzzle level1 --seconds 0.2

Every walk takes uniformly random actions and is reset after 100 steps, like the episodes of the paper's
training. Each figure is the best of several rounds, to exclude other work on the machine. The reset is
part of the measured time, the choice of actions is not.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import cycle
from random import Random
from statistics import median

import numpy as np
from common import best_rate, command_line, print_machine, run_script

from pushworld.datasets import load_set, resolve_puzzle
from pushworld.engine import Engine
from pushworld.machine import usable_cores
from pushworld.puzzle import PushWorldError, Puzzle

EPISODE = 100
DEFAULT_PUZZLES = ["level1/Interlocking Pieces", "duet"]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--puzzle", help="a file, a puzzle or a set (default: one of Level 1)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: 2)")
    parser.add_argument("--batch", type=int, default=4096, help="states at once (default: 4096)")
    arguments = parser.parse_args()

    puzzles = load_set(arguments.puzzle) if arguments.puzzle else [default_puzzle()]
    print_machine()
    print(f"random walks of {EPISODE} steps, {arguments.batch} states at once; steps a second:")
    print(f"{'puzzle':28}{'reference':>12}{'one core':>15}{'all cores':>15}{'ratio':>9}")
    results = []
    for puzzle in puzzles:
        results.append(measure(puzzle, arguments.seconds, arguments.batch))
        print_row(puzzle.name, results[-1])
    if len(results) > 1:
        columns = list(zip(*results, strict=True))
        print_row("median", map(median, columns))
        print_row("slowest", map(min, columns))


def default_puzzle() -> Puzzle:
    """Returns the puzzle of Level 1 that stands for it, or else one that ships with the package."""
    for name in DEFAULT_PUZZLES:
        with suppress(PushWorldError):
            return resolve_puzzle(name)
    raise SystemExit("no puzzle found: name one with --puzzle")


def measure(puzzle: Puzzle, seconds: float, batch: int) -> tuple[float, ...]:
    """Returns steps a second by the reference, by one core and all, and how many times faster one is."""
    reference = best_rate(reference_walk(puzzle), seconds)
    one_core = best_rate(batched_walk(puzzle, batch, threads=1), seconds)
    all_cores = best_rate(batched_walk(puzzle, batch * 16, threads=usable_cores()), seconds)
    return reference, one_core, all_cores, one_core / reference


def reference_walk(puzzle: Puzzle) -> Callable[[], int]:
    """Returns a function that walks one episode and returns the number of steps."""
    random = Random(0)
    episodes = cycle([random.randrange(4) for _ in range(EPISODE)] for _ in range(100))

    def walk() -> int:
        state = puzzle.initial_state
        for action in next(episodes):
            state = puzzle.step(state, action)
        return EPISODE

    return walk


def batched_walk(puzzle: Puzzle, batch: int, threads: int) -> Callable[[], int]:
    """Returns a function that walks one episode for each state and returns the number of steps."""
    engine = Engine(puzzle)
    initial = engine.initial_states(batch)
    states = initial.copy()
    actions = np.random.default_rng(0).integers(0, 4, (EPISODE, batch), np.uint8)

    def walk() -> int:
        np.copyto(states, initial)
        for chosen in actions:
            engine.step_batch(states, chosen, threads=threads)
        return EPISODE * batch

    return walk


def print_row(name: str, figures: Iterable[float]) -> None:
    print(f"{name:28}" + "{:12,.0f}{:15,.0f}{:15,.0f}{:8,.0f}x".format(*figures))


if __name__ == "__main__":
    run_script(main)
