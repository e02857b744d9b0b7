"""Types of the native module."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position

class Dynamics:
    @property
    def num_objects(self) -> int: ...

def make_dynamics(
    width: int,
    height: int,
    walls: list[Position],
    agent_walls: list[Position],
    objects: list[tuple[list[Position], Position, Position | None]],
) -> Dynamics: ...
def step_batch(
    dynamics: Dynamics,
    states: NDArray[np.int16],
    actions: NDArray[np.uint8],
    moved: NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> None: ...
def achieved_goals(
    dynamics: Dynamics, states: NDArray[np.int16], achieved: NDArray[np.uint8]
) -> None: ...
def __getattr__(name: str) -> Any: ...
