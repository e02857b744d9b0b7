"""The native engine: the same dynamics as the reference, hundreds of times faster."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pushworld import _native
from pushworld.puzzle import Position, Puzzle, State

StateArray = NDArray[np.int16]
"""States as an array of shape (count, objects, 2): the (x, y) of each object, the agent first."""

PART = 4096
"""Cells that are converted at a time: about a millisecond's worth."""

Integer = TypeVar("Integer", bound=np.integer[Any])


class Engine:
    """The dynamics of one puzzle, for single states and for batches."""

    def __init__(self, puzzle: Puzzle, control: _native.Control | None = None) -> None:
        """Makes the tables of the engine.

        Args:
            control: the limits of a search. Time and memory of the tables count for it.

        Raises:
            _native.SearchStopped: if `control` ends the work; its text is the status.
        """
        self.puzzle = puzzle
        spec = _native.WorldSpec(puzzle.width, puzzle.height)
        _add_parts(spec.add_walls, puzzle.walls, control)
        _add_parts(spec.add_agent_walls, puzzle.agent_walls, control)
        for thing in puzzle.objects:
            spec.add_object(thing.start, thing.goal)
            _add_parts(spec.add_cells, thing.shape, control)
        self.native = _native.make_dynamics(spec, control)

    def initial_states(self, count: int) -> StateArray:
        """Returns `count` copies of the initial state."""
        return np.tile(self.to_array([self.puzzle.initial_state]), (count, 1, 1))

    def to_array(self, states: Sequence[State]) -> StateArray:
        """Returns states as a new array for the batched methods."""
        array = _to_integers(states, np.int16, "positions")
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
        """Applies one action to each state, in place.

        Args:
            states: int16 array of shape (count, objects, 2), changed in place.
            actions: `count` integers from 0 to 3.
            moved: a uint8 array of length `count`, or None. Receives 1 where something moved.
            threads: the maximal number of threads.

        Raises:
            ValueError: if an array has the wrong shape, or a position or an action is out of range.
                Then no state has changed.
            TypeError: if an array has the wrong type or number of dimensions.
        """
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        chosen = _to_integers(actions, np.uint8, "actions")
        _native.step_batch(self.native, states, chosen, moved, threads)

    def achieved_goals(self, states: StateArray) -> NDArray[np.uint16]:
        """Returns the number of achieved goals in each state."""
        achieved = np.empty(len(states), np.uint16)
        _native.achieved_goals(self.native, states, achieved)
        return achieved


def _add_parts(
    add: Callable[[Sequence[Position]], None],
    cells: Iterable[Position],
    control: _native.Control | None,
) -> None:
    """Adds cells to a world part by part, because it may have a million."""
    rest = iter(cells)
    while part := tuple(islice(rest, PART)):
        if control is not None:
            control.check()
        add(part)


def _to_integers(values: ArrayLike, dtype: type[Integer], what: str) -> NDArray[Integer]:
    """Returns a new array of `dtype`. Raises if a value is not an integer or out of range."""
    given = np.asarray(values)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise TypeError(f"{what} must be integers, not {given.dtype}")
    converted = np.array(given, dtype, order="C")
    if given.dtype != dtype and not np.array_equal(converted, given):
        raise ValueError(f"{what} are out of range")
    return converted
