"""Whole designs: they are as requested, and the seed determines every byte."""

from __future__ import annotations

import json
import os
import signal
from multiprocessing import active_children
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pushworld.cli.arguments import parse_size
from pushworld.datasets import DataError, bundled_puzzles
from pushworld.design.candidates import Wish
from pushworld.design.folder import LOG, choose_executor, design_folder
from pushworld.design.search import DesignRequest
from pushworld.design.variants import frozen
from pushworld.design.variations import DrawingRequest
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.puzzle.transform import canonical_form
from tests.design.oracle import Oracle, without
from tests.process.executors import SameProcess
from tests.waiting import wait_until

REQUEST = DesignRequest(Wish(1), 5, 5, seed=3, evaluations=120, polish=10)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("designs") / "one"
    report = design_folder(folder, REQUEST, 2, SameProcess)
    assert report.puzzles == 2
    return folder


def test_designs_are_what_their_log_says(made: Path) -> None:
    header, *rows = [json.loads(line) for line in (made / LOG).read_text().splitlines()]
    assert header["seed"] == 3
    named = [row for row in rows if row["name"]]
    assert sorted(f"{row['name']}.pwp" for row in named) == sorted(
        path.name for path in made.glob("*.pwp")
    )
    forms = set()
    for row in named:
        puzzle = Puzzle.load(made / f"{row['name']}.pwp")
        forms.add(canonical_form(puzzle))
        known = Oracle(puzzle)
        assert known.shortest == row["length"] == len(row["plan"])
        assert puzzle.validate(row["plan"])
        assert row["optimal"]
        assert row["level"] == 1
        for tool in row["tools"]:
            assert Oracle(without(puzzle, tool)).shortest is None
        for obstacle in row["obstacles"]:
            shortest = Oracle(without(puzzle, obstacle)).shortest
            assert shortest is not None
            as_a_wall = Oracle(frozen(puzzle, {obstacle})).shortest
            assert shortest < row["length"] or as_a_wall is None
    assert len(forms) == len(named)


def test_number_of_workers_and_breaks_do_not_matter(made: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    two_workers = choose_executor("local", 2)
    design_folder(broken, REQUEST, 1, two_workers)
    with (broken / LOG).open("a") as log:
        log.write('{"number": 17, "looked')  # as a crash leaves it
    report = design_folder(broken, REQUEST, 2, two_workers)
    assert report.there_before == 1
    assert contents(broken) == contents(made)
    assert design_folder(broken, REQUEST, 2, two_workers).there_before == 2


def test_a_worker_that_is_killed_is_an_error(tmp_path: Path) -> None:
    def kill_a_worker() -> None:
        wait_until(active_children)
        os.kill(active_children()[0].pid or 0, signal.SIGKILL)

    Thread(target=kill_a_worker).start()
    large = DesignRequest(Wish(4), 30, 30)
    with pytest.raises(PushWorldError, match="was killed"):
        design_folder(tmp_path / "large", large, 1, choose_executor("local", 1))
    assert not active_children()


def test_folders_of_other_requests_are_left_alone(made: Path, tmp_path: Path) -> None:
    other = DesignRequest(Wish(2), 5, 5, seed=3, evaluations=120, polish=10)
    with pytest.raises(PushWorldError, match="another request"):
        design_folder(made, other, 4, SameProcess)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(PushWorldError, match="not empty"):
        design_folder(tmp_path, REQUEST, 4, SameProcess)


def test_hopeless_requests_end_with_advice(tmp_path: Path) -> None:
    hopeless = DesignRequest(Wish(4), 4, 4, evaluations=1)
    with pytest.raises(DataError, match=r"5 searches in a row .* --size \(such as 24x24\)"):
        design_folder(tmp_path / "none", hopeless, 1, SameProcess)


def test_designs_may_begin_with_a_puzzle_and_be_minimal() -> None:
    start = next(each.puzzle for each in bundled_puzzles() if each.name == "keyhole")
    wish = Wish(1, ("tool-use",))
    request = DrawingRequest(start.to_pwp(), wish, minimal=True, evaluations=1, polish=5)
    assert request.name == "level1-tool-use"
    designed = request.search(0)
    assert designed.puzzle is not None
    assert designed.analysis is not None
    assert "tool-use" in designed.analysis.skills
    assert designed.analysis.roles is not None
    assert not designed.analysis.roles.of("distractor")


@pytest.mark.parametrize(
    ("wish", "width", "message"),
    [
        ((5,), 8, "level"),
        ((1, ("juggling",)), 8, "no skill 'juggling'"),
        ((1,), 2, "each side"),
        ((2, ("tool-use", "assembly")), 4, "nothing that demands assembly fits into 4x4 cells"),
    ],
)
def test_requests_that_make_no_sense_are_refused(wish: Any, width: int, message: str) -> None:
    with pytest.raises(PushWorldError, match=message):
        DesignRequest(Wish(*wish), width, width)


def test_sizes_and_executors_by_name() -> None:
    assert parse_size("20x12") == (20, 12)
    with pytest.raises(PushWorldError, match="no size"):
        parse_size("20")
    with pytest.raises(PushWorldError, match="no engine"):
        choose_executor("cloud", 1)
