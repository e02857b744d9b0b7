"""The options of an environment, and the format of its observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, TypedDict, TypeVar

import numpy as np

from pushworld.envs.contract import (
    OBSERVATION_KINDS,
    PIXEL_TYPES,
    ObservationKind,
    PixelType,
    Reward,
    RewardName,
)
from pushworld.envs.planes import Frame
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.render.raster import DEFAULT_PIXELS_PER_CELL, checked_border_width

Choice = TypeVar("Choice")

FRAMING = ("symmetries", "width", "height", "goals", "objects")
"""The options that determine the frame."""


class OptionArguments(TypedDict, total=False):
    """The keyword arguments that all environments share; `EnvOptions` says what they mean."""

    observation: ObservationKind
    symmetries: bool
    placement: bool
    width: int | None
    height: int | None
    goals: int | None
    objects: int | None
    reward: RewardName | Reward
    dtype: PixelType
    pixels_per_cell: int
    border_width: int | None


@dataclass(frozen=True)
class EnvOptions:
    """The options that all environments share.

    Attributes:
        observation: ``planes``, ``pixels`` or ``state``.
        symmetries: whether each episode transforms its puzzle by a random one of the 8 symmetries,
            or of the 4 that keep rows horizontal if the frame is too narrow for the others.
        placement: whether each episode places its puzzle at a random position in the frame instead
            of in the centre.
        width, height: the frame in cells to which every puzzle is padded with walls; the smallest
            that holds all puzzles if not given, a square with `symmetries`.
        goals: the number of goals that have planes; the largest of a puzzle if not given.
        objects: the number of objects in the observation ``state``; the largest of a puzzle if not
            given.
        reward: ``paper``, ``sparse`` (1 for the solution, else 0), ``shaped`` (the paper's, and
            moves of objects towards their goals) or a `Reward`.
        dtype: the type of pixels: ``float32`` in [0, 1] or ``uint8`` in [0, 255].
        pixels_per_cell, border_width: the scale of pixel observations and of rendered pictures.

    Raises:
        PushWorldError: if an option is not one of these.
    """

    observation: ObservationKind = "planes"
    symmetries: bool = False
    placement: bool = False
    width: int | None = None
    height: int | None = None
    goals: int | None = None
    objects: int | None = None
    reward: RewardName | Reward = "paper"
    dtype: PixelType = "float32"
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL
    border_width: int | None = None

    @classmethod
    def of(cls, arguments: OptionArguments) -> EnvOptions:
        """Returns the options of keyword arguments; raises PushWorldError if there is no such one."""
        known = [field.name for field in fields(cls)]
        for name in arguments:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                meant = f"did you mean {close[0]!r}?" if close else f"use {', '.join(known)}"
                raise PushWorldError(f"environments have no option {name!r}: {meant}")
        return cls(**arguments)

    def __post_init__(self) -> None:
        _check("observation", self.observation, OBSERVATION_KINDS)
        _check("dtype", self.dtype, PIXEL_TYPES)
        if self.dtype != "float32" and self.observation != "pixels":
            raise PushWorldError(
                f"dtype {self.dtype!r} is for pixels, and the observation is {self.observation!r}"
            )
        Reward.named(self.reward)

    @property
    def framing(self) -> EnvOptions:
        """The options that determine the frame; the others have their defaults."""
        return EnvOptions(**{name: getattr(self, name) for name in FRAMING})

    def frame_around(self, puzzles: Sequence[Puzzle]) -> Frame:
        """Returns the frame of a set of puzzles."""
        return Frame.around(puzzles, **{name: getattr(self, name) for name in FRAMING})

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
        return ObservationFormat(
            shape, np.dtype(self.dtype), 0, 255 if self.dtype == "uint8" else 1
        )


def _check(option: str, chosen: Choice, choices: Sequence[Choice]) -> None:
    if chosen not in choices:
        raise PushWorldError(f"there is no {option} {chosen!r}: use {', '.join(map(str, choices))}")


@dataclass(frozen=True)
class ObservationFormat:
    """The shape, type, and smallest and largest value of an observation."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    low: int
    high: int
