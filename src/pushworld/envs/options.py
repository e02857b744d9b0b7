"""The options of an environment, and the format of its observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pushworld.envs.contract import OBSERVATION_KINDS, ObservationKind
from pushworld.envs.planes import Frame
from pushworld.puzzle import PushWorldError
from pushworld.render.validation import DEFAULT_PIXELS_PER_CELL, checked_border_width


@dataclass(frozen=True)
class EnvOptions:
    """The options that all environments share.

    Attributes:
        observation: ``planes``, ``pixels`` or ``state``.
        symmetries: whether each episode transforms its puzzle by a random one of the 8 symmetries.
        placement: whether each episode places its puzzle at a random position in the frame instead
            of in the centre.
        pixels_per_cell, border_width: the scale of pixel observations and of rendered pictures.

    Raises:
        PushWorldError: if there is no such kind of observation.
    """

    observation: ObservationKind = "planes"
    symmetries: bool = False
    placement: bool = False
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL
    border_width: int | None = None

    def __post_init__(self) -> None:
        if self.observation not in OBSERVATION_KINDS:
            raise PushWorldError(
                f"there is no observation {self.observation!r}: use {', '.join(OBSERVATION_KINDS)}"
            )

    def format_in(self, frame: Frame) -> ObservationFormat:
        """Returns the shape, type and range of the observations in a frame."""
        if self.observation == "planes":
            return ObservationFormat(frame.planes_shape, np.dtype(np.uint8), 0, 1)
        if self.observation == "state":
            largest = max(frame.width, frame.height) - 1
            return ObservationFormat((frame.objects, 2), np.dtype(np.int16), -1, largest)
        size = self.pixels_per_cell
        checked_border_width((frame.width, frame.height), size, self.border_width)
        shape = (frame.height * size, frame.width * size, 3)
        return ObservationFormat(shape, np.dtype(np.float32), 0, 1)


@dataclass(frozen=True)
class ObservationFormat:
    """The shape, type, and smallest and largest value of an observation."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    low: int
    high: int
