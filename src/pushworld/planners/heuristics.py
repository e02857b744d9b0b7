"""The heuristics of the planners, evaluated in single states."""

import math

from pushworld import _native
from pushworld.engine import Engine
from pushworld.puzzle import Puzzle, State


class Heuristics:
    """Estimates of the number of actions to the goal of one puzzle."""

    def __init__(self, puzzle: Puzzle, control: _native.Control | None = None) -> None:
        """Makes the tables of the heuristics.

        Args:
            control: limits for these tables and for all estimates. `_native.SearchStopped` is raised
                when one is reached.
        """
        self._native = _native.Heuristics(Engine(puzzle, control).native, control)

    def rgd(self, state: State) -> float:
        """Returns the recursive graph distance; infinite values prove dead ends.

        Args:
            state: positions that the objects can have as far as walls are concerned.
        """
        return _number(self._native.rgd(list(state)))

    def cea(self, state: State) -> float:
        """Returns the context-enhanced additive heuristic; infinite values prove nothing."""
        return _number(self._native.cea(list(state)))

    def lower_bound(self, state: State) -> float:
        """Returns a number of actions that no plan from the state goes below."""
        return _number(self._native.lower_bound(list(state)))


def _number(value: int) -> float:
    return math.inf if value >= _native.INFINITY else value
