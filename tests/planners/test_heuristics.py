"""Heuristics against their definitions."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

import pytest

from pushworld import Puzzle
from pushworld.planners import Heuristics
from tests.native.parts import TripleNovelty
from tests.planners.rgd_oracle import RgdOracle
from tests.planners.tiny_puzzles import random_state, tiny_puzzle
from tests.state_space import StateSpace

PAPERS_FIGURE = Puzzle.parse(
    """\
    W  W  W  W  .  .  .  .
    W  W  W  W  .  A  .  .
    W  W  W  AW .  .  .  .
    G1 .  M1 AW .  M2 .  .
    W  W  W  AW .  .  .  .
    """
)
"""As in the paper's illustration: only M2 can push M1, as the agent cannot get behind it."""


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_rgd_is_the_papers_pseudocode(first: int) -> None:
    for seed in range(first, first + 40):
        puzzle = tiny_puzzle(seed, max_movables=5)
        oracle, heuristics = RgdOracle(puzzle), Heuristics(puzzle)
        for steps in (0, 20):
            state = random_state(Random(seed), puzzle, steps)
            assert heuristics.rgd(state) == oracle.cost_with_fewest_tools(state)


def test_rgd_finds_the_tool_of_the_papers_figure() -> None:
    heuristics = Heuristics(PAPERS_FIGURE)
    state = PAPERS_FIGURE.initial_state
    assert RgdOracle(PAPERS_FIGURE).cost(state, max_tools=0) == math.inf
    # Three steps to the place behind M2 and the push; two more for M2 to push M1, which moves two.
    assert heuristics.rgd(state) == 4 + 2 + 1


def test_infinite_rgd_is_a_dead_end_and_the_lower_bound_is_one() -> None:
    for seed in range(60):
        puzzle = tiny_puzzle(seed, max_movables=2)
        heuristics = Heuristics(puzzle)
        space = StateSpace(puzzle)
        distances = space.distances_to_goal()
        step = max(1, len(space.distance) // 50)
        for state in list(space.distance)[::step]:
            if math.inf in (heuristics.rgd(state), heuristics.lower_bound(state)):
                assert state not in distances
            assert heuristics.lower_bound(state) <= distances.get(state, math.inf)


def test_cea_counts_each_turn_of_the_pusher() -> None:
    straight = Puzzle.parse("A . M1 . G1")
    assert Heuristics(straight).cea(straight.initial_state) == 3
    # Two pushes to the right, two steps to the place above (through the object), a push down.
    bent = Puzzle.parse("A M1 . .\n. . . G1")
    assert Heuristics(bent).cea(bent.initial_state) == math.inf
    bent = Puzzle.parse(". .  . .\nA M1 . .\n. .  . G1")
    assert Heuristics(bent).cea(bent.initial_state) == 2 + 2 + 1


def test_cea_sees_tools_in_their_context() -> None:
    # One push for the tool to come to M1, and one to push it; the agent is where it must be.
    puzzle = Puzzle.parse("A M2 M2 AW M1 G1")
    assert puzzle.validate("RR")
    assert Heuristics(puzzle).cea(puzzle.initial_state) == 2


def test_states_that_cannot_be_are_refused() -> None:
    puzzle = Puzzle.parse("A . M1 W G1")
    heuristics = Heuristics(puzzle)
    with pytest.raises(ValueError, match="1 positions, but the puzzle has"):
        heuristics.rgd(((1, 1),))
    with pytest.raises(ValueError, match="can never reach"):
        heuristics.rgd(((1, 1), (4, 1)))


def test_chains_of_tools_may_be_long() -> None:
    """Agent walls leave the agent only the first of a row of tools, whose last moves the object."""
    row = "A M70 " + " ".join(f"M{k}+AW" for k in range(69, 0, -1)) + " G1"
    puzzle = Puzzle.parse(row)
    heuristics = Heuristics(puzzle)
    assert heuristics.lower_bound(puzzle.initial_state) == 1
    # The first tool alone goes 68 cells to where it pushes the object once.
    assert heuristics.rgd(puzzle.initial_state) == 69


@pytest.mark.parametrize("objects", [1, 2, 3, 5])
def test_novelty_is_exact(objects: int) -> None:
    """Against sets of all combinations, on walks that change one or more objects at a time."""
    random = Random(objects)
    sizes = [random.choice((1, 3, 70, 200)) for _ in range(objects)]
    novelty = TripleNovelty(sizes)
    seen: set[tuple[tuple[int, int], ...]] = set()
    recorded = [[0] * objects]
    changed = list(range(objects))
    for _ in range(2000):
        state = list(recorded[-1])
        assert novelty.record(state, changed) == add_combinations(seen, state)
        state = list(random.choice(recorded))
        changed = random.sample(range(objects), random.choice((1, 1, min(2, objects), objects)))
        for index in changed:
            state[index] = min(sizes[index] - 1, max(0, state[index] + random.randint(-1, 1)))
        recorded.append(state)


def test_more_triples_than_can_be_numbered_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match=r"too many objects in too large a world.*such as default"):
        TripleNovelty([1_000_000] * 998)


def add_combinations(seen: set[tuple[tuple[int, int], ...]], state: list[int]) -> int:
    """Adds all combinations of up to three positions; returns the size of the smallest new one."""
    smallest = 4
    for size in (3, 2, 1):
        combined = set(combinations(enumerate(state), size))
        if not combined <= seen:
            smallest = size
        seen |= combined
    return smallest
