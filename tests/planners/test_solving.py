"""What `pushworld.solve` and `solve_many` promise: limits, interrupts, checked arguments."""

from __future__ import annotations

import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

import pushworld
from pushworld import PushWorldError, Puzzle, shorten, solve, solve_many
from pushworld.datasets import load_set
from pushworld.engine import Engine
from pushworld.planners import (
    Planner,
    PlannerError,
    Progress,
    WrongPlanError,
    get_planner,
    planners,
    solving,
)
from pushworld.planners.native import NativePlanner, make_control
from tests.large import large
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE, growing_limits

EACH_PLANNER = pytest.mark.parametrize("planner", planners(), ids=lambda planner: planner.name)


def endless_puzzle() -> Puzzle:
    """Returns a puzzle that has no solution and too many states to find that out.

    M1 plugs a dead end; nothing can get behind it, which no estimate that ignores objects in the way
    can tell. M2 and M3 have two parts each: around M1, they could pull it out.
    """
    rows = [["."] * 14 for _ in range(14)]
    rows[10][9:] = rows[12][9:] = ["W"] * 5
    rows[11][11], rows[2][5], rows[6][6] = "M1", "G1", "A"
    rows[3][6], rows[3][13] = "M2", "M3"
    for index, (x, y) in enumerate([(3, 3), (10, 3), (3, 10), (8, 8), (5, 8), (8, 5)], start=2):
        rows[y][x] = f"M{index}"
    return Puzzle.parse("\n".join(" ".join(row) for row in rows))


ENDLESS = endless_puzzle()
SLOW = {"cea": ("deep-water",)}
"""Bundled puzzles that take these planners as long as all others together."""


@EACH_PLANNER
def test_bundled_puzzles_are_solved(planner: Planner) -> None:
    too_slow = SLOW.get(planner.name, ())
    puzzles = [puzzle for puzzle in load_set("bundled") if puzzle.name not in too_slow]
    for puzzle, result in zip(
        puzzles, solve_many(puzzles, planner.name, time_limit=PATIENCE), strict=True
    ):
        assert result.status == "solved", puzzle.name
        assert result.plan is not None
        assert puzzle.validate(result.plan)
        assert result.planner == planner.name
        states = list(puzzle.replay(result.plan))
        assert result.pushes == sum(a[1:] != b[1:] for a, b in pairwise(states))
        assert result.length is not None
        assert 0 < result.pushes <= result.length == len(result.plan)
        assert 0 < result.states <= result.generated + 1
        assert result.expanded <= result.states
        assert result.peak_memory_bytes > 0
        assert result.states_per_second == pytest.approx(result.states / result.seconds)


def test_optimal_planners_agree_and_are_never_beaten() -> None:
    for puzzle in load_set("bundled"):
        optimal = {len(plan_of(puzzle, each.name)) for each in planners() if each.optimal}
        others = {len(plan_of(puzzle, name)) for name in ("default", "rgd", "novelty-rgd")}
        assert len(optimal) == 1
        assert max(optimal) <= min(others)


def plan_of(puzzle: Puzzle, planner: str) -> str:
    """Returns the plan that the planner finds."""
    plan = solve(puzzle, planner, time_limit=PATIENCE).plan
    assert plan is not None
    return plan


@EACH_PLANNER
def test_time_limit_ends_a_search(planner: Planner) -> None:
    for seconds in growing_limits(0.2):
        result = solve(ENDLESS, planner.name, time_limit=seconds)
        assert (result.status, result.plan) == ("time-limit", None)
        assert result.seconds > 0.9 * seconds  # the rest is for giving memory back
        if result.states > 0:
            return


@EACH_PLANNER
def test_memory_limit_ends_a_search(planner: Planner) -> None:
    limit = 1_600_000
    result = solve(ENDLESS, planner.name, time_limit=PATIENCE, memory_limit_gb=limit / 1e9)
    assert (result.status, result.plan) == ("memory-limit", None)
    assert result.peak_memory_bytes <= 1.05 * limit


@EACH_PLANNER
def test_a_limit_on_states_ends_a_search_in_the_same_place(planner: Planner) -> None:
    first, second = (
        solve(ENDLESS, planner.name, time_limit=PATIENCE, max_states=200) for _ in range(2)
    )
    assert (first.status, first.plan) == ("state-limit", None)
    assert 190 <= first.states < 400  # default: all searches begin with the same state
    assert (first.states, first.expanded, first.generated) == (
        second.states,
        second.expanded,
        second.generated,
    )


@EACH_PLANNER
def test_a_limit_on_states_that_is_not_reached_changes_nothing(planner: Planner) -> None:
    puzzle = tiny_puzzle(1)
    free = solve(puzzle, planner.name)
    limited = solve(puzzle, planner.name, max_states=1000 + free.states)
    assert (limited.status, limited.plan) == ("solved", free.plan)
    assert limited.states == free.states


def test_searches_side_by_side_share_the_states() -> None:
    result = solve(ENDLESS, time_limit=PATIENCE, max_states=5000, threads=3)
    assert result.status == "state-limit"
    assert result.states < 10_000


def test_a_batch_takes_a_limit_on_states() -> None:
    results = solve_many([ENDLESS, tiny_puzzle(1)], "bfs", time_limit=PATIENCE, max_states=100)
    assert [result.status for result in results] == ["state-limit", "solved"]


def test_external_planners_refuse_a_limit_on_states() -> None:
    with pytest.raises(PushWorldError, match="'lama' is an external program and cannot keep"):
        solve(tiny_puzzle(1), "lama", max_states=100)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("limit", [3_000_000, large(12_000_000)])
def test_searches_side_by_side_share_the_memory(limit: int, threads: int) -> None:
    result = solve(ENDLESS, time_limit=PATIENCE, memory_limit_gb=limit / 1e9, threads=threads)
    assert result.status == "memory-limit"
    assert result.states > 0
    assert 0.2 * limit < result.peak_memory_bytes <= limit


@EACH_PLANNER
def test_a_world_too_large_for_memory_is_not_searched(planner: Planner) -> None:
    side = 200 if isinstance(planner, NativePlanner) else 60
    vast = Puzzle.parse("\n".join(["A M1 G1" + " ." * side] + [" ".join("." * (side + 3))] * side))
    statuses = []
    for limit in (1_000_000, 3_000_000, 10_000_000, 1_000_000_000):
        result = solve(vast, planner.name, time_limit=PATIENCE, memory_limit_gb=limit / 1e9)
        statuses.append(result.status)
        assert result.peak_memory_bytes <= 1.05 * limit
    assert (statuses[0], statuses[-1]) == ("memory-limit", "solved")
    assert statuses == sorted(statuses)


@EACH_PLANNER
def test_a_signal_interrupts_and_still_reports(planner: Planner) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.states > 0:
            signal.raise_signal(signal.SIGINT)

    result = solve(ENDLESS, planner.name, time_limit=PATIENCE, progress=interrupt)
    assert (result.status, result.plan) == ("interrupted", None)
    assert result.states > 0


def test_progress_is_reported_in_order() -> None:
    reports: list[Progress] = []

    def stop_at_third(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) >= 3 and progress.best_heuristic is not None:
            raise KeyboardInterrupt

    result = solve(ENDLESS, time_limit=PATIENCE, progress=stop_at_third)
    assert len(reports) >= 3
    for before, after in pairwise(reports):
        assert before.seconds < after.seconds
        assert before.states <= after.states <= result.states
        assert before.expanded <= after.expanded <= result.expanded
    assert reports[-1].memory_bytes > 0


def test_a_thread_makes_the_engine_while_another_looks_at_its_memory() -> None:
    vast = Puzzle.parse("\n".join(["A M1 G1" + " ." * 500] + [" ".join("." * 503)] * 500))
    control = make_control(PATIENCE, 8, None)
    seen = 0
    with ThreadPoolExecutor(1) as other:
        made = other.submit(Engine, vast, control)
        while not made.done():
            assert seen <= (seen := control.used_bytes)
    assert 0 < control.used_bytes >= seen


def test_an_error_of_the_callback_reaches_the_caller() -> None:
    def fail(_: Progress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        solve(ENDLESS, time_limit=PATIENCE, progress=fail)


def test_searches_run_side_by_side() -> None:
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(solve(ENDLESS, time_limit=0.3)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.status for result in results] == ["time-limit"] * 3


def test_a_batch_returns_results_in_order() -> None:
    puzzles = [tiny_puzzle(seed) for seed in range(40)]
    seen: dict[int, pushworld.SolveResult] = {}
    results = solve_many(puzzles, "bfs", workers=3, on_result=seen.__setitem__)
    assert [seen[index] for index in range(40)] == results
    assert [result.plan for result in results] == [solve(each, "bfs").plan for each in puzzles]
    assert {result.status for result in results} == {"solved", "unsolvable"}


def test_an_interrupted_batch_reports_what_there_is() -> None:
    def interrupt(_index: int, _result: pushworld.SolveResult) -> None:
        raise KeyboardInterrupt

    puzzles = [tiny_puzzle(1), *[ENDLESS] * 5]
    results = solve_many(puzzles, workers=2, time_limit=PATIENCE, on_result=interrupt)
    assert [result.status for result in results] == ["solved", *["interrupted"] * 5]


def test_an_empty_batch_is_no_work() -> None:
    assert solve_many([]) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"planner": "astr"}, "there is no planner 'astr': did you mean astar"),
        ({"planner": "xyz"}, "known are default, "),
        ({"time_limit": 0}, "time limit must be a positive number of seconds, not 0"),
        ({"time_limit": float("nan")}, "time limit must be a positive number"),
        ({"memory_limit_gb": -1}, "memory limit must be a positive number of gigabytes, not -1"),
        ({"threads": 0}, "number of threads must be 1 to 1000, not 0"),
        ({"threads": 1001}, "number of threads must be 1 to 1000, not 1001"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": 2**64}, "seed must be a whole number from 0"),
        ({"max_states": 0}, "limit on states must be a whole number from 1 to 2^64 - 1, not 0"),
        ({"max_states": 2**64}, "limit on states must be a whole number from 1"),
        ({"max_states": 1.5}, "limit on states must be a whole number from 1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(PushWorldError, match=re.escape(message)):
        solve(tiny_puzzle(1), **arguments)  # type: ignore[arg-type]


def test_a_sandbox_cannot_be_solved() -> None:
    sandbox = Puzzle.parse("A . M1")
    with pytest.raises(PushWorldError, match="no goals"):
        solve(sandbox)
    with pytest.raises(PushWorldError, match="puzzle 2 of the batch"):
        solve_many([tiny_puzzle(1), sandbox])


@EACH_PLANNER
def test_endless_limits_are_limits(planner: Planner) -> None:
    for endless in (float("inf"), 1e300):
        result = solve(tiny_puzzle(1), planner.name, time_limit=endless, memory_limit_gb=endless)
        assert result.status == "solved"
    assert shorten(tiny_puzzle(1), result.plan or "", endless, memory_limit_gb=endless).optimal


def test_numbers_of_numpy_are_numbers() -> None:
    numbers = {
        "time_limit": np.float32(60),
        "threads": np.int32(1),
        "seed": np.uint64(2**64 - 1),
        "max_states": np.int64(10**6),
    }
    assert solve(tiny_puzzle(1), **numbers).status == "solved"  # type: ignore[arg-type]


def test_the_registry_names_each_planner_once() -> None:
    names = [planner.name for planner in planners()]
    assert names[0] == "default"
    assert len(set(names)) == len(names)
    assert all(get_planner(planner.name) is planner for planner in planners())


def crowd(count: int, side: int) -> Puzzle:
    """Returns a world full of objects two cells apart, the first of which has a goal far away."""
    rows = [["."] * side for _ in range(side)]
    places = [(x, y) for y in range(2, side - 2, 2) for x in range(2, side - 2, 2)]
    for index, (x, y) in enumerate(places[:count]):
        rows[y][x] = f"M{index}"
    rows[0][0], rows[side - 3][side - 1] = "A", "G0"
    return Puzzle.parse("\n".join(" ".join(row) for row in rows))


LARGE = (crowd(1, 300), crowd(998, 90))


@EACH_PLANNER
def test_large_puzzles_end_with_their_time(planner: Planner) -> None:
    for puzzle in LARGE:
        result = solve(puzzle, planner.name, time_limit=0.01)
        assert (result.status, result.plan) == ("time-limit", None)


def test_a_planner_of_ones_own_is_measured_and_its_plan_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd, puzzle = "tests.bench.odd_planners:", Puzzle.parse("A M1 G1")
    result = solve(puzzle, f"{odd}TIMELESS")
    assert (result.status, result.plan) == ("solved", "R")
    assert 0 < result.seconds < 10
    with pytest.raises(WrongPlanError, match="returned a plan for '' that does not solve it"):
        solve(puzzle, f"{odd}WRONG")
    with pytest.raises(PlannerError, match="returned the status 'puzzled'"):
        solve(puzzle, f"{odd}UNHEARD_OF")
    monkeypatch.setattr(solving, "REPLAY_SECONDS", 0.1)
    late = solve(puzzle, f"{odd}LONG", time_limit=0.1)
    assert (late.status, late.plan, late.length, late.pushes) == ("time-limit", None, None, None)
    assert late.seconds > 0.1
