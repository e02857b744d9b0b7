"""Files of examples: what they are made of, in which order, and that nothing is made twice."""

from __future__ import annotations

import math
import os
import shutil
import signal
from multiprocessing import active_children
from pathlib import Path
from random import Random

import pytest

from pushworld import solve
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.making import Teaching, uninterrupted
from pushworld.learned.training.slices import (
    ROOM_SIDES,
    SLICE,
    Slice,
    make_slices,
    missing,
    puzzles_of,
    random_world,
    slices_of,
    source_of,
)
from pushworld.planners import SolveResult
from pushworld.puzzle import PushWorldError, Puzzle

FEW = Teaching(count=2)


def test_a_slice_of_each_set_is_made_in_turn_and_none_twice(tmp_path: Path) -> None:
    sets = [slices_of(f"generated/{name}", SLICE + 2, None) for name in ("base", "walls")]
    assert [list(make_slices(sets, tmp_path, FEW, 1, seconds=-1))] == [[]]
    first = make_slices(sets, tmp_path, FEW, 1, seconds=math.inf)
    made = [next(first) for _ in range(3)]
    first.close()
    assert [(part.name, part.first) for part, _ in made] == [
        ("generated/base", 0),
        ("generated/walls", 0),
        ("generated/base", SLICE),
    ]
    rest = list(make_slices(sets, tmp_path, FEW, 1, seconds=math.inf))
    assert [(part.name, part.first, part.puzzles) for part, _ in rest] == [
        ("generated/walls", SLICE, 2)
    ]
    files = sorted(tmp_path.glob("*.npz"))
    assert {source_of(file) for file in files} == {"generated.base", "generated.walls"}
    told = sum(count for _, count in made + rest)
    assert sum(len(Examples.load(file)) for file in files) == told == 2 * (SLICE + 2) * FEW.count


def test_a_process_that_is_killed_ends_the_making_and_what_is_made_stays(tmp_path: Path) -> None:
    sets = [slices_of("generated/base", SLICE, None), slices_of("rooms", 200 * SLICE, None)]
    making = make_slices(sets, tmp_path, FEW, 2, seconds=math.inf)
    first, _ = next(making)
    os.kill(active_children()[0].pid or 0, signal.SIGKILL)
    with pytest.raises(PushWorldError, match="a process of make was killed"):
        list(making)
    assert not active_children()
    assert first not in [each.slice for each in missing(sets, tmp_path, FEW)]


def test_a_slice_that_has_more_puzzles_than_before_is_made_again(tmp_path: Path) -> None:
    few, more = ([slices_of("generated/base", count, None)] for count in (2, 4))
    list(make_slices(few, tmp_path, FEW, 1, seconds=math.inf))
    assert missing(few, tmp_path, FEW) == []
    assert [job.slice for job in missing(more, tmp_path, FEW)] == more[0]
    list(make_slices(more, tmp_path, FEW, 1, seconds=math.inf))
    (file,) = tmp_path.glob("*.npz")
    assert len(Examples.load(file)) == 4 * FEW.count


def test_a_folder_of_odd_puzzles(tmp_path: Path) -> None:
    """Without goals, solved at the start, hopeless, and one to learn from."""
    puzzles, folder = tmp_path / "puzzles", tmp_path / "examples"
    puzzles.mkdir()
    odd = {"sandbox": "A M1 .", "solved": "A M1+G1 .", "hopeless": "A . G1 M1", "good": "A M1 . G1"}
    for name, text in odd.items():
        (puzzles / f"{name}.pwp").write_text(f"{text}\n")
    for teaching in (FEW, Teaching(count=2, max_states=1)):
        sets = [slices_of(str(puzzles), None, None)]
        ((_, count),) = make_slices(sets, folder, teaching, 1, seconds=math.inf)
        (file,) = folder.glob("*.npz")
        examples = Examples.load(file)
        assert len(examples) == count > 0
        assert source_of(file) == str(puzzles).strip("/").replace("/", ".")
        assert (examples.distances == 2).any()
        shutil.rmtree(folder)


def test_slices_of_new_puzzles_go_on_where_the_last_one_ended() -> None:
    first, second = slices_of("generated/all", SLICE + 1, None)
    assert (first.puzzles, second.puzzles) == (SLICE, 1)
    known = {puzzle.to_pwp() for puzzle in puzzles_of(first)}
    assert puzzles_of(second)[0].to_pwp() not in known
    assert {puzzle.to_pwp() for puzzle in puzzles_of(first)} == known


def test_an_interrupted_search_is_no_search_without_a_plan() -> None:
    puzzle = Puzzle.parse("A M1 G1")
    late = SolveResult.of_plan(puzzle, "default", "time-limit", None, seconds=0.1)
    assert uninterrupted(late) is late
    with pytest.raises(KeyboardInterrupt):
        uninterrupted(SolveResult.of_plan(puzzle, "default", "interrupted", None, seconds=0.1))


def test_rooms_can_be_solved() -> None:
    for room in puzzles_of(Slice("rooms", 0, 3)):
        assert solve(room).plan


def test_rooms_are_of_many_sizes_and_so_are_their_agents() -> None:
    rooms = [random_world(Random(seed)) for seed in range(20)]
    assert {max(room.width, room.height) - 2 for room in rooms} <= {*range(5, ROOM_SIDES[1] + 1)}
    assert len({(room.width, room.height) for room in rooms}) > 15
    assert {len(room.agent.shape) for room in rooms} >= {1, 2, 3, 4, 5}
