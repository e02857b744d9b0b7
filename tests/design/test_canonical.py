"""Canonical forms: what does not matter, and what does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle, Symmetry, pad, transform
from pushworld.puzzle.transform import canonical_form
from tests.design.oracle import is_trivial_edit
from tests.planners.tiny_puzzles import tiny_puzzle

BUNDLED = {each.name: each.puzzle for each in bundled_puzzles()}


@settings(max_examples=settings().max_examples // 3)
@given(st.integers(0, 10_000), st.sampled_from(list(Symmetry)), st.randoms(use_true_random=False))
def test_symmetry_padding_and_names_do_not_matter(
    seed: int, symmetry: Symmetry, random: Random
) -> None:
    puzzle = tiny_puzzle(seed)
    numbers = random.sample(range(100), len(puzzle.movables))
    renamed = replace(
        puzzle,
        objects=(
            puzzle.agent,
            *(
                replace(thing, name=f"M{number}")
                for thing, number in zip(puzzle.movables, numbers, strict=True)
            ),
        ),
    )
    turned = transform(renamed, symmetry)
    spare = 12 - turned.width, 11 - turned.height
    other = pad(turned, 12, 11, (random.randint(0, spare[0]), random.randint(0, spare[1])))
    assert canonical_form(other) == canonical_form(puzzle)
    assert is_trivial_edit(other, puzzle)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_moved_object_makes_another_puzzle(name: str) -> None:
    puzzle = BUNDLED[name]
    after = next(
        state
        for state in (puzzle.step(puzzle.initial_state, action) for action in range(4))
        if state != puzzle.initial_state
    )
    moved = replace(
        puzzle,
        objects=tuple(
            replace(thing, start=position)
            for thing, position in zip(puzzle.objects, after, strict=True)
        ),
    )
    assert canonical_form(moved) != canonical_form(puzzle)


def test_who_has_the_goal_matters() -> None:
    one = Puzzle.parse("A . M1 M2 . G1")
    other = Puzzle.parse("A . M1 M2 . G2")
    assert canonical_form(one) != canonical_form(other)


def test_bundled_puzzles_are_no_edits_of_each_other() -> None:
    puzzles = list(BUNDLED.values())
    for index, one in enumerate(puzzles):
        assert not any(is_trivial_edit(one, other) for other in puzzles[:index])


def test_one_wall_more_is_a_trivial_edit() -> None:
    puzzle = BUNDLED["cork"]
    free = {
        (x, y) for x in range(1, puzzle.width - 1) for y in range(1, puzzle.height - 1)
    } - puzzle.walls
    for thing in puzzle.objects:
        free -= thing.cells_at(thing.start)
    edited = replace(puzzle, walls=puzzle.walls | {min(free)})
    assert canonical_form(edited) != canonical_form(puzzle)
    assert is_trivial_edit(transform(edited, Symmetry.ROTATE_90), puzzle)
