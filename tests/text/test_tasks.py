"""Tasks have puzzles and plans that hold what they say, the same in every run."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from pushworld.datasets import bundled_puzzles, classic_puzzles, default_store, import_path
from pushworld.design.canonical import canonical_hash
from pushworld.puzzle import PushWorldError, Puzzle, Symmetry, transform
from pushworld.text import CANARY, Task, score_plan, tasks
from pushworld.text.evaluation_set import NAME, evaluation_set, file_of
from pushworld.text.freeze import first_entries
from pushworld.text.steps import STEPS
from tests.shared import SHARED, needs_shared
from tests.state_space import shortest_length


def assert_sound(task: Task) -> None:
    """The plan solves the puzzle and is as long as the task says."""
    assert task.plan is not None
    score = score_plan(task, task.plan)
    assert score.solved
    assert score.moves == task.best_known


def digest_of(task: Task) -> str:
    """Returns the digest of the canonical form that a generated puzzle is named after."""
    return task.name.rpartition("-")[2]


@pytest.mark.parametrize(
    ("source", "count"), [("bundled", len(bundled_puzzles())), ("classic", len(classic_puzzles()))]
)
def test_the_sets_of_the_package(source: str, count: int) -> None:
    found = list(tasks(source))
    assert len(found) == count
    for task in found:
        assert_sound(task)
        assert task.set == source
        assert task.skills
        assert task.difficulty in ((None,) if source == "bundled" else (1, 2, 3, 4))


def test_the_evaluation_set() -> None:
    found = list(tasks("evaluation"))
    assert found == list(tasks("evaluation-v1"))
    assert [task.difficulty for task in found] == [step for step in STEPS for _ in range(40)]
    assert len({digest_of(task) for task in found}) == len(found)
    assert all(canonical_hash(task.puzzle) == digest_of(task) for task in found[::20])
    for task in found:
        assert_sound(task)
        step = STEPS[task.difficulty or 0]
        assert task.shortest
        assert step.length[0] <= len(task.plan or "") <= step.length[1]
        assert step.goals[0] <= len(task.puzzle.goal) <= step.goals[1]


def test_plans_of_the_evaluation_set_are_shortest() -> None:
    for task in islice(tasks("evaluation"), 0, 80, 8):
        assert shortest_length(task.puzzle) == task.best_known


@pytest.mark.parametrize(("step", "count"), [(1, 3), (2, 3), (4, 1), (6, 1)])
def test_the_evaluation_set_is_generated_again_as_it_was(step: int, count: int) -> None:
    published = [entry for entry in evaluation_set() if entry.step == step]
    assert list(first_entries(step, count)) == published[:count]


def test_the_file_of_the_evaluation_set_has_the_canary_string() -> None:
    import pushworld.text

    text = (Path(pushworld.text.__file__).parent / f"{NAME}.jsonl").read_text("utf-8")
    assert text == file_of(evaluation_set())
    assert CANARY in text.splitlines()[0]


def test_generated_tasks_depend_on_the_seed_alone() -> None:
    def drawn(seed: int | str) -> list[Task]:
        return list(tasks("generated:2", limit=4, seed=seed))

    secret = drawn("a secret")
    assert secret == drawn("a secret")
    assert len({canonical_hash(task.puzzle) for task in [*secret, *drawn(7)]}) == 8
    for task in secret:
        assert_sound(task)
        assert "secret" not in task.name
        assert (task.set, task.difficulty, task.shortest) == ("generated:2", 2, True)
        assert shortest_length(task.puzzle) == task.best_known


def test_generated_tasks_leave_out_the_evaluation_set() -> None:
    """The seed of the evaluation set draws its puzzles first, and all of them are left out."""
    frozen = {digest_of(task) for task in tasks("evaluation")}
    task = next(tasks("generated:1", seed=NAME))
    assert canonical_hash(task.puzzle) not in frozen


def test_a_sample_of_a_set_keeps_its_order() -> None:
    def names(limit: int | None = None, seed: int = 0) -> list[str]:
        return [task.name for task in tasks("classic", limit=limit, seed=seed)]

    sample = names(20, seed=3)
    assert sample == [name for name in names() if name in sample]
    assert len(sample) == 20
    assert sample == names(20, seed=3)
    assert sample != names(20, seed=4)
    assert names(1000) == names()


def test_a_folder_of_puzzles(tmp_path: Path) -> None:
    Puzzle.parse("A M1 . G1 .").save(tmp_path / "one.pwp")
    transform(Puzzle.parse("A M1 . . G1"), Symmetry.ROTATE_90).save(tmp_path / "two.pwp")
    Puzzle.parse("A M1 .").save(tmp_path / "sandbox.pwp")
    Puzzle.parse("A . M1\n. . G1").save(tmp_path / "unsolvable.pwp")
    one, two, unsolvable = tasks(str(tmp_path))
    assert (one.name, one.plan, one.best_known, one.shortest) == ("one", "RR", 2, True)
    assert (two.name, two.plan, two.shortest) == ("two", "DDD", True)
    assert (unsolvable.plan, unsolvable.best_known, unsolvable.shortest) == (None, None, False)
    assert [task.name for task in tasks(str(tmp_path / "one.pwp"))] == ["one"]


@needs_shared
@pytest.mark.parametrize(("source", "level"), [("level1", 1), ("base/test", 0)])
def test_published_sets_that_are_installed(
    source: str, level: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SHARED is not None
    monkeypatch.setenv("PUSHWORLD_DATA", str(tmp_path))
    import_path(SHARED / "puzzles" / ("level1" if level else "level0.zip"), default_store())
    one, two = tasks(source, limit=2)
    for task in (one, two):
        assert_sound(task)
        assert task.difficulty == level
        assert task.set == ("level1" if level else "level0/base/test")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("evaluation-v9", "there is no set or puzzle 'evaluation-v9'"),
        ("generated:0", "write generated:1 to generated:8"),
        ("generated:", "write generated:1 to generated:8"),
        ("generated:x", "write generated:1 to generated:8"),
        ("generated:" + "9" * 5000, "write generated:1 to generated:8"),
    ],
)
def test_an_unknown_source_is_an_error_at_once(source: str, message: str) -> None:
    with pytest.raises(PushWorldError, match=message):
        tasks(source)


def test_a_source_without_goals_is_an_error(tmp_path: Path) -> None:
    Puzzle.parse("A M1 .").save(tmp_path / "sandbox.pwp")
    with pytest.raises(PushWorldError, match="has no puzzle with goals"):
        tasks(str(tmp_path))


def test_a_limit_of_nothing_is_an_error() -> None:
    with pytest.raises(PushWorldError, match="at least 1 task"):
        tasks("bundled", limit=0)
