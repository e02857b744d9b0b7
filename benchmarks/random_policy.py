"""Prints the solve rates of uniformly random actions on Level 0 and Level 1.

    python benchmarks/random_policy.py
    python benchmarks/random_policy.py --episodes 64

Each puzzle is played for a number of episodes of at most 100 steps. It is the baseline of agents
that sample their actions.
"""

from pathlib import Path

import numpy as np
from common import command_line, print_machine, run_script

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.engine import Engine
from pushworld.envs.contract import DEFAULT_MAX_STEPS, NUM_ACTIONS
from pushworld.puzzle import Puzzle

LEVEL0 = ("base", "size", "walls", "obstacles", "shapes", "goals", "all")
SETS = [*((f"{name}/train", f"{name}/test") for name in LEVEL0), ("level1",)]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument(
        "--puzzles",
        type=Path,
        help="a folder with level0.zip and level1 (default: what is installed)",
    )
    parser.add_argument("--episodes", type=int, default=32, help="for each puzzle (default: 32)")
    arguments = parser.parse_args()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    print_machine()
    print(f"{arguments.episodes} episodes with each puzzle; seed 0")
    rng = np.random.default_rng(0)
    for parts in SETS:
        rates = []
        for part in parts:
            puzzles = load_set(part, store)
            solved = [solve_rate(puzzle, arguments.episodes, rng) for puzzle in puzzles]
            ever = np.count_nonzero(solved)
            rates.append(f"{part} {np.mean(solved):.1%} ({ever} of {len(solved)} puzzles ever)")
        print(", ".join(rates), flush=True)


def solve_rate(puzzle: Puzzle, episodes: int, rng: np.random.Generator) -> float:
    """Returns the fraction of the episodes that random actions solve."""
    engine = Engine(puzzle)
    states = engine.initial_states(episodes)
    goals = len(puzzle.goal)
    solved = np.zeros(episodes, bool)
    for _ in range(DEFAULT_MAX_STEPS):
        engine.step_batch(states, rng.integers(0, NUM_ACTIONS, episodes))
        solved |= engine.achieved_goals(states) == goals
    return float(solved.mean())


if __name__ == "__main__":
    run_script(main)
