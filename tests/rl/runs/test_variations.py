"""Copies of training puzzles with other goals: the same rooms and objects, goals where they fit."""

from __future__ import annotations

from pathlib import Path

from pushworld.planners import solve
from pushworld.puzzle import Puzzle, Symmetry, transform
from pushworld.rl.config import RunConfig
from pushworld.rl.runs.puzzles import RunPuzzles, count_states, random_rooms, with_other_goals

SMALL = Puzzle.parse("A . M1 . G1\n. M2 M2 . .\nG2 G2 M3 . W")
LARGE = Puzzle.parse("A . M1 . . . . .\n. . . . M2 . . .\n. . . . . . G1 .\n. . . . . . . .")
MAX_STATES = 31_000


def test_copies_have_the_same_room_and_objects_and_goals_that_fit() -> None:
    puzzles = with_other_goals([SMALL, LARGE], 40, MAX_STATES, seed=3)
    assert puzzles[:2] == [SMALL, LARGE]
    copies = puzzles[2:]
    assert len(copies) == 40
    for copy in copies:
        assert (copy.walls, copy.agent) == (SMALL.walls, SMALL.agent)
        bodies = sorted((thing.shape, thing.start) for thing in copy.movables)
        assert bodies == sorted((thing.shape, thing.start) for thing in SMALL.movables)
        first, second = copy.movables[:2]
        assert first.goal is not None
        assert second.goal is not None
        assert first.shape != second.shape
        cells = first.cells_at(first.goal), second.cells_at(second.goal)
        assert not cells[0] & cells[1]
        assert not (cells[0] | cells[1]) & copy.walls
    assert len({copy.goal for copy in copies}) > 20
    assert len({copy.movables[2].start for copy in copies}) == 2
    assert with_other_goals([SMALL, LARGE], 40, MAX_STATES, seed=3) == puzzles


def test_further_sets_are_trained_on_without_the_test_puzzles(tmp_path: Path) -> None:
    own, more, test = (tmp_path / name for name in ("own", "more", "test"))
    for folder in (own, more, test):
        folder.mkdir()
    SMALL.save(own / "small.pwp")
    LARGE.save(test / "large.pwp")
    transform(LARGE, Symmetry.ROTATE_90).save(more / "turned.pwp")
    Puzzle.parse("A M1 . G1").save(more / "other.pwp")
    Puzzle.parse("A M1 . . . . G1").save(more / "long.pwp")  # 7 positions for each of two objects
    for most, count in ((None, 3), (49, 3), (48, 2)):
        config = RunConfig(train=str(own), also=(str(more),), also_states=most, test=str(test))
        puzzles = RunPuzzles.of_sets(config)
        assert puzzles.train_params.puzzles == count
        assert len(puzzles.train) == count


def test_copies_are_trained_on_and_not_evaluated() -> None:
    config = RunConfig(
        algorithm="imitation", other_goals=5, other_goals_states=MAX_STATES, symmetries=False
    )
    puzzles = RunPuzzles.of_puzzles(config, [SMALL, LARGE], [LARGE])
    assert puzzles.train_params.puzzles == 7
    assert puzzles.params.puzzles == 8
    assert list(puzzles.train) == [0, 1]
    assert list(puzzles.test) == [7]


def test_random_rooms_have_plans_and_few_states() -> None:
    rooms = random_rooms(12, max_states=50_000, seed=3)
    assert rooms == random_rooms(12, max_states=50_000, seed=3) != random_rooms(12, 50_000, seed=4)
    assert len({room.to_pwp() for room in rooms}) == 12
    for room in rooms:
        assert count_states(room) <= 50_000
        assert solve(room).status == "solved"
