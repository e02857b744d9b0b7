"""Siblings are puzzles that their plans solve, the same for the same seed, with their puzzle's half."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pushworld import solve
from pushworld.bench.tasks import Task
from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle
from pushworld.statistics import Share

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

IDLE = """\
 .  .  .  .  .
 A  M1 .  .  G1
 .  .  .  M2 .
"""


@pytest.fixture(scope="module")
def solved() -> list[tuple[Puzzle, str]]:
    puzzles = [Puzzle.parse(IDLE, name="Idle"), *(each.puzzle for each in bundled_puzzles()[::5])]
    found = [(puzzle, solve(puzzle).plan) for puzzle in puzzles]
    return [(puzzle, plan) for puzzle, plan in found if plan]


@pytest.fixture
def plans(solved: list[tuple[Puzzle, str]], tmp_path: Path) -> Path:
    rows = [f"teaching/{puzzle.name},{plan}" for puzzle, plan in solved]
    (tmp_path / "plans.csv").write_text("\n".join(["puzzle,plan", *rows]) + "\n")
    return tmp_path / "plans.csv"


@pytest.fixture
def families(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("families")


def test_a_seed_gives_the_same_siblings_which_their_plans_solve(
    families: ModuleType, solved: list[tuple[Puzzle, str]], plans: Path
) -> None:
    tasks = [Task("teaching", puzzle) for puzzle, _ in solved]
    made = list(families.siblings_of(tasks, str(plans), families.FAMILIES, range(2)))
    again = list(families.siblings_of(tasks, str(plans), families.FAMILIES, range(2)))
    assert made == again
    assert {each.family for each in made} == set(families.FAMILIES)
    assert all(each.puzzle.validate(each.plan) for each in made)
    by_parent: dict[str, set[str]] = {}
    for each in made:
        by_parent.setdefault(each.parent, set()).add(each.half)
    assert all(len(halves) == 1 for halves in by_parent.values())


def test_families_change_what_they_say(
    families: ModuleType, solved: list[tuple[Puzzle, str]], plans: Path
) -> None:
    puzzles = {f"teaching/{puzzle.name}": puzzle for puzzle, _ in solved}
    tasks = [Task("teaching", puzzle) for puzzle, _ in solved]
    for each in families.siblings_of(tasks, str(plans), families.FAMILIES, [0]):
        parent = puzzles[each.parent]
        if each.family == "tight":
            added = each.puzzle.walls - parent.walls
            assert added <= families.untouched(parent, each.plan)
        if each.family == "crowd":
            assert len(parent.objects) <= len(each.puzzle.objects) <= len(parent.objects) + 6
        if each.family == "fewer":
            assert len(each.puzzle.objects) == len(parent.objects) - 1
        if each.family == "longer":
            assert each.puzzle.width == parent.width + 1
        if each.family == "earlier":
            assert each.puzzle.goal != parent.goal


def test_the_command_compares_planners_and_resumes(plans: Path, tmp_path: Path) -> None:
    command = [
        *(
            sys.executable,
            str(BENCHMARKS / "siblings.py"),
            "--puzzles",
            "bundled",
            "--plans",
            str(plans),
        ),
        *("--family", "published", "tight", "--every", "4", "--states", "100", "1000"),
        *("--planner", "default", "--planner", "cost | commitment any"),
    ]
    runs = [
        subprocess.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True)
        for _ in "12"
    ]
    assert runs[0].returncode == 0, runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
    assert "tight, cost | commitment any" in runs[0].stdout
    journal = (tmp_path / "results" / "runs.jsonl").read_text().splitlines()
    assert len(journal) == len(set(journal))


def test_siblings_of_one_puzzle_that_are_all_alike_count_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    share_of = importlib.import_module("siblings").share_of
    for solved in (0, 7, 20):
        puzzles = [number < solved for number in range(20)]
        for siblings in (1, 8):
            alike = {str(number): [each] * siblings for number, each in enumerate(puzzles)}
            assert share_of(alike).interval == pytest.approx(Share.of(puzzles).interval)
    some = {str(number): [True, number % 4 > 0, number % 3 > 0] for number in range(20)}
    count = sum(map(sum, some.values()))
    widths = [high - low for low, high in (Share(count, 60).interval, share_of(some).interval)]
    assert widths[0] <= widths[1] < 1
