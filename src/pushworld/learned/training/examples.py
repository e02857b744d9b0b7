"""Labelled examples: observations with goal distances and best actions, in arrays and files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pushworld.datasets.arrays import read_arrays
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.learned.observation import CHANNELS
from pushworld.puzzle import PushWorldError

UNKNOWN = -2
"""The distance of a cell without a label: the agent does not fit, or the distance is unknown."""

DEAD = -1
"""The distance of a dead end."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Examples with grids of different sizes, padded to squares of one size.

    An example shows one arrangement of the movables, and has a label for every position of the
    agent. Grids are in the top-left corners of the squares.

    Attributes:
        planes: float16 (count, side, side, channels), as `Observer.draw` returns them.
        sizes: int16 (count, 2), the height and width of the grid.
        distances: int16 (count, side, side), the goal distance with the agent's corner in this cell.
        actions: bool (count, side, side, 4), whether the action is a best one.
    """

    planes: NDArray[np.float16]
    sizes: NDArray[np.int16]
    distances: NDArray[np.int16]
    actions: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def side(self) -> int:
        return int(self.planes.shape[1])

    @classmethod
    def empty(cls, count: int, side: int) -> Examples:
        """Returns `count` examples without labels."""
        return cls(
            np.zeros((count, side, side, CHANNELS), np.float16),
            np.zeros((count, 2), np.int16),
            np.full((count, side, side), UNKNOWN, np.int16),
            np.zeros((count, side, side, NUM_ACTIONS), np.bool_),
        )

    @classmethod
    def join(cls, parts: Iterable[Examples]) -> Examples:
        """Returns the examples of all parts, which must have the same side."""
        several = list(parts)
        return cls(
            *(
                np.concatenate([getattr(part, each.name) for part in several])
                for each in fields(cls)
            )
        )

    def take(self, chosen: NDArray[np.int64]) -> Examples:
        """Returns the examples with the given indices."""
        return Examples(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def save(self, path: Path) -> None:
        """Writes the examples to a file."""
        with path.open("wb") as file:
            np.savez(file, **{each.name: getattr(self, each.name) for each in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Examples:
        """Returns the examples of a file, or raises PushWorldError if it does not hold any."""
        arrays = read_arrays(path)
        try:
            return cls(*(arrays[each.name] for each in fields(cls)))
        except KeyError as error:
            raise PushWorldError(f"{path} holds no examples: make them with `make`") from error
