"""Shortest plans, plans with the fewest pushes, and the heuristic behind them."""

from __future__ import annotations

from heapq import heappop, heappush

import pytest

from pushworld import PushWorldError, Puzzle, solve
from pushworld.engine import Engine
from pushworld.planners.protocol import count_pushes
from pushworld.puzzle import State
from tests.native.parts import INFINITY, Patterns
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import StateSpace
from tests.waiting import PATIENCE

# Only another movable can push M1: the agent does not get behind it. M2 and M3 are equal.
EQUAL_TOOLS = Puzzle.parse(
    """\
    A .  .  W  W  W
    . M2 M2 AW M1 G1
    . M3 M3 W  W  W
    """
)
TWO_GOALS = Puzzle.parse(
    """\
    .  A . W  .
    .  . . M1 G1
    G2 . . M2 .
    """
)
PUZZLES = [tiny_puzzle(seed, max_movables=4) for seed in range(20)] + [EQUAL_TOOLS, TWO_GOALS]


@pytest.mark.parametrize("first", range(0, 120, 60))
def test_plans_are_as_short_as_those_of_breadth_first_search(first: int) -> None:
    for seed in range(first, first + 60):
        puzzle = tiny_puzzle(seed, max_movables=5)
        best = solve(puzzle, "bfs", time_limit=PATIENCE)
        found = solve(puzzle, "astar", time_limit=PATIENCE, seed=seed)
        assert (found.status, found.length) == (best.status, best.length), puzzle.to_pwp()


def least_costs(puzzle: Puzzle) -> dict[State, tuple[int, int]]:
    """Returns the fewest pushes, and the fewest actions with as many, to the states up to a solved one."""
    costs: dict[State, tuple[int, int]] = {}
    queue = [((0, 0), puzzle.initial_state)]
    while queue:
        cost, state = heappop(queue)
        if state in costs:
            continue
        costs[state] = cost
        if puzzle.is_solved(state):
            break
        for action in range(4):
            after = puzzle.step(state, action)
            pushes = cost[0] + (after[1:] != state[1:])
            heappush(queue, ((pushes, cost[1] + 1), after))
    return costs


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_plans_have_the_fewest_pushes_and_then_the_fewest_actions(puzzle: Puzzle) -> None:
    result = solve(puzzle, minimize="pushes", time_limit=PATIENCE)
    solved = [cost for state, cost in least_costs(puzzle).items() if puzzle.is_solved(state)]
    if not solved:
        assert result.status == "unsolvable"
        return
    assert result.plan is not None
    assert (count_pushes(puzzle, result.plan), len(result.plan)) == solved[0]


@pytest.mark.parametrize("fewest_pushes", [False, True])
@pytest.mark.parametrize("puzzle", PUZZLES[::2], ids=lambda puzzle: puzzle.name)
def test_the_heuristic_is_a_lower_bound_at_every_state(puzzle: Puzzle, fewest_pushes: bool) -> None:
    space = StateSpace(puzzle)
    distances = pushes_to_goal(space) if fewest_pushes else space.distances_to_goal()
    patterns = Patterns(Engine(puzzle).native, fewest_pushes)
    states = list(space.next)[:: max(1, len(space.next) // 500)]
    before = dict.fromkeys(states, 0)
    for bound, max_steps in ((0, 10**9), (2, 10**9), (5, 10**9), (20, 1000), (1000, 10**9)):
        patterns.extend(bound, max_steps)
        for state in states:
            value = patterns.bound(state)
            assert before[state] <= value <= distances.get(state, INFINITY), (state, bound)
            before[state] = value


def pushes_to_goal(space: StateSpace) -> dict[State, int]:
    """Returns the fewest pushes from each state that has a plan."""
    pushes = {state: 0 for state in space.next if space.puzzle.is_solved(state)}
    while True:
        better = {}
        for state, ends in space.next.items():
            least = min(
                (pushes[end] + (end[1:] != state[1:]) for end in ends if end in pushes),
                default=None,
            )
            if least is not None and least < pushes.get(state, least + 1):
                better[state] = least
        if not better:
            return pushes
        pushes |= better


def test_the_heuristic_sees_what_tools_are_for() -> None:
    patterns = Patterns(Engine(EQUAL_TOOLS).native, False)
    patterns.extend(1000, 10**9)
    assert patterns.bound(EQUAL_TOOLS.initial_state) == solve(EQUAL_TOOLS, "bfs").length


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"planner": "rgd", "minimize": "pushes"}, "'rgd' cannot minimize pushes"),
        ({"planner": "rgd", "minimize": "actions"}, "'rgd' does not find shortest plans"),
        ({"minimize": "steps"}, "'actions' or 'pushes', not 'steps'"),
    ],
)
def test_what_cannot_be_minimized_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(PushWorldError, match=message):
        solve(EQUAL_TOOLS, **arguments)  # type: ignore[arg-type]
