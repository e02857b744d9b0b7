"""Shards: their puzzles, their order, and that none is made twice."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
from multiprocessing import active_children
from pathlib import Path
from random import Random

import numpy as np
import pytest

from pushworld.learned.training.__main__ import main
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.labels import LabelSettings, label_puzzle, raise_if_interrupted
from pushworld.learned.training.rooms import KINDS, varied_room
from pushworld.learned.training.shards import (
    SHARD_SIZE,
    Shard,
    make_shards,
    missing_jobs,
    puzzles_of,
    shards_of,
    source_of,
)
from pushworld.learned.training.solved_sets import load_solved_set
from pushworld.planners import SolveResult
from pushworld.puzzle import PushWorldError, Puzzle

FEW = LabelSettings(count=2)


def test_sets_take_turns_and_no_shard_is_made_twice(tmp_path: Path) -> None:
    sets = [shards_of(f"generated/{name}", SHARD_SIZE + 2, None) for name in ("base", "walls")]
    assert [list(make_shards(sets, tmp_path, FEW, 1, seconds=-1))] == [[]]
    first = make_shards(sets, tmp_path, FEW, 1, seconds=math.inf)
    made = [next(first) for _ in range(3)]
    first.close()
    assert [(shard.name, shard.first) for shard, _ in made] == [
        ("generated/base", 0),
        ("generated/walls", 0),
        ("generated/base", SHARD_SIZE),
    ]
    rest = list(make_shards(sets, tmp_path, FEW, 1, seconds=math.inf))
    assert [(shard.name, shard.first, shard.puzzles) for shard, _ in rest] == [
        ("generated/walls", SHARD_SIZE, 2)
    ]
    files = sorted(tmp_path.glob("*.npz"))
    assert {source_of(file) for file in files} == {"generated.base", "generated.walls"}
    total = sum(count for _, count in made + rest)
    assert (
        sum(len(Examples.load(file)) for file in files) == total == 2 * (SHARD_SIZE + 2) * FEW.count
    )


def test_a_killed_process_ends_the_work_and_finished_shards_stay(tmp_path: Path) -> None:
    sets = [
        shards_of("generated/base", SHARD_SIZE, None),
        shards_of("rooms", 200 * SHARD_SIZE, None),
    ]
    work = make_shards(sets, tmp_path, FEW, 2, seconds=math.inf)
    first, _ = next(work)
    os.kill(active_children()[0].pid or 0, signal.SIGKILL)
    with pytest.raises(PushWorldError, match="a process of make was killed"):
        list(work)
    assert not active_children()
    assert first not in [each.shard for each in missing_jobs(sets, tmp_path, FEW)]


def test_a_shard_with_more_puzzles_than_before_is_made_again(tmp_path: Path) -> None:
    few, more = ([shards_of("generated/base", count, None)] for count in (2, 4))
    list(make_shards(few, tmp_path, FEW, 1, seconds=math.inf))
    assert missing_jobs(few, tmp_path, FEW) == []
    assert [job.shard for job in missing_jobs(more, tmp_path, FEW)] == more[0]
    list(make_shards(more, tmp_path, FEW, 1, seconds=math.inf))
    (file,) = tmp_path.glob("*.npz")
    assert len(Examples.load(file)) == 4 * FEW.count


@pytest.fixture
def two_sets(tmp_path: Path) -> tuple[str, str]:
    """Folders of puzzles to learn from and of puzzles to test with; one puzzle is in both, mirrored."""
    for folder, text in (("train", "A M1 . G1"), ("train", "A . M1 G1"), ("test", "G1 . M1 A")):
        (tmp_path / folder).mkdir(exist_ok=True)
        count = len(list((tmp_path / folder).iterdir()))
        (tmp_path / folder / f"{count}.pwp").write_text(text)
    return str(tmp_path / "train"), str(tmp_path / "test")


@pytest.mark.parametrize(
    ("options", "differing"),
    [(["--without", "TEST"], "held_out"), (["--count", "3", "--starts", "4"], "count and starts")],
)
def test_a_shard_of_another_request_is_not_taken_for_this_one(
    options: list[str],
    differing: str,
    two_sets: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    train, test = two_sets
    make = ["make", train, "-o", str(tmp_path / "examples")]
    assert main(make) == 0
    other = [*make, *(test if each == "TEST" else each for each in options)]
    assert main(other) == 2
    message = f"was made for another request, with another {differing}: name another folder\n"
    assert capsys.readouterr().err.endswith(message)
    assert main(make) == 0
    assert "0 examples of 0 puzzles" in capsys.readouterr().out


def test_a_shard_of_other_puzzles_is_not_taken_for_this_one(tmp_path: Path) -> None:
    folders = tmp_path / "a" / "b", tmp_path / "a.b"  # their shards have the same name
    for folder, text in zip(folders, ("A M1 . G1", "A . M1 G1"), strict=True):
        folder.mkdir(parents=True)
        (folder / "puzzle.pwp").write_text(text)
    one, other = ([shards_of(str(folder), None, None)] for folder in folders)
    assert len(list(make_shards(one, tmp_path, FEW, 1, seconds=math.inf))) == 1
    assert missing_jobs(one, tmp_path, FEW) == []
    with pytest.raises(PushWorldError, match="with another content: name another folder"):
        missing_jobs(other, tmp_path, FEW)


def test_files_of_a_shard_that_is_made_again_go(tmp_path: Path) -> None:
    puzzles, folder = tmp_path / "puzzles", tmp_path / "examples"
    puzzles.mkdir()
    (puzzles / "good.pwp").write_text("A M1 . G1\n")
    sets = [shards_of(str(puzzles), None, None)]
    list(make_shards(sets, folder, FEW, 1, seconds=math.inf))
    (file,) = folder.glob("*.5.npz")
    file.rename(file.with_name(file.name.replace(".5.", ".8.")))
    (marker,) = folder.glob("*.done")
    marker.write_text('{"puz')
    list(make_shards(sets, folder, FEW, 1, seconds=math.inf))
    assert list(folder.glob("*.npz")) == [file]
    assert missing_jobs(sets, folder, FEW) == []


def test_a_folder_of_odd_puzzles(tmp_path: Path) -> None:
    """Without goals, solved at the start, hopeless, and one to learn from."""
    puzzles, folder = tmp_path / "puzzles", tmp_path / "examples"
    puzzles.mkdir()
    odd = {"sandbox": "A M1 .", "solved": "A M1+G1 .", "hopeless": "A . G1 M1", "good": "A M1 . G1"}
    for name, text in odd.items():
        (puzzles / f"{name}.pwp").write_text(f"{text}\n")
    for settings in (FEW, LabelSettings(count=2, max_states=1)):
        sets = [shards_of(str(puzzles), None, None)]
        ((_, count),) = make_shards(sets, folder, settings, 1, seconds=math.inf)
        (file,) = folder.glob("*.npz")
        examples = Examples.load(file)
        assert len(examples) == count > 0
        assert source_of(file) == str(puzzles).strip("/").replace("/", ".")
        assert (examples.distances == 2).any()
        shutil.rmtree(folder)


def test_shards_of_new_puzzles_have_no_puzzle_in_common() -> None:
    first, second = shards_of("generated/all", SHARD_SIZE + 1, None)
    assert (first.puzzles, second.puzzles) == (SHARD_SIZE, 1)
    known = {each.puzzle.to_pwp() for each in puzzles_of(first)}
    assert puzzles_of(second)[0].puzzle.to_pwp() not in known
    assert {each.puzzle.to_pwp() for each in puzzles_of(first)} == known


def test_an_interrupted_search_is_no_search_without_a_plan() -> None:
    puzzle = Puzzle.parse("A M1 G1")
    late = SolveResult.of_plan(puzzle, "default", "time-limit", None, seconds=0.1)
    assert raise_if_interrupted(late) is late
    with pytest.raises(KeyboardInterrupt):
        raise_if_interrupted(
            SolveResult.of_plan(puzzle, "default", "interrupted", None, seconds=0.1)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_rooms_come_with_plans(kind: str) -> None:
    for room, plan in puzzles_of(Shard(kind, 0, 2)):
        assert plan is not None
        assert room.validate(plan)


def test_rooms_are_of_many_sizes_and_so_are_their_agents() -> None:
    kind = KINDS["rooms"]
    rooms = [varied_room(kind, Random(seed)) for seed in range(20)]
    assert {max(room.width, room.height) - 2 for room in rooms} <= {*range(5, kind.sides[1] + 1)}
    assert len({(room.width, room.height) for room in rooms}) > 15
    assert {len(room.agent.shape) for room in rooms} >= {1, 2, 3, 4, 5}


def test_a_folder_with_plans_is_learned_from_without_a_search(tmp_path: Path) -> None:
    puzzle, plan = Puzzle.parse("A M1 . . G1"), "RRR"
    (tmp_path / "line.pwp").write_text(puzzle.to_pwp())
    (tmp_path / "other.pwp").write_text(puzzle.to_pwp())
    rows = [{"name": "line", "plan": plan}, {"name": "other", "plan": "L"}, {"format": 1}]
    journal = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "designs.jsonl").write_text(journal + '{"name": "cut')
    solved = {each.puzzle.name: each for each in load_solved_set(str(tmp_path))}
    assert solved["line"].plan == plan
    assert solved["other"].plan is None
    only_plans = LabelSettings(max_states=1, starts=1, time_limit=1e-9)
    random = np.random.default_rng(0)
    examples = label_puzzle(*solved["line"][:1], only_plans, random, solved["line"].plan)
    assert examples is not None
    assert sorted(each[each >= 0].min() for each in examples.distances) == [1, 2, 3]


def test_puzzles_that_are_held_out_are_left_out_in_every_symmetry(
    two_sets: tuple[str, str],
) -> None:
    train, test = two_sets
    (shard,) = shards_of(train, None, None, (test,))
    assert [each.puzzle.name for each in puzzles_of(shard)] == ["1"]


def test_the_planners_own_plans_are_learned_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzles, own = tmp_path / "puzzles", tmp_path / "own"
    puzzles.mkdir()
    texts = {
        "hopeless": "A . G1 M1",
        "good": "A M1 . G1",
        "again": "G1 . M1 A",
        "sandbox": "A M1 .",
    }
    for name, text in texts.items():
        (puzzles / f"{name}.pwp").write_text(text)
    arguments = ["solve", str(puzzles), "--workers", "2", "-o", str(own)]
    assert main(arguments) == 0
    assert "1 of 2 more puzzles solved" in capsys.readouterr().out
    ((puzzle, plan),) = load_solved_set(str(own))
    assert plan is not None
    assert puzzle.validate(plan)
    assert main(arguments) == 0
    assert "0 of 0 more puzzles solved" in capsys.readouterr().out
    assert main([*arguments, "--without", str(puzzles)]) == 2
    assert "another request, with another held_out" in capsys.readouterr().err
