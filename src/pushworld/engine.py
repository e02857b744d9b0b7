"""The native engine: the dynamics of the reference, hundreds of times as fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pushworld import _native
from pushworld.puzzle import Position, Puzzle, State

StateArray = NDArray[np.int16]
"""States as an array of shape (count, objects, 2): the (x, y) of each object, the agent first."""

Integer = TypeVar("Integer", bound=np.integer[Any])


class Engine:
    """The dynamics of one puzzle, for single states and for many at once."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.native = _native.make_dynamics(
            width=puzzle.width,
            height=puzzle.height,
            walls=_in_order(puzzle.walls),
            agent_walls=_in_order(puzzle.agent_walls),
            objects=[(list(thing.shape), thing.start, thing.goal) for thing in puzzle.objects],
        )

    def initial_states(self, count: int) -> StateArray:
        """Returns `count` copies of the initial state."""
        return np.tile(self.to_array([self.puzzle.initial_state]), (count, 1, 1))

    def to_array(self, states: Sequence[State]) -> StateArray:
        """Returns states as a new array that the batched methods take."""
        array = _whole_numbers(states, np.int16, "positions")
        return array.reshape(len(states), len(self.puzzle.objects), 2)

    def step(self, state: State, action: int) -> State:
        """Returns the state after an action."""
        states = self.to_array([state])
        self.step_batch(states, [action])
        return tuple((int(x), int(y)) for x, y in states[0])

    def step_batch(
        self,
        states: StateArray,
        actions: ArrayLike,
        moved: NDArray[np.uint8] | None = None,
        threads: int = 1,
    ) -> None:
        """Steps many states in place, each by its own action.

        Args:
            states: int16 array of shape (count, objects, 2), changed in place.
            actions: `count` numbers 0..3.
            moved: if given, a uint8 array that receives 1 where something moved.
            threads: the number of cores to use.

        Raises:
            ValueError: if an array has the wrong shape, or a position or action is out of range;
                nothing is changed then.
            TypeError: if an array has the wrong type or number of dimensions.
        """
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        chosen = _whole_numbers(actions, np.uint8, "actions")
        _native.step_batch(self.native, states, chosen, moved, threads)

    def achieved_goals(self, states: StateArray) -> NDArray[np.uint16]:
        """Returns the number of achieved goals in each state."""
        achieved = np.empty(len(states), np.uint16)
        _native.achieved_goals(self.native, states, achieved)
        return achieved


def _whole_numbers(values: ArrayLike, dtype: type[Integer], what: str) -> NDArray[Integer]:
    """Returns a new array of an integer type with the values, if it can hold all of them."""
    given = np.asarray(values)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise TypeError(f"{what} must be whole numbers, not {given.dtype}")
    converted = np.array(given, dtype, order="C")
    if given.dtype != dtype and not np.array_equal(converted, given):
        raise ValueError(f"{what} are out of range")
    return converted


def _in_order(cells: frozenset[Position]) -> list[Position]:
    return sorted(cells)
