"""Quality: each part has the values that a person would give, and stretches are compared correctly."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import BUDGETS, time_limit
from pushworld.design.candidates import Wish, assess, is_confetti
from pushworld.design.plan_features import likeness, stretches_of
from pushworld.design.quality import (
    WEIGHTS,
    clearness,
    clutter,
    contacts,
    find_quality,
    greedy_failures,
    living_space,
    looks,
    outline,
    repetition,
    touching,
)
from pushworld.design.variants import object_names
from pushworld.puzzle import Puzzle

BUNDLED = {each.name: each for each in bundled_puzzles()}


def analyzed(puzzle: Puzzle) -> Analysis:
    return analyze(puzzle, BUDGETS["quick"], planners=("default",))


def test_objects_without_a_role_lower_the_quality() -> None:
    clean = Puzzle.parse("A . M1 . G1\n. . . . .")
    cluttered = Puzzle.parse("A . M1 . G1\n. . . . M2")
    one, other = find_quality(clean, analyzed(clean)), find_quality(cluttered, analyzed(cluttered))
    assert one.roles == 1
    assert other.roles == 0.5
    assert one.score > other.score


def test_walls_far_from_every_plan_and_pockets_are_dead() -> None:
    corridor = Puzzle.parse("A M1 . G1 .\nW W W W W")
    assert living_space(corridor, ["RR"]) == 1
    thick = Puzzle.parse("A M1 . G1 .\nW W W W W\nW W W W W\n. . W W W")
    assert living_space(thick, ["RR"]) == pytest.approx(10 / 20)
    hall = Puzzle.parse("\n".join(["A M1 . G1 . . . ."] + [". . . . . . . ."] * 7))
    assert living_space(hall, ["RR"]) == 1


def test_stretches_are_the_sets_of_objects_in_the_order_of_the_plan() -> None:
    puzzle = Puzzle.parse("A M1 M2 . .\n. . . . .\n. . M3 G3 .")
    # Past the first two together, then round to the third one.
    order = stretches_of(puzzle, "RRLLDDRRR")
    assert order == (frozenset({"M1", "M2"}), frozenset({"M3"}))
    assert stretches_of(puzzle, "DDRRR") == (frozenset({"M3"}),)
    assert stretches_of(puzzle, "DU") == ()


def test_likeness_is_one_for_equal_orders_and_none_for_others() -> None:
    a, b, c = (frozenset({name}) for name in ("M1", "M2", "M3"))
    assert likeness((a, b), (a, b)) == 1
    assert likeness((a, b), (b, c)) == likeness((b, c), (a, b)) == 0
    assert likeness((a, b, c), (a, c)) == pytest.approx(2 / 3)
    assert likeness((), ()) == 1
    random = Random(0)
    for _ in range(50):
        one, other = (random.choices((a, b, c), k=random.randrange(7)) for _ in range(2))
        assert 0 <= likeness(one, other) == likeness(other, one) <= 1


def test_greedy_players_solve_what_is_straight_ahead_and_fail_where_they_must_go_back() -> None:
    assert greedy_failures(Puzzle.parse("A . M1 . G1"), 3) == 0
    lid_last = BUNDLED["lid-last"]
    assert greedy_failures(lid_last.puzzle, len(lid_last.plan)) == 1


def test_a_tidy_board_looks_better_than_a_ragged_one() -> None:
    tidy = Puzzle.parse("W . . . W\n. A M1 G1 .\nW . . . W")
    ragged = Puzzle.parse("W . W . .\n. A M1 G1 W\n. W . . .")
    large = Puzzle.parse("\n".join(["A M1 G1 " + ". " * 47] + [". " * 50] * 49))
    assert looks(tidy) > looks(ragged)
    assert looks(tidy) > looks(large)


def test_outlines_count_edges_and_corners() -> None:
    assert outline({(3, 3)}) == (4, 4)
    assert outline({(0, 0), (1, 0), (0, 1)}) == (8, 6)
    assert outline({(0, 0), (1, 1)}) == (8, 8)
    assert outline(set()) == (0, 0)


@pytest.mark.parametrize("name", ["keyhole", "lid-last", "crossroads"])
def test_score_is_the_weighted_mean_of_parts_between_0_and_1_times_the_order(name: str) -> None:
    puzzle = BUNDLED[name].puzzle
    analysis = analyzed(puzzle)
    found = find_quality(puzzle, analysis)
    assert found == find_quality(puzzle, analysis)
    parts = dict(found.parts)
    assert all(0 <= part <= 1 for part in parts.values())
    order = parts.pop("order")
    assert set(parts) <= set(WEIGHTS)
    assert min(parts.values()) <= found.score / 100 / order <= max(parts.values())
    assert analysis.dead_ends is not None
    assert 0 <= analysis.dead_ends.obvious <= analysis.dead_ends.dead


def test_a_dead_end_that_no_move_can_mend_is_obvious() -> None:
    puzzle = Puzzle.parse("A . . .\n. M1 . .\n. . . G1\n. . . .")
    found = analyzed(puzzle).dead_ends
    assert found is not None
    assert found.dead > 0
    assert found.obvious == found.dead


def test_a_deadline_leaves_parts_open() -> None:
    puzzle = BUNDLED["lid-last"].puzzle
    analysis = analyzed(puzzle)
    with time_limit(0):
        found = find_quality(puzzle, analysis)
    assert found.resistance is None
    assert found.roles == 1
    assert 0 < found.score <= 100


def test_goals_in_view_and_equal_shapes_look_better() -> None:
    tidy = Puzzle.parse("A . . . .\n. M1 . M2 .\n. . . . .\n. G1 . G2 .")
    assert (clearness(tidy), repetition(tidy)) == (1, 1)
    other = Puzzle.parse("A M1 . . .\n. M1 . M2 .\n. G1 . . .\n. G1 . . G2")
    assert repetition(other) == 0
    covered = Puzzle.parse("A . M1 M2+G1 . G2")
    assert clearness(covered) == 0.5


def test_pieces_that_touch_are_crowded_or_idle_are_clutter() -> None:
    apart, close = (
        Puzzle.parse(
            "\n".join(["A . . . . . . .", row, *[". . . . . . . ."] * 5, ". G1 . . . . . ."])
        )
        for row in (". . M1 . M2 . M3 .", ". . M1 M2 M3 . . .")
    )
    everything = ["M1", "M2", "M3"]
    assert clutter(Puzzle.parse("A ."), []) == 0
    assert clutter(apart, everything) == 0
    assert touching(close.objects) == everything
    assert 0 < clutter(close, everything) < 0.5
    assert clutter(apart, ["M1", "M2"]) == pytest.approx(1 / 3)  # the other one is idle
    small = Puzzle.parse("A . . . . . .\n. . M1 . M2 . M3")
    assert clutter(small, everything) == pytest.approx(1 - 10 / 16 / 3)
    outline_beside_another = Puzzle.parse("A . . M1 .\n. M2 G1 . .\n. . . . .\n. . . AW .")
    assert contacts(outline_beside_another) == 2  # M2 and the goal of M1, and the agent wall


FILLINGS = (
    """. AW M3 M3 M3 . . .
    A M2 M3 . AW . . .
    . M1 M3 M3 M3 G1 . .
    . . . . . . . .
    W W . . . . W W""",
    """. . . M2 . . . .
    . A . M2 W W . .
    . . M1 M2 M3 M3 G1 .
    . . . AW AW . . .
    W W . . . . W W""",
)
"""How a search filled a sketch before it knew of clutter."""


@pytest.mark.parametrize("text", FILLINGS)
def test_a_filled_sketch_is_worse_than_what_people_draw(text: str) -> None:
    everything = ["M1", "M2", "M3"]
    drawn = [clutter(each.puzzle, object_names(each.puzzle)) for each in BUNDLED.values()]
    assert clutter(Puzzle.parse(text), everything) > max(drawn)
    filled, keyhole = Puzzle.parse(text), BUNDLED["keyhole"].puzzle
    one, other = find_quality(filled, analyzed(filled)), find_quality(keyhole, analyzed(keyhole))
    assert one.score / one.order > other.score  # nothing but the order is bad
    assert one.score < other.score


CONFETTI = (
    ". . W . . . . W . . . .",
    ". M1 . . . M2 . . . M3 . .",
    ". G1 . . . G2 . . . G3 . .",
    "W . . M4 . . . . . . . W",
    ". . . G4 . . A . M5 . . .",
    ". . . . . . . . G5 . . .",
    ". M6 . . . . . . . . M7 .",
    "W G6 . . M8 . . . . . G7 W",
    ". . . . G8 . . . . . . .",
    ". . . . . . . M9 . . . .",
    "W W W . . . . G9 . W W W",
    "W W W . . . . . . W W W",
)
"""Nine movables on 12 x 12 cells, none of which touches another one."""


@pytest.mark.parametrize(
    ("rows", "accepted"),
    [
        (("A . . . . .", "M1 M2 M3 M4 M5 .", "G1 G2 G3 G4 G5 ."), False),
        (
            (
                "A" + 10 * " .",
                11 * ". ",
                ". M1 . M2 . M3 . M4 . M5 .",
                ". G1 . G2 . G3 . G4 . G5 .",
                *[11 * ". "] * 3,
            ),
            True,
        ),
    ],
)
def test_many_pieces_without_room_are_no_design(rows: tuple[str, ...], accepted: bool) -> None:
    puzzle = Puzzle.parse("\n".join(rows))
    analysis = analyzed(puzzle)
    assert analysis.difficulty is not None
    assert assess(puzzle, analysis, Wish(analysis.difficulty.level)).accepted == accepted


def test_nine_movables_are_confetti_on_a_small_board_only() -> None:
    assert is_confetti(Puzzle.parse("\n".join(CONFETTI)))
    wider = [f"{row} . . . ." for row in CONFETTI]
    assert not is_confetti(Puzzle.parse("\n".join(wider)))
