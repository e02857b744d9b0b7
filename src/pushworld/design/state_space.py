"""The state space of a small puzzle: all reachable states, and those from which it can be solved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pushworld.design.budget import check_deadline, engine_within_deadline
from pushworld.puzzle import Puzzle, State

STATES_PER_CHECK = 1024

Mask = NDArray[np.bool_]
"""One truth value for each state of a state space."""


@dataclass(frozen=True, eq=False)
class StateSpace:
    """The reachable states of a puzzle as a graph.

    Attributes:
        numbers: the number of each state by its positions as bytes; the initial state has 0.
        successors: shape (states, 4): the numbers of the states after each action.
        at_goal: shape (states, goals): which goals hold in each state.
    """

    puzzle: Puzzle
    numbers: dict[bytes, int]
    successors: NDArray[np.int32]
    at_goal: Mask

    def __len__(self) -> int:
        return len(self.successors)

    def number_of(self, state: State) -> int:
        """Returns the number of a reachable state."""
        return self.numbers[np.array(state, np.int16).tobytes()]

    @cached_property
    def solvable(self) -> Mask:
        """The states from which the puzzle can be solved."""
        everywhere = np.ones(len(self), np.bool_)
        return self.backwards(self.holding(range(len(self.puzzle.goal))), everywhere)

    def holding(self, goals: Iterable[int]) -> Mask:
        """Returns the states in which all of the given goals hold."""
        return np.asarray(self.at_goal[:, sorted(goals)].all(axis=1))

    def backwards(self, targets: Mask, within: Mask) -> Mask:
        """Returns the states from which a path inside `within` leads to a target."""
        reached = targets & within
        frontier = np.flatnonzero(reached)
        while len(frontier):
            before = np.unique(self._predecessors_of(frontier))
            frontier = before[within[before] & ~reached[before]]
            reached[frontier] = True
        return reached

    def one_step_before(self, targets: Mask) -> Mask:
        """Returns the states from which one action leads to a target."""
        return np.asarray(targets[self.successors].any(axis=1))

    def _predecessors_of(self, states: NDArray[np.intp]) -> NDArray[np.intp]:
        first, sources = self._reverse
        spans = [sources[first[state] : first[state + 1]] for state in states.tolist()]
        return np.concatenate(spans)

    @cached_property
    def _reverse(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The edges sorted by their ends: the first index of each state, and the sources."""
        ends = self.successors.ravel()
        order = np.argsort(ends, kind="stable")
        first = np.searchsorted(ends[order], np.arange(len(self) + 1))
        return first, order // 4


def explore(puzzle: Puzzle, max_states: int) -> StateSpace | None:
    """Returns the state space of a puzzle, or None if it has more than `max_states` states.

    Raises:
        OutOfTimeError: if the deadline comes first.
    """
    engine = engine_within_deadline(puzzle)
    layer = engine.initial_states(1)
    numbers = {layer[0].tobytes(): 0}
    layers, edges = [layer], []
    while len(layer):
        reached = np.repeat(layer, 4, axis=0)
        engine.step_batch(reached, np.tile(np.arange(4), len(layer)))
        known = len(numbers)
        ends: list[int] = []
        new: list[int] = []
        for index, state in enumerate(reached):
            if index % STATES_PER_CHECK == 0:
                check_deadline()
            number = numbers.setdefault(state.tobytes(), len(numbers))
            if number == known + len(new):
                new.append(index)
            ends.append(number)
        if len(numbers) > max_states:
            return None
        edges += ends
        layer = reached[new]
        layers.append(layer)
    states = np.concatenate(layers)
    goals = np.array(puzzle.goal, np.int16).reshape(-1, 2)
    at_goal = (states[:, 1 : 1 + len(goals)] == goals).all(axis=2)
    return StateSpace(puzzle, numbers, np.array(edges, np.int32).reshape(-1, 4), at_goal)


def possible_orders(space: StateSpace, orders: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Returns the orders in which the goals can be achieved for good, one after the other.

    A goal holds for good from its last arrival on. An order is possible if the last arrivals of some
    plan come in that order, no two of them in the same action.
    """
    known: dict[tuple[frozenset[int], tuple[int, ...]], Mask] = {}

    def able(held: frozenset[int], rest: tuple[int, ...]) -> Mask:
        """Returns the states from which the rest can be achieved in order while `held` stays."""
        if (held, rest) not in known:
            within = space.holding(held)
            if rest:
                then = able(held | {rest[0]}, rest[1:])
                arrival = space.one_step_before(then) & ~space.at_goal[:, rest[0]]
                known[held, rest] = space.backwards(arrival, within)
            else:
                known[held, rest] = within
        return known[held, rest]

    # A goal that holds from the start and is never given up has no arrival; it comes first.
    home = set(np.flatnonzero(space.at_goal[0]).tolist())
    return [
        order
        for order in orders
        if any(
            able(frozenset(order[:kept]), order[kept:])[0]
            for kept in range(len(order) + 1)
            if home.issuperset(order[:kept])
        )
    ]
