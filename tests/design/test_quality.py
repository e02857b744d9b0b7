"""Quality: each part has the values that a person would give, and stretches are compared correctly."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import BUDGETS
from pushworld.design.deadline import time_limit
from pushworld.design.looks import clearness, looks, outline, repetition, spacing
from pushworld.design.quality import WEIGHTS, find_quality, greedy_failures, living_space
from pushworld.design.stretches import likeness, stretches_of
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
def test_score_is_the_weighted_mean_of_parts_between_0_and_1(name: str) -> None:
    puzzle = BUNDLED[name].puzzle
    analysis = analyzed(puzzle)
    found = find_quality(puzzle, analysis)
    assert found == find_quality(puzzle, analysis)
    assert set(found.parts) <= set(WEIGHTS)
    assert all(0 <= part <= 1 for part in found.parts.values())
    least, most = min(found.parts.values()), max(found.parts.values())
    assert 100 * least <= found.score <= 100 * most
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


def test_objects_apart_goals_in_view_and_equal_shapes_look_better() -> None:
    apart = Puzzle.parse("A . . . .\n. M1 . M2 .\n. . . . .\n. G1 . G2 .")
    assert (spacing(apart), clearness(apart), repetition(apart)) == (1, 1, 1)
    crowded = Puzzle.parse("A M1 . . .\n. M1 . M2 .\n. G1 . . .\n. G1 . . G2")
    assert spacing(crowded) == pytest.approx(1 / 3)
    assert repetition(crowded) == 0
    covered = Puzzle.parse("A . M1 M2+G1 . G2")
    assert clearness(covered) == 0.5
