"""Rooms, mutations, the archive, and what makes puzzles minimal."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.design.candidates import Archive, Candidate, hidden_share, level_gap, untidiness
from pushworld.design.ideas import corners, minimize
from pushworld.design.mutations import MUTATIONS, mutate, thwart
from pushworld.design.variants import fill_pockets
from pushworld.puzzle import Puzzle, PuzzleError
from pushworld.puzzle.free_space import inner_walls
from tests.design.oracle import Oracle

BUNDLED = {each.name: each for each in bundled_puzzles()}


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_rooms_have_goals_to_reach_and_depend_on_the_seed_alone(level: int) -> None:
    plan = room_plan(level, 9, 8, agent_walls=0.5)
    rooms = [random_room(plan, Random(seed)) for seed in range(20)]
    assert rooms == [random_room(plan, Random(seed)) for seed in range(20)]
    assert len(set(rooms)) == 20
    for room in rooms:
        assert (room.width, room.height) == (11, 10)
        assert room.goal
        assert not room.is_solved(room.initial_state)


def test_rooms_hold_no_more_than_they_have_place_for() -> None:
    plan = room_plan(4, 4, 4, agent_walls=1.0)
    assert all(random_room(plan, Random(seed)).goal for seed in range(50))


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_mutation_changes_something_and_never_the_size(mutation: object) -> None:
    assert callable(mutation)
    changed = 0
    for seed in range(40):
        puzzle = BUNDLED["duet" if seed % 2 else "castaway"].puzzle
        try:
            result = mutation(puzzle, Random(seed))
        except PuzzleError:
            continue
        if result is not None and result != puzzle:
            changed += 1
            assert (result.width, result.height) == (puzzle.width, puzzle.height)
            assert result.goal
    assert changed > 0


def test_mutations_follow_from_the_seed() -> None:
    puzzle = BUNDLED["deep-water"].puzzle
    many = [mutate(puzzle, Random(seed), BUNDLED["deep-water"].plan) for seed in range(30)]
    assert many == [mutate(puzzle, Random(seed), BUNDLED["deep-water"].plan) for seed in range(30)]
    assert len(set(many)) > 20


def test_agent_walls_come_in_only_where_they_may() -> None:
    puzzle = BUNDLED["cork"].puzzle
    plan = BUNDLED["cork"].plan
    assert not any(
        mutate(puzzle, Random(seed), plan, agent_walls=False).agent_walls for seed in range(60)
    )
    assert any(mutate(puzzle, Random(seed), plan).agent_walls for seed in range(60))


def test_thwarting_mostly_makes_a_plan_useless() -> None:
    bundled = BUNDLED["portcullis"]
    spoilt = 0
    for seed in range(30):
        try:
            changed = thwart(bundled.puzzle, bundled.plan, Random(seed), agent_walls=True)
        except PuzzleError:
            continue
        spoilt += changed is not None and not changed.validate(bundled.plan)
    assert spoilt > 15


def test_minimal_puzzles_keep_what_matters_and_nothing_else() -> None:
    cluttered = Puzzle.parse(
        ".  .  W  .  .  M3\nA  .  M1 .  .  G1\nW  W  W  W  .  M2\n.  .  .  .  .  ."
    )
    length = Oracle(cluttered).shortest
    small = minimize(cluttered, lambda puzzle: Oracle(puzzle).shortest == length)
    assert [thing.name for thing in small.movables] == ["M1"]
    assert inner_walls(small) == set()


def test_minimal_puzzles_keep_walls_that_force_a_detour() -> None:
    puzzle = Puzzle.parse("A M1 . .\nW W W .\n. . . .\nG1 . . .")
    length = Oracle(puzzle).shortest
    small = minimize(puzzle, lambda other: Oracle(other).shortest == length)
    for cell in inner_walls(small):
        fewer = Puzzle(small.width, small.height, small.objects, small.walls - {cell})
        assert Oracle(fewer).shortest != length or corners(fewer) > corners(small)


def test_pockets_that_nothing_reaches_become_wall() -> None:
    puzzle = Puzzle.parse("A M1 G1 W .\n. . . W .")
    filled = fill_pockets(puzzle)
    assert filled.walls - puzzle.walls == {(5, 1), (5, 2)}
    assert fill_pockets(filled) == filled


def test_walls_are_tidy_if_symmetric_and_connected() -> None:
    tidy = Puzzle.parse("W . . . W\n. A M1 G1 .\nW . . . W")
    loose = Puzzle.parse(". . . . .\n. A M1 G1 .\n. . . . .\n. W . . .\n. . . . .")
    assert untidiness(tidy) == 0
    assert untidiness(loose) > 0.5


def test_agent_walls_below_objects_are_hidden() -> None:
    assert hidden_share(Puzzle.parse("A M1+AW AW G1+AW")) == pytest.approx(1 / 3)
    assert hidden_share(Puzzle.parse("A M1 . G1")) == 0


def test_gap_of_a_score_inside_of_its_level_is_nothing() -> None:
    assert level_gap(0.5, 1) == 0
    assert level_gap(9.0, 4) == 0
    assert level_gap(9.0, 1) > 0
    assert level_gap(0.5, 4) > level_gap(0.5, 2) > 0


def test_archive_keeps_the_best_of_each_kind() -> None:
    puzzle = BUNDLED["cork"].puzzle

    def added(score: float, quality: float, *skills: str) -> bool:
        found = Candidate(puzzle, "", score, quality, accepted=False, skills=skills)
        return archive.add(found, found.cell, quality)

    archive: Archive[Candidate] = Archive()
    assert len(archive) == 0
    assert added(1.0, 0.5, "tool-use")
    assert not added(1.01, 0.4, "tool-use")
    assert added(1.02, 0.6, "tool-use")
    assert added(2.0, 0.1, "tool-use")
    assert added(1.0, 0.2, "assembly")
    assert sorted(quality for quality, _ in archive.elites.values()) == [0.1, 0.2, 0.6]
