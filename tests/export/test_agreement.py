"""Exported tasks against exhaustive search by the reference: equally solvable, at equal cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

from pushworld import Puzzle, solve
from pushworld.export import export_pddl, export_sas, plan_from_external
from pushworld.export.names import thing_names
from tests.export.cheapest import SearchTask, cheapest_plan
from tests.export.pddl_reader import read_pddl
from tests.export.sas_reader import read_sas
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import shortest_length
from tests.strategies import small_puzzles


def sas_task(puzzle: Puzzle) -> SearchTask[Any]:
    return read_sas(export_sas(puzzle))


def pddl_task(puzzle: Puzzle) -> SearchTask[Any]:
    task = export_pddl(puzzle)
    return read_pddl(task.domain, task.problem)


def low_arity_task(puzzle: Puzzle) -> SearchTask[Any]:
    task = export_pddl(puzzle, low_arity=True)
    return read_pddl(task.domain, task.problem)


MOST_STATES: dict[Callable[[Puzzle], SearchTask[Any]], int] = {
    sas_task: 3000,
    pddl_task: 500,
    low_arity_task: 500,
}
"""Larger puzzles are skipped: the searches of the readers are slow."""


def check(puzzle: Puzzle, read: Callable[[Puzzle], SearchTask[Any]]) -> None:
    """Fails if the exported task and the puzzle differ in what is possible and what it costs."""
    ours = solve(puzzle, "bfs", time_limit=600)
    if ours.states > MOST_STATES[read]:
        return
    shortest = shortest_length(puzzle)
    theirs = cheapest_plan(read(puzzle))
    if shortest is None:
        assert theirs is None, puzzle.to_pwp()
        return
    assert theirs is not None, puzzle.to_pwp()
    cost, actions = theirs
    assert cost == shortest, puzzle.to_pwp()
    plan = plan_from_external(puzzle, "\n".join(f"({action})" for action in actions))
    assert len(plan) == cost


def check_seeds(seeds: Iterable[int], read: Callable[[Puzzle], SearchTask[Any]]) -> None:
    for seed in seeds:
        check(tiny_puzzle(seed), read)


@pytest.mark.parametrize("first", range(0, 150, 50))
def test_sas_means_the_same(first: int) -> None:
    check_seeds(range(first, first + 50), sas_task)


@pytest.mark.parametrize("read", [pddl_task, low_arity_task])
@pytest.mark.parametrize("first", range(0, 30, 15))
def test_pddl_means_the_same(first: int, read: Callable[[Puzzle], SearchTask[Any]]) -> None:
    check_seeds(range(first, first + 15), read)


ODD = {
    "an id that reads like a place": "A Mx . Gx\n. . . .\n. . Mx-2-1 .\n. . . .",
    "ids that come to the same": "A M---3 . G---3\n. Mé . .\n. . Mè .\n. . . .",
    "solved at the start": "A M1+G1 .",
    "a corridor": "A . M1 . . G1",
    "a shaft": "A\nM1\nM2\nG2\n.",
    "a ring around its goal": """
        . A  .     .     .  .
        . M1 M1    M1    .  .
        . M1 G1    M1+G1 G1 .
        . M1 M1+G1 M1    G1 .
        . .  G1    G1    G1 .""",
    "an agent in pieces": "A M1 A . .\n. . . G1 .\nAW . . . .",
    "an object that holds the agent": """
        M1 M1 M1 .  .
        M1 A  M1 .  .
        M1 M1 M1 .  .
        .  .  G1 G1 G1
        .  .  G1 .  G1
        .  .  G1 G1 G1""",
}


@pytest.mark.parametrize("read", MOST_STATES)
@pytest.mark.parametrize("name", ODD)
def test_odd_puzzles_mean_the_same(name: str, read: Callable[[Puzzle], SearchTask[Any]]) -> None:
    puzzle = Puzzle.parse(ODD[name].strip())
    assert len(set(thing_names(puzzle))) == len(puzzle.objects)
    check(puzzle, read)


@settings(max_examples=30)
@given(puzzle=small_puzzles.filter(lambda puzzle: bool(puzzle.goal)))
def test_every_step_of_a_walk_is_possible_in_both_worlds(puzzle: Puzzle) -> None:
    """All states within a few actions are the same ones, also in worlds too large to search."""
    task = sas_task(puzzle)
    before_pushes, reached = {task.initial}, {puzzle.initial_state}
    for _ in range(3):
        reached |= {puzzle.step(state, action) for state in reached for action in range(4)}
        before_pushes |= {
            after
            for state in before_pushes
            for _, cost, moved in task.successors(state)
            if cost == 1
            for after in settled_states(task, moved)
        }
        assert len(before_pushes) == len(reached)


def settled_states(task: SearchTask[Any], state: Any) -> set[Any]:
    """Returns the states in which a move ends when all its pushes are done: at most one."""
    done, frontier = set(), {state}
    while frontier:
        at = frontier.pop()
        after = list(task.successors(at))
        if any(cost == 1 for _, cost, _ in after):
            assert all(cost == 1 for _, cost, _ in after)
            done.add(at)
        else:
            frontier |= {each for _, _, each in after}
    assert len(done) <= 1
    return done
