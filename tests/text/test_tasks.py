"""Tasks have puzzles and plans that hold what they say, the same in every run."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from pushworld.datasets import (
    bundled_puzzles,
    classic_puzzles,
    default_store,
    import_path,
    load_set,
)
from pushworld.design.analysis import analyze
from pushworld.design.budget import DESIGNING
from pushworld.design.variants import from_state
from pushworld.planners import solve
from pushworld.puzzle import Action, PushWorldError, Puzzle, Symmetry, transform
from pushworld.puzzle.transform import canonical_hash
from pushworld.text import CANARY, Task, asked, one_shot_prompt, score_plan, tasks
from pushworld.text.evaluation_set import NAME, evaluation_set, file_of
from pushworld.text.sliders import GROWTH, draw_sliders
from pushworld.text.steps import ROOM_STEPS, SLIDER_STEPS, STEPS, known_rooms
from pushworld.text.tasks import FRONTIER_STEP, original
from tests.shared import SHARED, needs_shared
from tests.state_space import shortest_length
from tests.text.freeze import LACKING, PAPER, entries, quick_rooms


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
    assert len(found) >= 400
    assert len({digest_of(task) for task in found}) == len(found)
    assert {task.difficulty for task in found} == {*STEPS, FRONTIER_STEP}
    frontier = [task for task in found if task.difficulty == FRONTIER_STEP]
    assert [task.puzzle for task in frontier] == load_set("frontier")
    assert all(task.puzzle.validate(task.plan or "") for task in frontier)
    found = found[: -len(frontier)]
    assert sum("tool-use" in task.skills for task in found) >= 0.4 * len(found)
    assert all(canonical_hash(task.puzzle) == digest_of(task) for task in found[::40])
    for task in found:
        assert_sound(task)
        assert task.shortest
    judged = [task.dead_after is None for task in found if task.walk]
    assert len(judged) > 200
    assert 0.45 < sum(judged) / len(judged) < 0.55
    assert all(task.pushes for task in found)
    for step in STEPS:
        skills = {skill for task in found if task.difficulty == step for skill in task.skills}
        assert skills >= set(PAPER) - LACKING.get(step, set())


@pytest.mark.parametrize("step", [1, 2])
def test_plans_of_the_evaluation_set_are_shortest(step: int) -> None:
    known = [task for task in tasks("evaluation") if task.difficulty == step]
    for task in known[::6]:
        assert shortest_length(task.puzzle) == task.best_known


@pytest.mark.parametrize(("step", "count"), [(2, 1), (12, 2)])
def test_the_evaluation_set_is_generated_again_as_it_was(step: int, count: int) -> None:
    published = [row for row in evaluation_set() if row["step"] == step]
    assert list(islice(entries(step), count)) == published[:count]


@pytest.mark.parametrize("kind", GROWTH)
def test_plans_of_sliders_are_shortest_and_grow_as_they_say(kind: str) -> None:
    for count in range(2, 6):
        for seed in range(3):
            puzzle, plan, _ = draw_sliders(kind, count, Random(f"{count} {seed}"))
            result = solve(puzzle, "bfs", max_states=100_000)
            assert result.plan is not None
            assert puzzle.validate(plan)
            assert len(result.plan) == len(plan)
    few, many = (
        mean(len(draw_sliders(kind, count, Random(seed))[1]) for seed in range(8))
        for count in (4, 8)
    )
    least, most = {"row": (1.5, 2.5), "chain": (2.5, 5), "counter": (10, 40)}[kind]
    assert least < many / few < most


@pytest.mark.parametrize("kind", GROWTH)
def test_what_sliders_demand_by_construction_is_what_searches_find(kind: str) -> None:
    """Skills by experiments, verdicts by a planner from every position, pushes by all shortest plans."""
    seen, verdicts = set[str](), set[bool]()
    for seed in range(8):
        puzzle, plan, facts = draw_sliders(kind, 3, Random(seed))
        known = Task("drawn", puzzle, best_known=len(plan), shortest=True)
        found = analyze(puzzle, DESIGNING, planners=("default",), known_plan=plan)
        assert set(found.skills) == set(facts["skills"])
        pushed = asked(known, "push")
        assert pushed is not None
        assert pushed.pushes == facts["pushes"]
        if facts["walk"]:
            states = list(puzzle.replay(facts["walk"]))
            last = len(states) if facts["dead_after"] is None else facts["dead_after"]
            near = [state for state in (last - 1, last) if state < len(states)]
            ends = [solve(from_state(puzzle, states[each]), "bfs").status for each in near]
            assert ends == ["solved", "unsolvable"][: len(near)]
            verdicts.add(facts["dead_after"] is None)
        seen |= set(facts["skills"])
    assert seen >= {"tool-use", "assembly"}
    assert verdicts == ({True, False} if kind != "row" else set())


def test_twins_are_the_same_puzzles_and_look_otherwise() -> None:
    originals = {task.name: task for task in tasks("evaluation")}
    found = list(tasks("twins"))
    assert len(found) == 2 * len(evaluation_set()[::4])
    for task, twin in zip(found[::18], found[1::18], strict=True):
        assert task.difficulty is not None
        if task.difficulty in ROOM_STEPS:  # others are too large for a search
            searched = asked(replace(twin, pushes=(), proved=False), "push")
            assert searched is not None
            assert searched.pushes == tuple(sorted(twin.pushes))
        assert len(task.pushes) == len(twin.pushes) > 0
        assert task == originals[original(twin.name)]
        assert canonical_hash(twin.puzzle) == canonical_hash(task.puzzle)
        assert one_shot_prompt(twin.puzzle) != one_shot_prompt(task.puzzle)
        assert_sound(twin)


def test_the_hard_split_comes_from_a_secret() -> None:
    found = list(tasks("hard", limit=7, seed="a secret"))
    assert [task.difficulty for task in found] == list(SLIDER_STEPS)
    assert not {task.name for task in found} & {
        task.name for task in tasks("hard", limit=7, seed="b")
    }
    for task in found:
        assert_sound(task)


@pytest.mark.parametrize(("step", "count"), [(1, 5), (4, 1)])
def test_the_rooms_are_generated_again_as_they_were(step: int, count: int) -> None:
    rooms = [line.partition(" ")[2] for line in islice(quick_rooms(step), count)]
    assert rooms == known_rooms()[step][:count]


@pytest.mark.parametrize("source", ["generated:3", "stream:3", "stream:4", "stream:6"])
def test_from_step_3_on_objects_must_push_objects(source: str) -> None:
    """A search by the definition, in which no object pushes another, reaches no goal."""
    (task,) = tasks(source, limit=1, seed="chains")
    assert shortest_length(task.puzzle) == task.best_known
    seen = {task.puzzle.initial_state}
    frontier = list(seen)
    for state in frontier:
        for action in Action:
            after = task.puzzle.step(state, action)
            moved = sum(one != other for one, other in zip(state[1:], after[1:], strict=True))
            if moved <= 1 and after not in seen:
                seen.add(after)
                frontier.append(after)
    assert not any(map(task.puzzle.is_solved, seen))


def test_the_file_of_the_evaluation_set_has_the_canary_string() -> None:
    import pushworld.text

    text = (Path(pushworld.text.__file__).parent / f"{NAME}.jsonl").read_text("utf-8")
    assert text == file_of(evaluation_set())
    assert CANARY in text.splitlines()[0]


@pytest.mark.parametrize("source", ["generated:2", "stream:2"])
def test_generated_tasks_depend_on_the_seed_alone(source: str) -> None:
    def drawn(seed: int | str) -> list[Task]:
        return list(tasks(source, limit=4, seed=seed))

    secret = drawn("a secret")
    assert secret == drawn("a secret")
    assert len({canonical_hash(task.puzzle) for task in [*secret, *drawn(7)]}) == 8
    for task in secret:
        assert_sound(task)
        assert "secret" not in task.name
        assert (task.set, task.difficulty, task.shortest) == (source, 2, True)
        assert shortest_length(task.puzzle) == task.best_known


def test_generated_tasks_leave_out_the_evaluation_set(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tasks("generated:1", limit=2, seed="x")
    frozen = {digest_of(first)}
    monkeypatch.setattr(sys.modules[Task.__module__], "frozen_digests", lambda: frozen)
    assert next(tasks("generated:1", seed="x")) == second


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
        ("generated:0", "write generated:1 to generated:15"),
        ("generated:", "write generated:1 to generated:15"),
        ("generated:x", "write generated:1 to generated:15"),
        ("stream:9", "write stream:1 to stream:8"),
        ("generated:" + "9" * 5000, "write generated:1 to generated:15"),
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
