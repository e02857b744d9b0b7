"""Labels for puzzles: goal distances and best actions for every position of the agent.

Small puzzles are solved completely, backwards from the goal. For larger puzzles a planner finds
plans, and the labels are the plan's next push and the shortest walks to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine, StateArray
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.learned.observation import AGENT_HITS, Observer
from pushworld.learned.training.examples import DEAD, Examples
from pushworld.learned.training.state_space import StateSpace, enumerate_states
from pushworld.planners import ShortenResult, SolveResult, shorten, solve
from pushworld.puzzle import Action, Puzzle, State, parse_plan
from pushworld.puzzle.actions import DELTAS

Found = TypeVar("Found", SolveResult, ShortenResult)

SIDES = (5, 8, 10, 12, 16, 24, 32, 51)
"""The sides of the squares that grids are padded to."""

MAX_RANDOM_ACTIONS = 24
"""The longest random walk away from a plan."""


@dataclass(frozen=True)
class LabelSettings:
    """How puzzles are labelled.

    Attributes:
        count: the largest number of examples of a puzzle.
        max_states: puzzles with more states are solved by a planner.
        starts: the number of states that the planner starts from.
        time_limit: in seconds, of each call of the planner, and of shortening its plan.
        planner_states: the states that each of these may generate.
        max_side: puzzles with a longer side, without the border, are skipped.
    """

    count: int = 24
    max_states: int = 400_000
    starts: int = 8
    time_limit: float = 0.3
    planner_states: int | None = None
    max_side: int = SIDES[-1]


def label_puzzle(
    puzzle: Puzzle,
    settings: LabelSettings,
    random: np.random.Generator,
    plan: str | None = None,
) -> Examples | None:
    """Returns the examples of a puzzle, or None if it has no labels.

    `plan` saves the planner the first search of a large puzzle.
    """
    longest = max(puzzle.width, puzzle.height) - 2
    if longest > min(settings.max_side, SIDES[-1]) or not puzzle.goal:
        return None
    side = next(each for each in SIDES if each >= longest)
    space = enumerate_states(puzzle, settings.max_states)
    if space is None:
        parts = [*_label_with_planner(puzzle, settings, random, side, plan)]
        if not parts:
            return None
        examples = Examples.join(parts)
        return examples.take(random.permutation(len(examples))[: settings.count])
    if not space.solvable:
        return None
    chosen = choose_arrangements(space, settings.count, random)
    return label_arrangements(space, chosen.tolist(), side)


def _label_with_planner(
    puzzle: Puzzle,
    settings: LabelSettings,
    random: np.random.Generator,
    side: int,
    plan: str | None,
) -> Iterator[Examples]:
    """Yields examples of plans from the initial state, and from random walks away from earlier plans."""
    engine = Engine(puzzle)
    visited: list[State] = [puzzle.initial_state]
    for start in range(settings.starts):
        state = visited[random.integers(len(visited))]
        for _ in range(random.integers(1, MAX_RANDOM_ACTIONS) if start else 0):
            state = engine.step(state, int(random.integers(len(Action))))
        start_puzzle = with_initial_state(puzzle, state)
        if start or plan is None:
            solved = raise_if_interrupted(
                solve(
                    start_puzzle, time_limit=settings.time_limit, max_states=settings.planner_states
                )
            )
            if solved.status == "unsolvable" and start:
                yield label_dead_end(start_puzzle, side)
            plan = solved.plan
        if plan:
            short = shorten(
                start_puzzle, plan, settings.time_limit, max_states=settings.planner_states
            )
            plan = raise_if_interrupted(short).plan
            visited += start_puzzle.replay(plan)
            yield label_plan(start_puzzle, plan, side)
        elif start == 0:
            return


def raise_if_interrupted(result: Found) -> Found:
    """Returns the result of a search, or raises KeyboardInterrupt if the user interrupted it."""
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def with_initial_state(puzzle: Puzzle, state: State) -> Puzzle:
    """Returns the puzzle with another initial state."""
    objects = zip(puzzle.objects, state, strict=True)
    return replace(puzzle, objects=tuple(replace(thing, start=place) for thing, place in objects))


def label_arrangements(space: StateSpace, arrangements: Sequence[int], side: int) -> Examples:
    """Returns the examples of some arrangements of a state space."""
    observer = Observer(space.puzzle)
    examples = _unlabelled(observer, space.states[space.first[list(arrangements)]], side)
    for index, arrangement in enumerate(arrangements):
        states = space.states_of(arrangement)
        rows, columns = observer.cells_of_agent(space.states[states])
        examples.distances[index, rows, columns] = space.distances[states]
        examples.actions[index, rows, columns] = space.best_actions(states)
    return examples


def choose_arrangements(
    space: StateSpace, count: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Returns the indices of up to `count` arrangements.

    At most a third each are on a shortest plan, one push away from it, and any others from which
    the goal can be reached.
    """
    arrangement_of = np.repeat(np.arange(len(space.first) - 1), np.diff(space.first))
    state = space.index_of(np.array(space.puzzle.initial_state, np.int16))
    path = [state]
    while space.distances[path[-1]] > 0:
        successors = space.successors[path[-1]]
        best = successors[space.distances[successors] == space.distances[path[-1]] - 1]
        path.append(int(random.choice(best)))
    on_plan = np.unique(arrangement_of[path])
    near = np.unique(arrangement_of[space.successors[np.isin(arrangement_of, on_plan)]])
    alive = np.unique(arrangement_of[space.distances > 0])
    chosen = np.zeros(0, np.int64)
    for share, candidates in ((3, on_plan), (2, near), (1, alive)):
        new = np.setdiff1d(candidates, chosen)
        most = (count - len(chosen)) // share
        chosen = np.concatenate([chosen, random.permutation(new)[:most]])
    return chosen


def label_plan(puzzle: Puzzle, plan: str, side: int) -> Examples:
    """Returns an example for each arrangement that a plan goes through."""
    observer = Observer(puzzle)
    states = np.array(list(puzzle.replay(plan)), np.int16)
    actions = parse_plan(plan)
    pushes = np.flatnonzero((states[1:, 1:] != states[:-1, 1:]).any(axis=(1, 2)))
    examples = _unlabelled(observer, states[pushes], side)
    rows, columns = observer.cells_of_agent(states[pushes])
    for index, push in enumerate(pushes):
        hits = examples.planes[index, : observer.height, : observer.width, AGENT_HITS] > 0
        walk = _walk(observer.agent_fits & ~hits, (rows[index], columns[index]))
        known = walk >= 0
        part = (index, slice(observer.height), slice(observer.width))
        examples.distances[part][known] = walk[known] + len(actions) - push
        examples.actions[part] = _closer(walk)
        cell = (index, rows[index], columns[index])
        examples.actions[cell] = np.arange(NUM_ACTIONS) == actions[push]
    return examples


def label_dead_end(puzzle: Puzzle, side: int) -> Examples:
    """Returns the example of the initial arrangement of an unsolvable puzzle.

    Cells that the agent reaches without a push are labelled as dead ends.
    """
    observer = Observer(puzzle)
    states = np.array([puzzle.initial_state], np.int16)
    example = _unlabelled(observer, states, side)
    (row,), (column,) = observer.cells_of_agent(states)
    hits = example.planes[0, : observer.height, : observer.width, AGENT_HITS] > 0
    known = _walk(observer.agent_fits & ~hits, (row, column)) >= 0
    example.distances[0, : observer.height, : observer.width][known] = DEAD
    return example


def _unlabelled(observer: Observer, states: StateArray, side: int) -> Examples:
    """Returns examples of states, without labels."""
    examples = Examples.empty(len(states), side)
    if len(states):
        examples.planes[:, : observer.height, : observer.width] = observer.draw(states)
    examples.sizes[:] = observer.height, observer.width
    return examples


def _walk(free: NDArray[np.bool_], end: tuple[int, int]) -> NDArray[np.int64]:
    """Returns the number of steps from each free cell to the end, or -1 if there is no way."""
    walk = np.full(np.add(free.shape, 2), -1)
    inside = walk[1:-1, 1:-1]
    layer = np.zeros_like(walk, np.bool_)
    layer[1:-1, 1:-1][end] = True
    steps = 0
    while layer.any():
        walk[layer] = steps
        steps += 1
        near = layer[:-2, 1:-1] | layer[2:, 1:-1] | layer[1:-1, :-2] | layer[1:-1, 2:]
        layer[1:-1, 1:-1] = near & free & (inside < 0)
    return inside


def _closer(walk: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which actions lead one step closer to the end, shape (height, width, 4)."""
    padded = np.pad(walk, 1, constant_values=-1)
    height, width = walk.shape
    closer = [
        (walk > 0) & (padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] == walk - 1)
        for dx, dy in DELTAS
    ]
    return np.stack(closer, axis=-1)
