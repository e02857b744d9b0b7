"""Puzzles against planners: they have plans, cost the opponents what is said, and follow from the seed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pushworld.design.against import CHANGES, MOST_ACTIONS, AgainstRequest, Change, Rival
from pushworld.design.folder import LOG, design_folder
from pushworld.planners import solve
from pushworld.puzzle import PushWorldError, Puzzle, PuzzleError
from tests.cli.running import run
from tests.planners.scripts import shell_planner
from tests.process.executors import SameProcess

REQUEST = AgainstRequest(("rgd",), ("bfs",), 7, 7, states=500, evaluations=8)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("against") / "one"
    report = design_folder(folder, REQUEST, 2, SameProcess)
    assert set(report.solved_by) == {"rgd", "bfs"}
    return folder


def test_finds_carry_a_plan_and_cost_what_their_journal_says(made: Path) -> None:
    _, *rows = [json.loads(line) for line in (made / LOG).read_text().splitlines()]
    for row in rows:
        puzzle = Puzzle.load(made / f"{row['name']}.pwp")
        assert puzzle.validate(row["plan"])
        assert row["length"] <= MOST_ACTIONS
        assert row["looked_at"] <= 8
        for planner, told in row["planners"].items():
            result = solve(puzzle, planner, max_states=500)
            assert (result.status, result.states) == (told["status"], told["cost"])
        assert row["unsolved"] == (row["planners"]["rgd"]["status"] != "solved")


@pytest.mark.large
def test_the_seed_gives_every_byte_and_a_broken_run_continues(made: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    design_folder(again, REQUEST, 1, SameProcess)
    assert design_folder(again, REQUEST, 2, SameProcess).there_before == 1
    for path in made.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_leaves_a_puzzle_that_the_plan_solves(change: Change) -> None:
    puzzle = Puzzle.parse("A . . . .\n. M1 . . .\n. . . M2 .\n. . . G1 .\n. . . . .")
    plan = solve(puzzle, "bfs").plan or ""
    random = Random(1)
    changed = 0
    for _ in range(40):
        try:
            found = change(puzzle, plan, random)
        except PuzzleError:
            continue
        if found is not None:
            changed += 1
            assert found[0].validate(found[1])
    assert changed


def test_what_costs_more_for_its_size_is_better(made: Path) -> None:
    puzzle = Puzzle.load(made / "against-001.pwp")
    plan = solve(puzzle, "bfs").plan
    assert plan is not None
    rival = Rival(puzzle, plan, 1000, unsolved=False)
    assert replace(rival, cost=2000).quality > rival.quality
    assert replace(rival, unsolved=True).quality > rival.quality
    assert replace(rival, plan=plan + "UD" * 10).quality < rival.quality


def test_any_planner_can_be_the_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "opponent.py").write_text(
        "from pushworld.planners import get_planner\nplanner = get_planner('rgd')\n"
    )
    monkeypatch.chdir(tmp_path)
    external = shell_planner(tmp_path, "exit 9", "complete = true\nunsolvable_exit_codes = [9]")
    size = ("--size", "6x6", "--evaluations", "3", "--count", "1", "--workers", "1", "--json")
    for planner, limit in (("opponent:planner", "--states"), (external, "--seconds")):
        options = (
            "design",
            "--against",
            planner,
            "--planner",
            "opponent:planner",
            limit,
            "50",
            *size,
        )
        outcome = run(*options, "-o", f"against{limit}")
        assert outcome.exit_code == 0, outcome.err
        assert json.loads(outcome.out)["puzzles"] == 1
    assert json.loads(outcome.out)["solved_by"][external] == 0


def test_nothing_that_an_opponent_solves_is_kept_on_request() -> None:
    request = AgainstRequest(("default",), (), 7, 7, states=500, evaluations=3, unsolved=True)
    for number in range(4):
        found = request.search(number)
        easier = replace(request, unsolved=False).search(number)
        assert (found.puzzle is None) == (easier.facts is None or not easier.facts["unsolved"])


@pytest.mark.large
def test_searches_on_large_boards_begin_with_one_idea_after_the_other() -> None:
    request = AgainstRequest(("bfs",), (), 22, 22, states=100, evaluations=10)
    found = [request.search(number).facts for number in range(4)]
    assert len({facts["idea"] for facts in found if facts is not None}) > 2


def test_requests_that_make_no_sense_are_refused() -> None:
    with pytest.raises(PushWorldError, match="no planner 'nobody'"):
        AgainstRequest(("nobody",), (), 7, 7)
    with pytest.raises(PushWorldError, match="each side"):
        AgainstRequest(("rgd",), (), 7, 99)
    with pytest.raises(PushWorldError, match="states or by seconds"):
        AgainstRequest(("rgd",), (), 7, 7, seconds=1)
