"""What `pushworld export` leaves, and what third parties say to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld import Puzzle, solve
from pushworld.datasets import load_set, resolve_puzzle
from pushworld.export import export_pddl, export_sas
from pushworld.export.names import DIRECTIONS
from pushworld.export.task import build_task
from tests.cli.running import run
from tests.export.cheapest import SearchTask, cheapest_plan
from tests.export.pddl_reader import read_pddl
from tests.export.sas_reader import State, read_sas
from tests.shared import needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on

SMALL_ENOUGH = 500_000
"""Bytes of a SAS+ file that the reader of the tests reads in no time."""


def test_pddl_of_a_set_is_accepted_by_a_third_party(tmp_path: Path) -> None:
    for options in ((), ("--low-arity",)):
        outcome = run("export", "pddl", "first-push", "crossroads", "-o", str(tmp_path), *options)
        assert (outcome.exit_code, outcome.out) == (0, f"wrote 4 files to {tmp_path}\n")
        for name in ("first-push", "crossroads"):
            folder = tmp_path / name
            read_pddl((folder / "domain.pddl").read_text(), (folder / "problem.pddl").read_text())


def test_a_domain_folder_is_found_by_the_tools_of_the_competitions(tmp_path: Path) -> None:
    run("export", "pddl", "first-push", "crossroads", "--ipc", "-o", str(tmp_path))
    tasks = {path.name for path in tmp_path.iterdir() if not path.name.startswith("domain-")}
    assert tasks == {"first-push.pddl", "crossroads.pddl"}
    for task in tasks:
        read_pddl((tmp_path / f"domain-{task}").read_text(), (tmp_path / task).read_text())


def test_unified_planning_accepts_the_files() -> None:
    reader = pytest.importorskip("unified_planning.io").PDDLReader
    for low_arity in (False, True):
        task = export_pddl(resolve_puzzle("first-push"), low_arity=low_arity)
        problem = reader().parse_problem_string(task.domain, task.problem)
        assert {action.name for action in problem.actions} == {"move", "push"}


def test_low_arity_means_three_at_most() -> None:
    for low_arity, most in ((False, 5), (True, 3)):
        domain = export_pddl(resolve_puzzle("duet"), low_arity=low_arity).domain
        predicates = domain.split("(:predicates")[1].split("(:functions")[0]
        assert max(line.count("?") for line in predicates.splitlines()) == most


def test_every_variable_has_two_values() -> None:
    stuck = Puzzle.parse("W M1+G1 W . . .\nW W W . . .\nA W M2 . . G2")
    text = export_sas(stuck)
    sizes = [int(size) for size in re.findall(r"^begin_variable\n.*\n-1\n(.*)$", text, re.M)]
    assert len(sizes) > 1
    assert min(sizes) == 2
    assert cheapest_plan(read_sas(text)) is None


def test_files_are_the_same_every_time_and_plans_come_back(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        assert run("export", "sas", "bundled", "-o", str(folder)).exit_code == 0
    assert len(list(first.iterdir())) == len(load_set("bundled"))
    for file in first.iterdir():
        assert file.read_bytes() == (second / file.name).read_bytes()
    found = cheapest_plan(read_sas((first / "first-push.sas").read_text()))
    assert found is not None
    plan = tmp_path / "plan"
    plan.write_text("\n".join(f"({step})" for step in found[1]))
    outcome = run("export", "plan", "first-push", str(plan))
    assert outcome.exit_code == 0
    assert resolve_puzzle("first-push").validate(outcome.out.strip())
    assert outcome.out == run("export", "plan", "first-push", "-", stdin=plan.read_text()).out


def test_puzzles_of_one_name_get_files_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "My puzzle!.pwp").write_text("A M1 G1\n")
    inputs = [str(tmp_path / folder / "My puzzle!.pwp") for folder in ("a", "b")]
    assert run("export", "sas", *inputs, "-o", str(tmp_path / "out")).exit_code == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "My-puzzle-2.sas",
        "My-puzzle.sas",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("export", "sas", "no-such-set", "-o", "out"), "no-such-set"),
        (("export", "plan", "first-push", "no-such-file"), "no-such-file cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    outcome = run(*arguments)
    assert outcome.exit_code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_sandbox_cannot_be_exported(tmp_path: Path) -> None:
    (tmp_path / "sandbox.pwp").write_text("A . M1\n")
    outcome = run("export", "pddl", str(tmp_path / "sandbox.pwp"), "-o", str(tmp_path / "out"))
    assert outcome.exit_code == 2
    assert "has no goals" in outcome.err


def test_only_what_can_matter_is_written() -> None:
    """M3 is behind walls, where nothing moves it, and M1 never leaves its row."""
    puzzle = Puzzle.parse("A . M1 . G1\nW W W W W\n. M3 . . .")
    task = build_task(puzzle)
    row = tuple((x, 1) for x in range(1, 6))
    assert [(body.thing.name, body.positions) for body in task.bodies] == [("A", row), ("M1", row)]
    assert {move.action.letter for body in task.bodies for move in body.moves} == {"L", "R"}


interlocking = st.one_of(GRIDS["woven"], GRIDS["nested"]).flatmap(puzzles_on)


@settings(max_examples=10)
@given(puzzle=interlocking.filter(lambda puzzle: bool(puzzle.goal)))
def test_any_puzzle_can_be_written(puzzle: Puzzle) -> None:
    read_sas(export_sas(puzzle))


@needs_shared
def test_plans_of_published_puzzles_hold_in_the_exported_task() -> None:
    for file in published_puzzles()[:54:9]:
        puzzle = Puzzle.load(file)
        text = export_sas(puzzle)
        if len(text) > SMALL_ENOUGH:
            continue
        task = read_sas(text)
        result = solve(puzzle, time_limit=600)
        assert result.plan is not None
        state = task.initial
        for letter in result.plan:
            state = _after(task, state, letter)
        assert task.is_goal(state)


def _after(task: SearchTask[State], state: State, letter: str) -> State:
    """Returns the state after an action that has an effect, and its pushes."""
    direction = DIRECTIONS["LRUD".index(letter)]
    moves = [after for name, _, after in task.successors(state) if name.endswith(direction)]
    assert len(moves) == 1
    state = moves[0]
    while pushes := [after for _, cost, after in task.successors(state) if cost == 0]:
        state = pushes[0]
    return state
