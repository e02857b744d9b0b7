"""The complete state space of a small puzzle, with goal distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine, StateArray
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.puzzle import Puzzle, PuzzleObject

NO_PLAN = -1
"""The distance of a state without a plan."""


@dataclass(frozen=True, eq=False)
class StateSpace:
    """All states of a puzzle without overlaps, reachable or not.

    States are sorted by the arrangement of the movables: each arrangement is followed by the next,
    with all positions of the agent that it leaves free.

    Attributes:
        states: shape (states, objects, 2).
        first: shape (arrangements + 1,), the index of the first state of each arrangement.
        successors: shape (states, 4), the indices of the states that the actions lead to.
        distances: shape (states,), the fewest actions to the goal, or `NO_PLAN`.
    """

    puzzle: Puzzle
    states: StateArray
    first: NDArray[np.int64]
    successors: NDArray[np.int64]
    distances: NDArray[np.int32]

    @property
    def solvable(self) -> bool:
        """Whether the initial state has a plan."""
        start = np.array(self.puzzle.initial_state, np.int16)
        return bool(self.distances[self.index_of(start)] != NO_PLAN)

    def index_of(self, state: StateArray) -> int:
        """Returns the index of a state, given as an array of shape (objects, 2)."""
        return int(np.flatnonzero((self.states == state).all(axis=(1, 2)))[0])

    def states_of(self, arrangement: int) -> NDArray[np.int64]:
        """Returns the indices of the states of an arrangement."""
        return np.arange(self.first[arrangement], self.first[arrangement + 1])

    def best_actions(self, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Returns for some states which actions start a shortest plan, shape (count, 4)."""
        after = self.distances[self.successors[chosen]]
        before = self.distances[chosen][:, None]
        return np.asarray((before > 0) & (after == before - 1))


def enumerate_states(puzzle: Puzzle, max_states: int) -> StateSpace | None:
    """Returns the state space, or None if it may have more than `max_states` states."""
    positions = [_positions(puzzle, index) for index in range(len(puzzle.objects))]
    sizes = [len(each) for each in positions]
    if np.prod(sizes, dtype=np.float64) > max_states:
        return None
    chosen = np.zeros((1, 0), np.int64)
    for index in range(1, len(sizes)):
        chosen = _joined(puzzle, positions, chosen, list(range(1, index)), index)
    chosen = _joined(puzzle, positions, chosen, list(range(1, len(sizes))), 0)
    columns = [*range(1, len(sizes)), 0]
    order = [columns.index(index) for index in range(len(sizes))]
    states = np.stack([positions[i][chosen[:, order[i]]] for i in range(len(sizes))], axis=1)
    codes = _codes(chosen, [sizes[column] for column in columns])
    successors = _successors(puzzle, states, positions, codes, columns)
    arrangements = codes // sizes[0]
    starts = arrangements[1:] != arrangements[:-1]
    first = np.flatnonzero(np.concatenate([[True], starts, [True]]))
    goals = np.array(puzzle.goal, np.int16).reshape(-1, 2)
    solved = (states[:, 1 : 1 + len(goals)] == goals).all(axis=(1, 2))
    return StateSpace(puzzle, states, first, successors, _distances(successors, solved))


def _positions(puzzle: Puzzle, index: int) -> StateArray:
    """Returns the positions of an object that walls leave free, shape (count, 2)."""
    thing = puzzle.objects[index]
    obstacles = puzzle.walls | puzzle.agent_walls if index == 0 else puzzle.walls
    free = [
        (x, y)
        for y in range(puzzle.height - thing.height + 1)
        for x in range(puzzle.width - thing.width + 1)
        if obstacles.isdisjoint(thing.cells_at((x, y)))
    ]
    return np.array(free, np.int16).reshape(-1, 2)


def _joined(
    puzzle: Puzzle,
    positions: list[StateArray],
    chosen: NDArray[np.int64],
    placed: list[int],
    index: int,
) -> NDArray[np.int64]:
    """Returns all choices of positions, extended by the positions of one more object without overlaps."""
    fits = np.ones((len(chosen), len(positions[index])), np.bool_)
    for column, other in enumerate(placed):
        apart = _apart(
            puzzle.objects[other], positions[other], puzzle.objects[index], positions[index]
        )
        fits &= apart[chosen[:, column]]
    rows, added = np.nonzero(fits)
    return np.column_stack([chosen[rows], added])


def _apart(
    one: PuzzleObject, ones: StateArray, other: PuzzleObject, others: StateArray
) -> NDArray[np.bool_]:
    """Returns which positions of two objects do not overlap, shape (positions, positions)."""
    overlapping = {(ax - bx, ay - by) for ax, ay in one.shape for bx, by in other.shape}
    apart = np.ones((len(ones), len(others)), np.bool_)
    difference = others[None, :] - ones[:, None]
    for offset in overlapping:
        apart &= (difference != offset).any(axis=2)
    return apart


def _codes(chosen: NDArray[np.int64], sizes: list[int]) -> NDArray[np.int64]:
    """Returns the index of each choice of positions in the product of all positions."""
    code = np.zeros(len(chosen), np.int64)
    for column, size in enumerate(sizes):
        code = code * size + chosen[:, column]
    return code


def _successors(
    puzzle: Puzzle,
    states: StateArray,
    positions: list[StateArray],
    codes: NDArray[np.int64],
    columns: list[int],
) -> NDArray[np.int64]:
    successors = np.repeat(states, NUM_ACTIONS, axis=0)
    Engine(puzzle).step_batch(successors, np.tile(np.arange(NUM_ACTIONS), len(states)))
    numbers = np.stack(
        [
            _position_indices(positions[i], puzzle)[successors[:, i, 1], successors[:, i, 0]]
            for i in columns
        ],
        1,
    )
    successor_codes = _codes(numbers, [len(positions[column]) for column in columns])
    state_of_code = np.zeros(int(codes[-1]) + 1, np.int64)
    state_of_code[codes] = np.arange(len(codes))
    return state_of_code[successor_codes].reshape(-1, NUM_ACTIONS)


def _position_indices(positions: StateArray, puzzle: Puzzle) -> NDArray[np.int64]:
    """Returns the index of each position, by row and column."""
    numbers = np.zeros((puzzle.height, puzzle.width), np.int64)
    numbers[positions[:, 1], positions[:, 0]] = np.arange(len(positions))
    return numbers


def _distances(successors: NDArray[np.int64], solved: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Returns the fewest actions to a solved state, by breadth-first search backwards from all of them."""
    ends = successors.ravel()
    order = np.argsort(ends, kind="stable")
    sources = order // NUM_ACTIONS
    starts = np.searchsorted(ends[order], np.arange(len(solved) + 1))
    distances = np.where(solved, 0, NO_PLAN).astype(np.int32)
    frontier = np.flatnonzero(solved)
    distance = 0
    while len(frontier):
        distance += 1
        counts = starts[frontier + 1] - starts[frontier]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        before = sources[np.repeat(starts[frontier], counts) + within]
        frontier = np.unique(before[distances[before] == NO_PLAN])
        distances[frontier] = distance
    return distances
