"""What `pushworld.shorten` promises: valid plans, never longer, proofs that hold."""

from __future__ import annotations

import re
import signal
import threading
from dataclasses import replace
from random import Random

import pytest

from pushworld import PushWorldError, Puzzle, shorten, solve
from pushworld.datasets import load_set, resolve_puzzle
from pushworld.datasets.bundled import classic_puzzles
from pushworld.planners import ShortenProgress
from tests.large import large
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.shared import needs_shared, published_puzzles
from tests.waiting import PATIENCE

CORRIDOR = Puzzle.parse("A . M1 . G1\n. . . . .\n. . M2 . .\n")
SHORTEST = "RRR"


def hard_puzzle() -> Puzzle:
    """Returns a puzzle that is easily solved and has too many states for a proof."""
    rows = [["."] * 14 for _ in range(14)]
    rows[6][6] = "A"
    for index, (x, y) in enumerate([(3, 3), (10, 3), (3, 10), (8, 8), (5, 8), (8, 5)], start=1):
        rows[y][x] = f"M{index}"
        rows[y][13 - x] = f"G{index}" if rows[y][13 - x] == "." else f"{rows[y][13 - x]}+G{index}"
    return Puzzle.parse("\n".join(" ".join(row) for row in rows))


HARD = hard_puzzle()


def plan_of(puzzle: Puzzle) -> str:
    plan = solve(puzzle, time_limit=PATIENCE).plan
    assert plan is not None
    return plan


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(SHORTEST, id="nothing to gain"),
        pytest.param("ULRRR", id="actions without effect"),
        pytest.param("RLRRR", id="a loop"),
        pytest.param("DDUURRR", id="a detour"),
        pytest.param("DDRRLLUURRR", id="a useless push"),
        pytest.param("RRRLR", id="actions after the goal was reached"),
    ],
)
def test_what_is_useless_goes(plan: str) -> None:
    result = shorten(CORRIDOR, plan)
    assert result.plan == SHORTEST
    assert (result.length, result.pushes, result.shortened_from) == (3, 2, len(plan))
    assert result.optimal


def test_numbers_are_plans_too() -> None:
    assert shorten(CORRIDOR, [2, 1, 1, 1]).plan == SHORTEST


def test_bundled_puzzles_get_shortest_plans() -> None:
    for puzzle in load_set("bundled"):
        plan = plan_of(puzzle)
        result = shorten(puzzle, plan, PATIENCE)
        assert puzzle.validate(result.plan)
        assert result.status == "optimal", puzzle.name
        best = solve(puzzle, "astar", time_limit=PATIENCE)
        assert best.length is not None
        assert result.length == best.length <= len(plan), puzzle.name


def test_proofs_agree_with_exhaustive_search() -> None:
    checked = 0
    for seed in range(150):
        puzzle = tiny_puzzle(seed)
        plan = wandering_plan(puzzle, Random(seed))
        if plan is None:
            continue
        result = shorten(puzzle, plan, PATIENCE)
        assert result.status == "optimal"
        assert result.length == solve(puzzle, "bfs", time_limit=PATIENCE).length, puzzle.to_pwp()
        assert puzzle.validate(result.plan)
        checked += result.length < len(plan)
    assert checked > 30


@pytest.mark.parametrize("threads", [1, 2])
def test_with_a_proof_the_plan_meets_its_bound(threads: int) -> None:
    for seed in range(60):
        puzzle = tiny_puzzle(seed)
        plan = wandering_plan(puzzle, Random(seed))
        if plan is not None:
            result = shorten(puzzle, plan, PATIENCE, threads=threads, prove=True)
            best = solve(puzzle, "bfs", time_limit=PATIENCE).length
            assert result.length == result.lower_bound == best, puzzle.to_pwp()
            assert result.optimal
            assert puzzle.validate(result.plan)


@pytest.mark.parametrize("max_states", [large(1), 3])
def test_no_bound_is_above_the_shortest_plan(max_states: int) -> None:
    limited = 0
    for seed in range(100):
        puzzle = tiny_puzzle(seed)
        best = solve(puzzle, "bfs", time_limit=PATIENCE).length
        if best is not None:
            found = solve(puzzle, "astar", time_limit=PATIENCE, max_states=max_states)
            assert found.lower_bound is not None
            assert found.lower_bound <= best, puzzle.to_pwp()
            limited += found.plan is None
    assert limited > 10
    easy, *_, hard = classic_puzzles()
    for entry in easy, hard:
        found = solve(entry.puzzle, "astar", time_limit=PATIENCE, max_states=max_states)
        assert 0 < (found.lower_bound or 0) <= len(entry.plan), entry.name


def test_one_thread_shortens_after_its_proof_at_a_limit_on_states() -> None:
    result = shorten(HARD, plan_of(HARD), PATIENCE, max_states=100_000, prove=True)
    assert result.status == "state-limit"
    assert 0 < (result.lower_bound or 0) <= result.length < result.shortened_from


def test_a_bound_is_there_while_the_search_goes_on() -> None:
    seen: list[int | None] = []

    def stop_at_a_bound(progress: ShortenProgress) -> None:
        seen.append(progress.lower_bound)
        if progress.lower_bound is not None:
            raise KeyboardInterrupt

    result = shorten(HARD, plan_of(HARD), PATIENCE, threads=2, prove=True, progress=stop_at_a_bound)
    assert result.status == "interrupted"
    assert result.lower_bound is not None
    assert (seen[-1] or 0) <= result.lower_bound < result.length


def wandering_plan(puzzle: Puzzle, random: Random) -> str | None:
    """Returns a plan that begins with a random walk, if the puzzle can still be solved after it."""
    walk = "".join(random.choice("LRUD") for _ in range(20))
    *_, state = puzzle.replay(walk)
    objects = tuple(
        replace(thing, start=start) for thing, start in zip(puzzle.objects, state, strict=True)
    )
    rest = solve(replace(puzzle, objects=objects), time_limit=PATIENCE).plan
    return None if rest is None else walk + rest


def test_a_long_plan_of_a_hard_puzzle_becomes_shorter() -> None:
    plan = plan_of(HARD)

    def stop_when_shorter(progress: ShortenProgress) -> None:
        if progress.length < len(plan):
            raise KeyboardInterrupt

    result = shorten(HARD, plan, PATIENCE, progress=stop_when_shorter)
    assert result.status == "interrupted"
    assert HARD.validate(result.plan)
    assert result.length < result.shortened_from == len(plan)
    assert result.states > 0
    assert result.peak_memory_bytes > 0


def test_the_time_limit_is_kept() -> None:
    plan = plan_of(HARD)
    result = shorten(HARD, plan, 0.2)
    assert result.status == "time-limit"
    assert HARD.validate(result.plan)
    assert result.length <= len(plan)


def test_the_same_plan_every_time() -> None:
    for puzzle in load_set("bundled"):
        plan = plan_of(puzzle)
        assert shorten(puzzle, plan, PATIENCE).plan == shorten(puzzle, plan, PATIENCE).plan


def test_a_plan_may_change_to_a_quite_different_one() -> None:
    puzzle = resolve_puzzle("shadow-boxing")
    plan = solve(puzzle, "novelty-rgd", time_limit=PATIENCE).plan
    assert plan is not None
    around = shorten(puzzle, plan, PATIENCE, max_states=100_000)
    elsewhere, again = (shorten(puzzle, plan, PATIENCE, max_states=1_000_000) for _ in range(2))
    assert elsewhere.plan == again.plan
    assert puzzle.validate(elsewhere.plan)
    assert elsewhere.length < 0.9 * around.length < len(plan)


THREE_BOXES = Puzzle.parse(
    """\
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 A  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  M1 .  .  W  .  .  .  .  .  .  M2 .  .  W  .  .  .  .  .  .  M3 .  .  W  .  .
 .  W  W  .  .  .  .  .  .  .  .  W  W  .  .  .  .  .  .  .  .  W  W  .  .  .  .  .
 .  .  .  W  W  .  .  .  .  .  .  .  .  W  W  .  .  .  .  .  .  .  .  W  W  .  .  .
 .  .  .  .  .  .  G1 .  .  .  .  .  .  .  .  .  G2 .  .  .  .  .  .  .  .  .  G3 .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
"""
)
"""Each box takes several runs to its goal, so two of them are too many runs to exchange."""


def one_after_the_other(puzzle: Puzzle, names: list[str]) -> str:
    """Returns a plan that brings home one object after the other, each as soon as possible."""
    plan = ""
    for count in range(1, len(names) + 1):
        *_, state = puzzle.replay(plan)
        objects = tuple(
            replace(thing, start=start, goal=thing.goal if thing.name in names[:count] else None)
            for thing, start in zip(puzzle.objects, state, strict=True)
        )
        plan += plan_by_astar(replace(puzzle, objects=objects))
    return plan


def plan_by_astar(puzzle: Puzzle) -> str:
    plan = solve(puzzle, "astar", time_limit=PATIENCE).plan
    assert plan is not None
    return plan


def test_work_on_several_things_is_reordered() -> None:
    there_and_back = one_after_the_other(THREE_BOXES, ["M1", "M3", "M2"])
    along_the_way = one_after_the_other(THREE_BOXES, ["M1", "M2", "M3"])
    result = shorten(THREE_BOXES, there_and_back, PATIENCE, max_states=50_000)
    assert THREE_BOXES.validate(result.plan)
    assert result.length <= len(along_the_way) < len(there_and_back)


FREIGHT = Puzzle.parse(
    """\
 A  .  .  .  .  .  .  .  .  .  .
 .  M2 .  M3 .  M4 .  M5 .  M6 .
 .  .  .  .  .  .  .  .  .  .  .
 .  W  W  W  W  W  W  W  W  W  .
 .  W  G1 .  .  M1 .  .  .  .  .
 .  W  W  W  W  W  W  W  W  W  .
 .  .  .  .  .  .  .  .  .  .  .
"""
)
"""A puzzle with a hundred thousand states before a proof, few of them with only M1 moved."""


def test_a_proof_with_few_objects_is_no_proof() -> None:
    plan = plan_of(FREIGHT)
    few = shorten(FREIGHT, plan, PATIENCE, max_states=120_000)
    assert few.status == "state-limit"
    everything = shorten(FREIGHT, plan, PATIENCE)
    assert everything.status == "optimal"
    assert few.length == everything.length == solve(FREIGHT, "astar", time_limit=PATIENCE).length


SWEEP = Puzzle.parse(
    """\
 .  .  .  .  .  .  .  .  .  .
 .  .  .  M1 M1 M1 .  A  .  .
 .  .  .  .  .  .  .  .  .  .
 .  M2 .  M3 .  .  .  .  .  .
 .  M2 .  .  .  M4 .  .  .  .
 .  M2 .  .  M5 .  .  .  .  .
 .  M2 .  M6 .  .  .  .  .  .
 .  M2 .  .  .  M7 .  .  .  .
 .  M2 .  .  M8 .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .
 W  W  W  G1 G1 G1 W  W  W  W
"""
)
"""M2 can sweep all others out of the way at once, which looks like nothing until it has done so."""


def test_obstacles_are_swept_away_at_once() -> None:
    sweep = "ULLD" + "LLLDLLD" + "RRRRRR" + "UUL" + "DDDDDDDD"
    assert SWEEP.validate(sweep)
    result = shorten(SWEEP, plan_of(SWEEP), PATIENCE, max_states=400_000)
    assert SWEEP.validate(result.plan)
    assert result.length <= len(sweep)


def test_threads_share_the_best_plan() -> None:
    plan = plan_of(HARD)
    result = shorten(HARD, plan, PATIENCE, max_states=300_000, threads=3)
    assert result.status == "state-limit"
    assert HARD.validate(result.plan)
    assert result.length < len(plan)
    assert shorten(CORRIDOR, "DDRRLLUURRR", PATIENCE, threads=2).plan == SHORTEST


def test_the_memory_limit_is_kept() -> None:
    plan = plan_of(HARD)
    result = shorten(HARD, plan, PATIENCE, memory_limit_gb=0.02)
    assert result.status == "memory-limit"
    assert result.peak_memory_bytes <= 0.02e9
    assert HARD.validate(result.plan)
    assert result.length < len(plan)


def test_a_limit_on_states_ends_it_in_the_same_place() -> None:
    plan = plan_of(HARD)
    first, second = (shorten(HARD, plan, PATIENCE, max_states=20_000) for _ in range(2))
    assert first.status == second.status == "state-limit"
    assert 20_000 <= first.states == second.states
    assert first.plan == second.plan
    assert HARD.validate(first.plan)


def test_without_memory_the_plan_comes_back() -> None:
    result = shorten(CORRIDOR, "RLRRR", memory_limit_gb=1e-6)
    assert (result.status, result.plan) == ("memory-limit", "RLRRR")


def test_ctrl_c_gives_the_best_plan_so_far() -> None:
    plan = plan_of(HARD)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])

    def start_timer(_: ShortenProgress) -> None:
        if timer.ident is None:
            timer.start()

    result = shorten(HARD, plan, PATIENCE, progress=start_timer)
    assert result.status == "interrupted"
    assert HARD.validate(result.plan)


def test_progress_is_reported_and_may_interrupt() -> None:
    plan = plan_of(HARD)
    reports: list[ShortenProgress] = []

    def stop_at_third(progress: ShortenProgress) -> None:
        reports.append(progress)
        if len(reports) >= 3 and progress.states > 0:
            raise KeyboardInterrupt

    result = shorten(HARD, plan, PATIENCE, progress=stop_at_third)
    assert result.status == "interrupted"
    assert [each.seconds for each in reports] == sorted(each.seconds for each in reports)
    assert len(plan) >= reports[0].length >= reports[-1].length >= result.length
    assert reports[-1].memory_bytes > 0


def test_a_puzzle_solved_from_the_start_needs_no_action() -> None:
    solved = Puzzle.parse("A . M1+G1 .\n")
    result = shorten(solved, "RLRL")
    assert (result.plan, result.optimal) == ("", True)


@pytest.mark.parametrize(
    ("plan", "options", "message"),
    [
        ("RR", {}, "the plan of 2 actions does not solve the puzzle"),
        ("", {}, "the plan of 0 actions does not solve the puzzle"),
        ("RRX", {}, "'X' at position 3 of the plan is not an action"),
        (SHORTEST, {"seconds": 0}, "the time limit must be a positive number of seconds, not 0"),
        (SHORTEST, {"memory_limit_gb": -1}, "the memory limit must be a positive number"),
        (SHORTEST, {"max_states": 0}, "the limit on states must be a whole number from 1"),
        ("LR" * 300_000 + SHORTEST, {}, "shortening takes plans of at most"),
    ],
)
def test_bad_arguments_are_reported(plan: str, options: dict[str, float], message: str) -> None:
    with pytest.raises(PushWorldError, match=re.escape(message)):
        shorten(CORRIDOR, plan, **options)  # type: ignore[arg-type]


def test_a_puzzle_without_goals_has_no_plans() -> None:
    with pytest.raises(PushWorldError, match="no goals"):
        shorten(Puzzle.parse("A . M1 ."), "R")


def test_more_movables_than_bits_in_a_word() -> None:
    row = " ".join(f"M{index}" for index in range(2, 102))
    puzzle = Puzzle.parse(f"A M1 . G1 {'. ' * 96}\n{'. ' * 100}\n{row}\n")
    result = shorten(puzzle, "DURR", PATIENCE)
    assert result.plan == "RR"


@needs_shared
def test_published_puzzles() -> None:
    for path in published_puzzles()[::40]:
        puzzle = Puzzle.load(path)
        plan = solve(puzzle, time_limit=1).plan
        if plan is None:
            continue
        result = shorten(puzzle, plan, 0.3)
        assert puzzle.validate(result.plan)
        assert result.length <= len(plan)
