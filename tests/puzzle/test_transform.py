"""Symmetries, padding and cropping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.puzzle import (
    Action,
    Puzzle,
    PuzzleError,
    Symmetry,
    crop,
    format_plan,
    pad,
    transform,
    transform_state,
)
from tests.strategies import plans, small_puzzles

symmetries = st.sampled_from(Symmetry)

PUZZLE = Puzzle.parse("A  .  M1\n.  .  G1\n")
SEEN = {
    Symmetry.IDENTITY: "A . M1\n. . G1",
    Symmetry.ROTATE_90: ". A\n. .\nG1 M1",
    Symmetry.ROTATE_180: "G1 . .\nM1 . A",
    Symmetry.ROTATE_270: "M1 G1\n. .\nA .",
    Symmetry.FLIP_X: "M1 . A\nG1 . .",
    Symmetry.FLIP_Y: ". . G1\nA . M1",
    Symmetry.TRANSPOSE: "A .\n. .\nM1 G1",
    Symmetry.ANTITRANSPOSE: "G1 M1\n. .\n. A",
}


def composed(first: Symmetry, second: Symmetry) -> Symmetry:
    """Returns the symmetry that does first one, then the other."""

    def image(vector: tuple[int, int]) -> tuple[int, int]:
        return second.apply_to_vector(first.apply_to_vector(vector))

    (xx, yx), (xy, yy) = image((1, 0)), image((0, 1))
    return Symmetry((xx, xy, yx, yy))


@pytest.mark.parametrize("symmetry", Symmetry)
def test_what_each_symmetry_looks_like(symmetry: Symmetry) -> None:
    assert transform(PUZZLE, symmetry) == Puzzle.parse(SEEN[symmetry])


def test_there_are_eight() -> None:
    assert len(Symmetry) == 8
    assert len({transform(PUZZLE, symmetry) for symmetry in Symmetry}) == 8


@given(small_puzzles, symmetries, symmetries)
def test_they_form_a_group(puzzle: Puzzle, first: Symmetry, second: Symmetry) -> None:
    both = transform(transform(puzzle, first), second)
    assert both == transform(puzzle, composed(first, second))
    assert transform(transform(puzzle, first), first.inverse) == puzzle
    assert composed(first, first.inverse) is Symmetry.IDENTITY


@given(small_puzzles, symmetries)
def test_a_transformed_puzzle_reads_and_keeps_its_name(puzzle: Puzzle, symmetry: Symmetry) -> None:
    seen = transform(puzzle, symmetry)
    assert seen.name == puzzle.name
    assert Puzzle.parse(seen.to_pwp()) == seen


@given(small_puzzles, symmetries, plans)
def test_plans_transform_with_puzzles(
    puzzle: Puzzle, symmetry: Symmetry, plan: tuple[Action, ...]
) -> None:
    seen = transform(puzzle, symmetry)
    seen_plan = symmetry.apply_to_plan(plan)
    assert seen.validate(seen_plan) == puzzle.validate(plan)
    for original, image in zip(puzzle.replay(plan), seen.replay(seen_plan), strict=True):
        assert transform_state(puzzle, original, symmetry) == image
        assert seen.achieved_goals(image) == puzzle.achieved_goals(original)


@pytest.mark.parametrize("symmetry", Symmetry)
def test_a_solution_stays_a_solution(symmetry: Symmetry) -> None:
    puzzle = Puzzle.parse(". . .\nA M1 .\n. . .\n. . G1")
    plan = "RURDD"
    assert puzzle.validate(plan)
    image = symmetry.apply_to_plan(plan)
    assert transform(puzzle, symmetry).validate(image)
    assert format_plan(symmetry.inverse.apply_to_plan(image)) == plan


@given(small_puzzles, st.integers(0, 5), st.integers(0, 5), plans, st.data())
def test_padding_adds_walls_and_changes_nothing_else(
    puzzle: Puzzle, more_x: int, more_y: int, plan: tuple[Action, ...], data: st.DataObject
) -> None:
    offset = data.draw(
        st.none() | st.tuples(st.integers(0, more_x), st.integers(0, more_y)), label="offset"
    )
    padded = pad(puzzle, puzzle.width + more_x, puzzle.height + more_y, offset)
    assert (padded.width, padded.height) == (puzzle.width + more_x, puzzle.height + more_y)
    assert padded.name == puzzle.name
    dx, dy = offset if offset is not None else (more_x // 2, more_y // 2)
    for original, image in zip(puzzle.replay(plan), padded.replay(plan), strict=True):
        assert image == tuple((x + dx, y + dy) for x, y in original)
    walkable = {(x, y) for x in range(padded.width) for y in range(padded.height)} - padded.walls
    assert {(x - dx, y - dy) for x, y in walkable} == {
        (x, y) for x in range(puzzle.width) for y in range(puzzle.height)
    } - puzzle.walls


@given(small_puzzles, st.integers(0, 5), st.integers(0, 5), plans)
def test_cropping_undoes_padding(
    puzzle: Puzzle, more_x: int, more_y: int, plan: tuple[Action, ...]
) -> None:
    cropped = crop(puzzle)
    assert crop(pad(puzzle, puzzle.width + more_x, puzzle.height + more_y)) == cropped
    assert crop(cropped) == cropped
    assert cropped.width <= puzzle.width
    assert cropped.validate(plan) == puzzle.validate(plan)


def test_cropping_keeps_goals_and_agent_walls_within_walls() -> None:
    puzzle = Puzzle.parse(
        """
        W  W     W   W     W
        W  A     M1  W     W
        W  W     W   G1+W  W
        W  AW+W  W   W     W
        W  W     W   W     W
        """.strip()
    )
    assert crop(puzzle) == Puzzle.parse("A M1 W\nW W G1+W\nAW+W W W")


@pytest.mark.parametrize(
    ("size", "offset"), [((4, 4), None), ((5, 3), None), ((9, 9), (-1, 0)), ((9, 9), (0, 6))]
)
def test_what_does_not_fit(size: tuple[int, int], offset: tuple[int, int] | None) -> None:
    with pytest.raises(PuzzleError, match="does not fit"):
        pad(PUZZLE, *size, offset)


def test_padding_has_a_limit() -> None:
    with pytest.raises(PuzzleError, match="each side must be 3 to 1000"):
        pad(PUZZLE, 10**6, 10**6)
