"""The JAX step does exactly what the reference does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.envs.jax import pack
from pushworld.envs.jax.dynamics import WORD_SLOTS
from pushworld.puzzle import Puzzle
from tests.envs.jax.walking import assert_agreement
from tests.shared import level0_archive, needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on

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


def test_rings_hooks_and_walls_through_every_symmetry_and_small_puzzles_of_all_kinds() -> None:
    """One packed set of many kinds of puzzles, because each set costs a compilation."""
    random = Random(1)
    hard = [Puzzle.parse(text.strip("\n ")) for text in HARD]
    puzzles = hard + drawn_puzzles({"painted": 25, "woven": 25, "nested": 10})
    params = pack(puzzles, reward="shaped")
    of_hard = range(8 * len(hard))
    assert {int(params.puzzle_of[variant]) for variant in of_hard} == set(range(len(hard)))
    others = random.sample(range(8 * len(hard), params.puzzle_of.size), 120)
    assert_agreement(puzzles, params, [*of_hard, *others], random, steps=20)


def test_worlds_wider_than_a_word() -> None:
    random = Random(2)
    puzzles = drawn_puzzles({"wide": 25})
    params = pack(puzzles)
    variants = [random.randrange(params.puzzle_of.size) for _ in range(50)]
    assert_agreement(puzzles, params, variants, random, steps=20)


def test_more_objects_than_a_word_has_bits() -> None:
    random = Random(3)
    puzzles = drawn_puzzles({"chain": 4, "crowd": 4})
    params = pack(puzzles, symmetries=False)
    assert params.slots > WORD_SLOTS
    assert_agreement(puzzles, params, [*range(len(puzzles))] * 2, random, steps=8)


def drawn_puzzles(counts: dict[str, int]) -> list[Puzzle]:
    """Returns the given number of puzzles of each kind, drawn by Hypothesis."""
    puzzles: list[Puzzle] = []

    @settings(max_examples=1, database=None)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        puzzles.clear()
        for kind, count in counts.items():
            kinds = st.lists(GRIDS[kind].flatmap(puzzles_on), min_size=count, max_size=count)
            puzzles.extend(data.draw(kinds))

    draw()
    return puzzles


@needs_shared
@pytest.mark.large
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
