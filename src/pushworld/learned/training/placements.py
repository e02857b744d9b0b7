"""Every way to place the objects of a small puzzle, and how far each is from the goal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine, StateArray
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.puzzle import Puzzle, PuzzleObject

UNREACHED = -1
"""The distance of a placement from which no actions lead to the goal."""


@dataclass(frozen=True, eq=False)
class Placements:
    """All states of a puzzle without overlaps, those that no play reaches included.

    States are grouped: the placements of the movables come one after the other, each with all
    positions of the agent that it leaves free.

    Attributes:
        states: shape (states, objects, 2).
        first: shape (groups + 1,): where each group begins.
        successors: shape (states, 4): the numbers of the states that the actions lead to.
        distances: shape (states,): the fewest actions to the goal, or `UNREACHED`.
    """

    puzzle: Puzzle
    states: StateArray
    first: NDArray[np.int64]
    successors: NDArray[np.int64]
    distances: NDArray[np.int32]

    @property
    def solvable(self) -> bool:
        """Whether there is a way to the goal from the initial state."""
        start = np.array(self.puzzle.initial_state, np.int16)
        return bool(self.distances[self.number_of(start)] != UNREACHED)

    def number_of(self, state: StateArray) -> int:
        """Returns the number of a state, given as an array of shape (objects, 2)."""
        return int(np.flatnonzero((self.states == state).all(axis=(1, 2)))[0])

    def best_actions(self, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Returns for each of some states which actions begin a shortest way, shape (count, 4)."""
        ahead = self.distances[self.successors[chosen]]
        here = self.distances[chosen][:, None]
        return np.asarray((here > 0) & (ahead == here - 1))


def place_objects(puzzle: Puzzle, max_states: int) -> Placements | None:
    """Returns all placements, or None if there may be more than `max_states`."""
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
    groups = codes // sizes[0]
    first = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1], [True]]))
    goals = np.array(puzzle.goal, np.int16).reshape(-1, 2)
    solved = (states[:, 1 : 1 + len(goals)] == goals).all(axis=(1, 2))
    return Placements(puzzle, states, first, successors, _distances(successors, solved))


def _positions(puzzle: Puzzle, index: int) -> StateArray:
    """Returns the positions that walls leave to an object, shape (count, 2)."""
    thing = puzzle.objects[index]
    stops = puzzle.walls | puzzle.agent_walls if index == 0 else puzzle.walls
    free = [
        (x, y)
        for y in range(puzzle.height - thing.height + 1)
        for x in range(puzzle.width - thing.width + 1)
        if stops.isdisjoint(thing.cells_at((x, y)))
    ]
    return np.array(free, np.int16).reshape(-1, 2)


def _joined(
    puzzle: Puzzle,
    positions: list[StateArray],
    chosen: NDArray[np.int64],
    placed: list[int],
    index: int,
) -> NDArray[np.int64]:
    """Returns all choices of positions, extended by those of one more object that overlap nothing."""
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
    touching = {(ax - bx, ay - by) for ax, ay in one.shape for bx, by in other.shape}
    apart = np.ones((len(ones), len(others)), np.bool_)
    difference = others[None, :] - ones[:, None]
    for offset in touching:
        apart &= (difference != offset).any(axis=2)
    return apart


def _codes(chosen: NDArray[np.int64], sizes: list[int]) -> NDArray[np.int64]:
    """Returns one rising number for each choice of positions."""
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
    reached = np.repeat(states, NUM_ACTIONS, axis=0)
    Engine(puzzle).step_batch(reached, np.tile(np.arange(NUM_ACTIONS), len(states)))
    numbers = np.stack(
        [_numbering(positions[i], puzzle)[reached[:, i, 1], reached[:, i, 0]] for i in columns], 1
    )
    reached_codes = _codes(numbers, [len(positions[column]) for column in columns])
    number_of_code = np.zeros(int(codes[-1]) + 1, np.int64)
    number_of_code[codes] = np.arange(len(codes))
    return number_of_code[reached_codes].reshape(-1, NUM_ACTIONS)


def _numbering(positions: StateArray, puzzle: Puzzle) -> NDArray[np.int64]:
    """Returns the number of each position, by row and column."""
    numbers = np.zeros((puzzle.height, puzzle.width), np.int64)
    numbers[positions[:, 1], positions[:, 0]] = np.arange(len(positions))
    return numbers


def _distances(successors: NDArray[np.int64], solved: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Returns the fewest actions to a solved state, by going backwards from all of them."""
    ends = successors.ravel()
    order = np.argsort(ends, kind="stable")
    sources = order // NUM_ACTIONS
    starts = np.searchsorted(ends[order], np.arange(len(solved) + 1))
    distances = np.where(solved, 0, UNREACHED).astype(np.int32)
    frontier = np.flatnonzero(solved)
    distance = 0
    while len(frontier):
        distance += 1
        counts = starts[frontier + 1] - starts[frontier]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        before = sources[np.repeat(starts[frontier], counts) + within]
        frontier = np.unique(before[distances[before] == UNREACHED])
        distances[frontier] = distance
    return distances
