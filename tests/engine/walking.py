"""What every walk through a puzzle must satisfy, whatever the puzzle is."""

from __future__ import annotations

from random import Random

import numpy as np

from pushworld.engine import Engine
from pushworld.puzzle import Puzzle, State

ENOUGH_FOR_THREADS = 2 * 1024


def assert_no_overlap(puzzle: Puzzle, state: State) -> None:
    """Objects are apart from each other and off the walls that stop them."""
    taken = set(puzzle.walls)
    for thing, position in zip(puzzle.objects, state, strict=True):
        cells = thing.cells_at(position)
        assert not cells & taken, f"{thing.name} at {position} overlaps something"
        taken |= cells
    assert not puzzle.agent.cells_at(state[0]) & puzzle.agent_walls


def assert_agreement(puzzle: Puzzle, random: Random, steps: int = 20) -> None:
    """Engine and reference agree on all four actions in every state of a random walk."""
    engine = Engine(puzzle)
    state = puzzle.initial_state
    before: list[State] = []
    after: list[State] = []
    for _ in range(steps):
        outcomes = [puzzle.step(state, action) for action in range(4)]
        before += [state] * 4
        after += outcomes
        action = livelier_action(state, outcomes, random)
        assert engine.step(state, action) == outcomes[action]
        state = outcomes[action]
        assert_no_overlap(puzzle, state)
    moved = [one != other for one, other in zip(before, after, strict=True)]
    actions = np.tile(np.arange(4, dtype=np.uint8), steps)
    assert_batch_agrees(engine, engine.to_array(before), actions, engine.to_array(after), moved)
    goals = [puzzle.achieved_goals(state) for state in after]
    assert engine.achieved_goals(engine.to_array(after)).tolist() == goals


def livelier_action(state: State, outcomes: list[State], random: Random) -> int:
    """Returns a random action, more often one that pushes than one that has no effect."""
    weights = [
        10 if outcome[1:] != state[1:] else 5 if outcome != state else 1 for outcome in outcomes
    ]
    return random.choices(range(4), weights)[0]


def assert_batch_agrees(
    engine: Engine,
    before: np.ndarray,
    actions: np.ndarray,
    after: np.ndarray,
    moved: list[bool],
) -> None:
    """The batched step gives the same with and without flags, on one core and on two."""
    plain = before.copy()
    engine.step_batch(plain, actions)
    np.testing.assert_array_equal(plain, after)

    copies = -(-ENOUGH_FOR_THREADS // len(before))
    for threads in (1, 2):
        states = np.tile(before, (copies, 1, 1))
        flags = np.full(len(states), 7, np.uint8)
        engine.step_batch(states, np.tile(actions, copies), flags, threads)
        np.testing.assert_array_equal(states, np.tile(after, (copies, 1, 1)))
        np.testing.assert_array_equal(flags, np.tile(np.array(moved, np.uint8), copies))
