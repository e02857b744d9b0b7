"""Puzzles and planners inside ``unified_planning``, judged by its own plan validator and other engines."""

from __future__ import annotations

import sys
from io import StringIO
from typing import Any

import pytest

from pushworld.datasets import resolve_puzzle
from pushworld.export import export_pddl
from pushworld.puzzle import PushWorldError, Puzzle
from tests.planners.tiny_puzzles import tiny_puzzle

up: Any = pytest.importorskip("unified_planning.shortcuts", reason="needs unified_planning")

from unified_planning.engines import PlanGenerationResultStatus as UpStatus  # noqa: E402
from unified_planning.engines import ValidationResultStatus  # noqa: E402
from unified_planning.exceptions import UPNoSuitableEngineAvailableException  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.plans import SequentialPlan  # noqa: E402

from pushworld.planners.unified_planning import (  # noqa: E402
    plan_from_unified_planning,
    register_engine,
    to_unified_planning,
)

CHAIN = Puzzle.parse("A M1 M2 . G2\n. M3 . . .", name="chain")
SOLVABLE = {
    "chain": CHAIN,
    "hermit-crab": resolve_puzzle("hermit-crab"),
    "two shapes that hold each other": Puzzle.parse(
        "A . M1 M1 . .\n. . M1 M2 . G2\n. . M1 M1 . .\n. . . . . ."
    ),
} | {f"tiny-{seed}": tiny_puzzle(seed) for seed in (1, 4, 7, 13, 28)}


@pytest.fixture(autouse=True)
def _engine() -> None:
    up.get_environment().credits_stream = None
    register_engine()
    register_engine()  # once more changes nothing


def solved(problem: Any, **params: Any) -> Any:
    with up.OneshotPlanner(name="pushworld", params=params) as planner:
        return planner.solve(problem, timeout=60)


def is_valid(problem: Any, plan: Any) -> bool:
    with up.PlanValidator(name="sequential_plan_validator") as validator:
        return bool(validator.validate(problem, plan).status == ValidationResultStatus.VALID)


@pytest.mark.parametrize("puzzle", SOLVABLE.values(), ids=SOLVABLE.keys())
def test_plans_are_valid_in_both_worlds(puzzle: Puzzle) -> None:
    problem = to_unified_planning(puzzle)
    result = solved(problem, planner="bfs")
    assert result.status == UpStatus.SOLVED_OPTIMALLY
    assert is_valid(problem, result.plan)
    assert puzzle.validate(plan_from_unified_planning(puzzle, result.plan))
    if len(result.plan.actions) > 1:
        assert not is_valid(problem, SequentialPlan(result.plan.actions[:-1]))


def test_the_cost_of_a_plan_is_its_length() -> None:
    problem = to_unified_planning(CHAIN)
    result = solved(problem)
    assert result.status == UpStatus.SOLVED_SATISFICING
    assert [each.action.name.split(".")[0] for each in result.plan.actions] == [
        *("move", "push", "push"),
        *("move", "push", "push"),
    ]
    metric = problem.quality_metrics[0]
    costs = [
        metric.get_action_cost(each.action).int_constant_value() for each in result.plan.actions
    ]
    assert sum(costs) == 2 == int(result.metrics["actions"])


def test_results_without_a_plan() -> None:
    stuck = to_unified_planning(Puzzle.parse("A M1 . W G1"))
    assert solved(stuck, planner="bfs").status == UpStatus.UNSOLVABLE_PROVEN
    large = to_unified_planning(resolve_puzzle("deep-water"))
    with up.OneshotPlanner(name="pushworld", params={"planner": "bfs"}) as planner:
        assert planner.solve(large, timeout=1e-3).status == UpStatus.TIMEOUT
    output = StringIO()
    with up.OneshotPlanner(name="pushworld") as planner:
        planner.solve(to_unified_planning(CHAIN), output_stream=output)
    assert "solved" in output.getvalue()


def test_problems_of_others_are_not_supported() -> None:
    other = up.Problem("other")
    other.add_fluent(up.Fluent("x"), default_initial_value=True)
    for params, reason in (({}, "only problems of puzzles"), ({"puzzle": CHAIN}, "'chain'")):
        result = solved(other, **params)
        assert result.status == UpStatus.UNSUPPORTED_PROBLEM
        assert reason in result.log_messages[0].message


def test_the_engine_is_not_chosen_unasked() -> None:
    kind = to_unified_planning(CHAIN).kind
    try:
        chosen = up.OneshotPlanner(problem_kind=kind).name
    except UPNoSuitableEngineAvailableException:
        chosen = None
    assert chosen != "pushworld"


def test_the_puzzle_of_our_pddl_is_taken_by_its_name() -> None:
    puzzle = resolve_puzzle("hermit-crab")
    task = export_pddl(puzzle)
    problem = PDDLReader().parse_problem_string(task.domain, task.problem)
    result = solved(problem, puzzle="Hermit Crab")
    assert puzzle.validate(plan_from_unified_planning(puzzle, result.plan))
    with pytest.raises(PushWorldError, match="there is no puzzle 'hermit-crap': did you mean"):
        solved(problem, puzzle="hermit-crap")


@pytest.mark.parametrize("low_arity", [False, True])
def test_problems_read_from_our_pddl_are_solved_given_their_puzzle(low_arity: bool) -> None:
    task = export_pddl(CHAIN, low_arity=low_arity)
    problem = PDDLReader().parse_problem_string(task.domain, task.problem)
    assert solved(problem).status == UpStatus.UNSUPPORTED_PROBLEM
    assert solved(problem, puzzle=tiny_puzzle(1)).status == UpStatus.UNSUPPORTED_PROBLEM
    result = solved(problem, puzzle=CHAIN)
    assert is_valid(problem, result.plan)
    assert plan_from_unified_planning(CHAIN, result.plan) == "RR"


def test_fast_downward_solves_the_problem() -> None:
    pytest.importorskip("up_fast_downward", reason="needs up-fast-downward (Linux x86_64)")
    puzzle = resolve_puzzle("keyhole")
    problem = to_unified_planning(puzzle)
    with up.OneshotPlanner(name="fast-downward") as planner:
        result = planner.solve(problem, timeout=120)
    assert puzzle.validate(plan_from_unified_planning(puzzle, result.plan))


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning.model", None)
    monkeypatch.delitem(sys.modules, "pushworld.planners.unified_planning")
    with pytest.raises(PushWorldError, match=r"pushworld\[up\]"):
        import pushworld.planners.unified_planning  # noqa: F401
