"""The curriculum: solvable, graded, reproducible, and split by canonical form."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pushworld.datasets import load_set
from pushworld.design.canonical import canonical_hash
from pushworld.design.curriculum import EARLY, HELD_OUT, MANIFEST, STEPS, draw, make_curriculum
from pushworld.design.difficulty import stored_model
from pushworld.process import worker_processes
from pushworld.puzzle import PushWorldError, Puzzle, Symmetry, transform
from tests.process.executors import SameProcess

Result = TypeVar("Result")


class Recording(SameProcess):
    """Remembers its jobs."""

    def __init__(self) -> None:
        self.jobs: list[Any] = []

    def submit(self, function: Callable[..., Result], job: Any, /) -> Future[Result]:
        self.jobs.append(job)
        return super().submit(function, job)


workers = partial(worker_processes, 1, "the curriculum")
COUNT = 6


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("curriculum") / "made"
    report = make_curriculum(folder, COUNT, 3, workers)
    assert (report.puzzles, report.there_before) == (COUNT, 0)
    assert report.train + report.test == sum(report.levels.values()) == COUNT
    return folder


def test_manifest_describes_every_puzzle(made: Path) -> None:
    request, *rows = map(json.loads, (made / MANIFEST).read_text("utf-8").splitlines())
    assert request["seed"] == 3
    assert len(rows) == len(list(made.rglob("*.pwp"))) == COUNT
    for row in rows:
        puzzle = Puzzle.load(made / f"{row['name']}.pwp")
        assert puzzle.validate(row["plan"])
        assert len(row["plan"]) == row["length"]
        assert canonical_hash(puzzle) == row["form"]
        assert stored_model().level(row["score"]) == row["level"]
        assert row["level"] == STEPS[row["draw"] % len(STEPS)].level


def test_sides_are_sets_and_symmetric_puzzles_are_on_the_same_side(made: Path) -> None:
    for side in ("train", "test"):
        if any((made / side).iterdir()):
            for puzzle in load_set(str(made / side)):
                for symmetry in Symmetry:
                    form = int(canonical_hash(transform(puzzle, symmetry)), 16)
                    assert (form % HELD_OUT == 0) == (side == "test")


def test_run_in_parts_writes_the_same_bytes(made: Path, tmp_path: Path) -> None:
    make_curriculum(tmp_path, 2, 3, workers)
    log = tmp_path / MANIFEST
    log.write_bytes(log.read_bytes() + b'{"name": "tra')  # ended while it wrote a line
    report = make_curriculum(tmp_path, COUNT, 3, workers)
    assert report.there_before == 2
    assert content(tmp_path) == content(made)


def test_draws_that_came_early_are_not_made_again(made: Path, tmp_path: Path) -> None:
    make_curriculum(tmp_path, 1, 3, workers)
    # The run ended while it wrote a line.
    ended = "".join(json.dumps(draw(3, number)) + "\n" for number in (0, 3, 2, 5))
    (tmp_path / EARLY).write_text(ended + '{"draw": 4, "form', "utf-8")
    executor = Recording()
    progress: list[tuple[int, int]] = []
    make_curriculum(tmp_path, COUNT, 3, lambda: executor, lambda *each: progress.append(each))
    assert executor.jobs == [1, 4]
    assert progress == [(5, 5), (6, 6)]
    assert content(tmp_path) == content(made)


@pytest.mark.parametrize("line", ["{}", "[]", '{"draw": 2}', "draw 2"])
def test_damaged_early_draws_say_what_to_remove(line: str, made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    (tmp_path / EARLY).write_text(line + "\n", "utf-8")
    with pytest.raises(PushWorldError, match=f"{EARLY}, line 1 is damaged: remove this file"):
        make_curriculum(tmp_path, COUNT + 1, 3, workers)
    make_curriculum(tmp_path, COUNT, 3, workers)
    assert content(tmp_path) == content(made)


def test_folder_of_another_seed_is_refused(made: Path) -> None:
    with pytest.raises(PushWorldError, match="another seed"):
        make_curriculum(made, COUNT, 4, workers)


def test_draws_depend_on_seed_and_number_alone() -> None:
    assert draw(5, 1) == draw(5, 1)
    assert draw(5, 1) != draw(6, 1)
