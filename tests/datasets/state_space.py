"""Exhaustive search of small puzzles: what can be reached, and from where it can be solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine, StateArray
from pushworld.puzzle import Puzzle, State

MAX_SIDE = 16
MAX_OBJECTS = 7


@dataclass(frozen=True)
class StateSpace:
    """All reachable states of a puzzle.

    Attributes:
        puzzle: the puzzle.
        states: the states, shape (count, objects, 2), nearest first.
        achieved: the number of goals that hold in each state.
        solvable: whether a solution can be reached from each state.
    """

    puzzle: Puzzle
    states: StateArray
    achieved: NDArray[np.uint8]
    solvable: NDArray[np.bool_]

    def positions(self, name: str) -> StateArray:
        """Returns where an object is in each state, shape (count, 2)."""
        names = [thing.name for thing in self.puzzle.objects]
        return self.states[:, names.index(name)]

    def is_home(self, name: str) -> NDArray[np.bool_]:
        """Returns whether an object is on its goal in each state."""
        goal = next(thing.goal for thing in self.puzzle.objects if thing.name == name)
        assert goal is not None
        return np.asarray(np.all(self.positions(name) == np.array(goal), axis=1))

    def is_dead_end(self, state: State) -> bool:
        """Returns whether no plan leads from a reachable state to a solution."""
        here = np.all(self.states == np.array(state), axis=(1, 2))
        assert here.any()
        return not self.solvable[here].any()


def explore(puzzle: Puzzle) -> StateSpace:
    """Returns the state space of a puzzle with few objects in a small world."""
    engine = Engine(puzzle)
    layers, reached = zip(*_layers(engine), strict=True)
    states = np.concatenate(layers)
    keys = _encode(states)
    by_key = np.argsort(keys)
    graph = by_key[np.searchsorted(keys[by_key], np.concatenate(reached))].reshape(-1, 4)
    achieved = engine.achieved_goals(states)
    solvable = achieved == len(puzzle.goal)
    known = 0
    while known < (known := int(solvable.sum())):
        solvable |= solvable[graph].any(axis=1)
    return StateSpace(puzzle, states, achieved, solvable)


def solution_length(puzzle: Puzzle) -> int | None:
    """Returns the length of a shortest plan, or None if the puzzle is unsolvable."""
    engine = Engine(puzzle)
    for depth, (states, _) in enumerate(_layers(engine)):
        if (engine.achieved_goals(states) == len(puzzle.goal)).any():
            return depth
    return None


def _layers(engine: Engine) -> Iterator[tuple[StateArray, NDArray[np.int64]]]:
    """Yields the states at distance 0, 1, 2, ..., and the keys of the four successors of each."""
    states = engine.initial_states(1)
    known = _encode(states)
    while len(states):
        successors = np.repeat(states, 4, axis=0)
        engine.step_batch(successors, np.tile(np.arange(4), len(states)))
        reached = _encode(successors)
        yield states, reached
        unique, first = np.unique(reached, return_index=True)
        places = np.searchsorted(known, unique)
        new = known[np.minimum(places, len(known) - 1)] != unique
        known = np.insert(known, places[new], unique[new])
        states = successors[first[new]]


def _encode(states: StateArray) -> NDArray[np.int64]:
    """Returns a key for each state, different for different states."""
    coordinates = states.reshape(len(states), -1).astype(np.int64)
    assert coordinates.shape[1] <= 2 * MAX_OBJECTS
    assert coordinates.max(initial=0) < MAX_SIDE
    return np.asarray(coordinates @ MAX_SIDE ** np.arange(coordinates.shape[1]))
