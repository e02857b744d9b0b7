"""The engine does exactly what the reference does, on puzzles of every kind."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.engine import Engine
from pushworld.puzzle import Puzzle, Symmetry, transform
from tests.engine.walking import assert_agreement
from tests.strategies import GRIDS, puzzles_on, randoms, small_puzzles


@pytest.mark.parametrize("kind", GRIDS)
@given(data=st.data(), random=randoms)
def test_engine_and_reference_agree(kind: str, data: st.DataObject, random: Random) -> None:
    puzzle = data.draw(GRIDS[kind].flatmap(puzzles_on))
    steps = 6 if kind in ("chain", "crowd") else 20
    assert_agreement(puzzle, random, steps)


@pytest.mark.parametrize("symmetry", Symmetry)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A M1 M2 M3 M1 M2 M3 . .", id="three in a ring"),
        pytest.param("A M1 A M1 . .", id="agent in the ring"),
        pytest.param(
            """
            .  .  .  .  .  .
            A  M1 M1 M1 .  .
            .  M1 M2 M1 M2 .
            .  .  M2 M2 M2 .
            .  .  .  .  .  .
            """,
            id="interlocked hooks",
        ),
        pytest.param(
            """
            .  .  .  .  .  .  .  .
            .  M1 M1 M1 M1 M1 .  .
            .  M1 .  .  .  M1 .  .
            .  M1 .  A  .  M1 .  .
            .  M1 .  M2 .  M1 AW .
            .  M1 M1 M1 M1 M1 .  .
            .  .  .  .  .  .  .  .
            """,
            id="agent inside",
        ),
        pytest.param(
            """
            A  .  M1 .  .  AW .
            A  A  .  M1 M2 AW .
            A  .  M1 .  .  AW W
            """,
            id="agent walls and a wall behind",
        ),
    ],
)
def test_known_hard_cases(text: str, symmetry: Symmetry) -> None:
    puzzle = transform(Puzzle.parse(text.strip("\n ")), symmetry)
    assert_agreement(puzzle, Random(1), steps=60)


@given(small_puzzles)
def test_initial_states_are_copies(puzzle: Puzzle) -> None:
    engine = Engine(puzzle)
    states = engine.initial_states(3)
    assert states.shape == (3, len(puzzle.objects), 2)
    assert [tuple(map(tuple, state)) for state in states.tolist()] == [puzzle.initial_state] * 3
    states[0] += 1
    assert states[1].tolist() == [list(position) for position in puzzle.initial_state]
