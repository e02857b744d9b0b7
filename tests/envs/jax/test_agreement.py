"""The JAX step does exactly what the reference does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from tests.envs.jax.walking import assert_agreement
from tests.shared import level0_archive, needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on, randoms


# One compilation serves all puzzles of a set, so one large set is drawn.
@pytest.mark.parametrize("kind", GRIDS)
@settings(max_examples=1)
@given(data=st.data(), random=randoms)
def test_step_and_reference_agree(kind: str, data: st.DataObject, random: Random) -> None:
    count, steps = (4, 8) if kind in ("chain", "crowd") else (25, 20)
    drawn = st.lists(GRIDS[kind].flatmap(puzzles_on), min_size=count, max_size=count)
    puzzles = data.draw(drawn)
    params = pack(puzzles, symmetries=kind != "crowd")
    variants = [random.randrange(params.puzzle_of.size) for _ in range(2 * count)]
    assert_agreement(puzzles, params, variants, random, steps)


HARD = [
    "A M1 M2 M3 M1 M2 M3 . .",
    "A M1 A M1 . .",
    """
    .  .  .  .  .  .
    A  M1 M1 M1 .  .
    .  M1 M2 M1 M2 .
    .  .  M2 M2 M2 .
    .  .  .  .  .  .
    """,
    """
    .  .  .  .  .  .  .
    .  M1 M1 M1 M1 M1 .
    .  M1 .  A  .  M1 .
    .  M1 .  M2 .  M1 AW
    .  M1 M1 M1 M1 M1 .
    .  .  .  .  .  .  .
    """,
    """
    A  .  M1 .  .  AW .
    A  A  .  M1 M2 AW .
    A  .  M1 .  .  AW W
    """,
]


def test_rings_hooks_and_walls_seen_through_every_symmetry() -> None:
    puzzles = [Puzzle.parse(text.strip("\n ")) for text in HARD]
    params = pack(puzzles)
    assert params.puzzle_of.size == 8 * len(puzzles)
    assert_agreement(puzzles, params, range(params.puzzle_of.size), Random(1), steps=40)


@needs_shared
def test_agreement_on_all_sets_of_level0() -> None:
    random = Random(0)
    puzzles = []
    with level0_archive() as archive:
        for name in ("base", "size", "walls", "obstacles", "shapes", "goals", "all"):
            members = [each for each in archive.namelist() if f"/{name}/" in each]
            chosen = random.sample([each for each in members if each.endswith(".pwp")], 20)
            puzzles += [Puzzle.parse(archive.read(each).decode()) for each in chosen]
    params = pack(puzzles)
    variants = random.sample(range(params.puzzle_of.size), 200)
    assert_agreement(puzzles, params, variants, random, steps=30)


@needs_shared
@pytest.mark.parametrize("levels", [(1,), (2, 3, 4)])
def test_agreement_on_the_published_levels(levels: tuple[int, ...]) -> None:
    random = Random(0)
    puzzles = [
        Puzzle.load(path)
        for level in levels
        for path in random.sample(
            [path for path in published_puzzles() if path.parent.name == f"level{level}"], 8
        )
    ]
    params = pack(puzzles)
    variants = random.sample(range(params.puzzle_of.size), 24)
    assert_agreement(puzzles, params, variants, random, steps=30)
