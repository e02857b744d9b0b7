"""The reference dynamics, move by move, on worlds small enough to see what must happen."""

from __future__ import annotations

import pytest
from hypothesis import given

from pushworld.puzzle import DELTAS, Action, Puzzle, Symmetry, transform, transform_state
from pushworld.puzzle.reference import moving_objects
from tests.strategies import plans, puzzles, small_puzzles

MOVES = {
    "the agent walks": ("A .", ". A"),
    "a push": ("A M1 .", ". A M1"),
    "the border stops": ("A M1", "A M1"),
    "a wall stops": ("A M1 W .", "A M1 W ."),
    "a chain": ("A M1 M2 M3 .", ". A M1 M2 M3"),
    "a chain against a wall": ("A M1 M2 W", "A M1 M2 W"),
    "a gap ends the chain": ("A M1 . M2 .", ". A M1 M2 ."),
    "an agent wall stops the agent": ("A AW .", "A AW ."),
    "an agent wall lets a movable pass": ("A M1 AW .", ". A M1+AW ."),
    "the agent does not follow": ("A M1+AW .", "A M1+AW ."),
    "an agent wall behind a movable": ("A M1 M2+AW .", ". A M1+AW M2"),
    "a disconnected object": ("A M1 . M1 . .", ". A M1 . M1 ."),
    "around another": ("A M1 M2 M1 .", ". A M1 M2 M1"),
    "a ring": ("A M1 M2 M3 M1 M2 .", ". A M1 M2 M3 M1 M2"),
    "an agent in two parts": ("A M1 A M2 .", ". A M1 A M2"),
    "a concave pusher": ("A M1 .\n. M1 M2\n. M1 .", "A M1 .\n. M1 M2\n. M1 ."),
    "an object in a hole": (
        "A  M1 M1 M1 .\n.  M1 M2 M1 .\n.  M1 M1 M1 .",
        ".  A  M1 M1 M1\n.  .  M1 M2 M1\n.  .  M1 M1 M1",
    ),
    "a loose object in a hole stays": (
        "A  M1 M1 M1 M1 .\n.  M1 .  M2 M1 .\n.  M1 M1 M1 M1 .",
        ".  A  M1 M1 M1 M1\n.  .  M1 M2 .  M1\n.  .  M1 M1 M1 M1",
    ),
    "pushing from within": (
        "M1 M1 M1 .\nM1 A  M1 .\nM1 M1 M1 .",
        ".  M1 M1 M1\n.  M1 A  M1\n.  M1 M1 M1",
    ),
    "a wall far from the agent": (
        "A  M1 .\n.  M1 .\n.  M1 W",
        "A  M1 .\n.  M1 .\n.  M1 W",
    ),
}


@pytest.mark.parametrize("symmetry", [s for s in Symmetry if s.name.startswith(("I", "ROT"))])
@pytest.mark.parametrize(("before", "after"), MOVES.values(), ids=MOVES.keys())
def test_a_move(before: str, after: str, symmetry: Symmetry) -> None:
    puzzle = Puzzle.parse(before)
    expected = Puzzle.parse(after)
    if "AW" not in before:
        assert expected.walls == puzzle.walls
    turned = transform(puzzle, symmetry)
    action = symmetry.apply_to_action(Action.RIGHT)
    outcome = transform_state(puzzle, expected.initial_state, symmetry)
    assert turned.step(turned.initial_state, action) == outcome


@given(puzzles, plans)
def test_what_moves_moves_by_one_cell(puzzle: Puzzle, plan: tuple[Action, ...]) -> None:
    state = puzzle.initial_state
    for action in plan[:5]:
        after = puzzle.step(state, action)
        changed = {i for i in range(len(state)) if state[i] != after[i]}
        if changed:
            assert changed == moving_objects(puzzle, state, action)
            dx, dy = DELTAS[action]
            assert all(after[i] == (state[i][0] + dx, state[i][1] + dy) for i in changed)
        state = after


@given(small_puzzles, plans)
def test_replay_steps_from_the_start(puzzle: Puzzle, plan: tuple[Action, ...]) -> None:
    states = list(puzzle.replay(plan))
    assert len(states) == len(plan) + 1
    assert states[0] == puzzle.initial_state
    for action, before, after in zip(plan, states, states[1:], strict=False):
        assert puzzle.step(before, action) == after
    assert puzzle.validate(plan) == puzzle.is_solved(states[-1])


@pytest.mark.parametrize("action", [-1, 4, 17])
def test_other_actions_are_refused(action: int) -> None:
    puzzle = Puzzle.parse("A .")
    with pytest.raises(ValueError):
        puzzle.step(puzzle.initial_state, action)
