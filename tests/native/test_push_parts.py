"""Compares the push space, its heuristic and its novelty with the reference dynamics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from pushworld import Puzzle
from pushworld.engine import Engine
from pushworld.puzzle import Action, Position, State
from tests.native.parts import INFINITY, PushParts, WidePushParts
from tests.planners.tiny_puzzles import random_state, tiny_puzzle
from tests.state_space import fewest_pushes

SEEDS = range(60)
BOTH_WIDTHS = pytest.mark.parametrize("parts", [PushParts, WidePushParts])


def region(puzzle: Puzzle, state: State) -> set[Position]:
    """Returns the positions that the agent can reach without a push."""
    reached = {state[0]}
    queue = [state]
    for at in queue:
        for action in Action:
            after = puzzle.step(at, action)
            if after[1:] == state[1:] and after[0] not in reached:
                reached.add(after[0])
                queue.append(after)
    return reached


def in_reading_order(position: Position) -> tuple[int, int]:
    return position[1], position[0]


def pushes(puzzle: Puzzle, state: State) -> Iterator[tuple[Action, State, State]]:
    """Yields all pushes from the agent's region: the action, and the states before and after."""
    for at in region(puzzle, state):
        before = (at, *state[1:])
        for action in Action:
            after = puzzle.step(before, action)
            if after[1:] != before[1:]:
                yield action, before, after


@BOTH_WIDTHS
def test_pushes_are_those_of_the_reference(parts: Any) -> None:
    for seed in SEEDS:
        puzzle = tiny_puzzle(seed, max_movables=4)
        space = parts(Engine(puzzle).native)
        for steps in (0, 15, 40):
            state = random_state(Random(seed), puzzle, steps)
            wanted = {
                (int(action), after[1:], min(region(puzzle, after), key=in_reading_order))
                for action, _, after in pushes(puzzle, state)
            }
            found = space.pushes(state)
            assert len(found) == len(wanted)  # each outcome once
            for action, stand, first, moved, after in found:
                after = tuple(after)
                assert puzzle.step((stand, *state[1:]), action) == after
                assert stand in region(puzzle, state)
                moves = [i for i in range(1, len(state)) if after[i] != state[i]]
                assert sorted(moved) == moves
                assert (action, after[1:], first) in wanted


@BOTH_WIDTHS
def test_a_region_is_named_by_its_first_position_and_walks_are_shortest(parts: Any) -> None:
    for seed in SEEDS:
        puzzle = tiny_puzzle(seed, max_movables=4)
        space = parts(Engine(puzzle).native)
        state = random_state(Random(seed), puzzle, 30)
        reached = region(puzzle, state)
        assert space.region(state) == min(reached, key=in_reading_order)
        distances = walking_distances(puzzle, state)
        for to in sorted(reached)[::3]:
            walk = space.walk(state, to)
            assert len(walk) == distances[to]
            at = state
            for action in walk:
                at = puzzle.step(at, action)
            assert at == (to, *state[1:])


def walking_distances(puzzle: Puzzle, state: State) -> dict[Position, int]:
    distances = {state[0]: 0}
    queue = [state]
    for at in queue:
        for action in Action:
            after = puzzle.step(at, action)
            if after[1:] == state[1:] and after[0] not in distances:
                distances[after[0]] = distances[at[0]] + 1
                queue.append(after)
    return distances


@BOTH_WIDTHS
def test_one_object_alone_needs_the_pushes_that_the_heuristic_says(parts: Any) -> None:
    solvable = 0
    for seed in range(90):
        puzzle = tiny_puzzle(seed, max_movables=1)
        found, blockers = parts(Engine(puzzle).native).manipulation(puzzle.initial_state)
        fewest = fewest_pushes(puzzle)
        solvable += fewest is not None
        assert (None if found >= INFINITY else found) == fewest
        assert blockers == 0
    assert 20 < solvable < 80


def test_an_infinite_manipulation_heuristic_is_a_dead_end() -> None:
    for seed in SEEDS:
        puzzle = tiny_puzzle(seed, max_movables=2)
        found, _ = PushParts(Engine(puzzle).native).manipulation(puzzle.initial_state)
        if found >= INFINITY:
            assert fewest_pushes(puzzle) is None


def test_objects_in_the_way_are_counted() -> None:
    free = Puzzle.parse("A . M1 . . G1 .\n. . . . . . .")
    blocked = Puzzle.parse("A . M1 . M2 G1 .\n. . . . M3 . .")
    assert PushParts(Engine(free).native).manipulation(free.initial_state) == (3, 0)
    assert PushParts(Engine(blocked).native).manipulation(blocked.initial_state) == (3, 1)


def test_states_that_differ_in_interchangeable_objects_alone_are_one() -> None:
    # M2, M3 and M4 have one shape and no goals; M5 has another shape, M1 and M6 have goals.
    puzzle = Puzzle.parse("A  .  M2 .  M3 .\n.  M1 .  M4 .  .\n.  G1 M5 M5 M6 G6\n.  .  .  .  .  .")
    parts = PushParts(Engine(puzzle).native)
    names = [thing.name for thing in puzzle.objects]
    alike = [names.index(name) for name in ("M2", "M3", "M4")]
    random = Random(0)
    for steps in range(0, 60, 5):
        state = random_state(random, puzzle, steps)
        shuffled = list(state)
        for to, place in zip(alike, random.sample([state[i] for i in alike], 3), strict=True):
            shuffled[to] = place
        canonical = parts.canonical(shuffled)
        assert canonical == parts.canonical(state)
        assert sorted(canonical[i] for i in alike) == sorted(state[i] for i in alike)
        others = [i for i in range(len(names)) if i not in alike]
        assert [canonical[i] for i in others] == [state[i] for i in others]


@BOTH_WIDTHS
def test_pair_novelty_is_exact(parts: Any) -> None:
    """New positions count first, then new offsets between movables, then new pairs of positions."""
    for seed in range(20):
        puzzle = tiny_puzzle(seed, max_movables=4)
        novelty = parts(Engine(puzzle).native)
        random = Random(seed)
        state = puzzle.initial_state
        moved = list(range(len(state)))
        seen: set[Any] = set()
        for _ in range(150):
            assert novelty.pair_novelty(state, moved) == novelty_of(seen, state)
            after = puzzle.step(state, random.randrange(4))
            moved = [i for i in range(len(state)) if after[i] != state[i]]
            state = after
            if not moved:
                moved = [0]


def novelty_of(seen: set[Any], state: State) -> int:
    """Adds the arrangements of a state to `seen` and returns the novelty of the state."""
    places = {("at", i, place) for i, place in enumerate(state)}
    offsets = {
        ("offset", i, j, (b[0] - a[0], b[1] - a[1]))
        for (i, a), (j, b) in combinations(enumerate(state[1:], start=1), 2)
    }
    pairs = {("pair", i, j, a, b) for (i, a), (j, b) in combinations(enumerate(state), 2)}
    kinds: list[set[Any]] = [places, offsets, pairs]
    rank = next((k for k, facts in enumerate(kinds, 1) if facts - seen), 4)
    seen |= places | offsets | pairs
    return rank
