"""Animations: the frames and the timing of a plan, GIF files, and PNG files of single states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from pushworld.files import replaced
from pushworld.puzzle import State
from pushworld.render.colours import PALETTE
from pushworld.render.raster import IndexImage, Painter
from pushworld.render.validation import RenderError

if TYPE_CHECKING:
    from PIL import Image

STEPS_PER_SECOND = 6
MAX_FPS = 50
MAX_GIF_PIXELS = 1_000_000_000


@dataclass(frozen=True)
class Timing:
    """The timing of an animated plan.

    Attributes:
        fps: frames a second, at most 50; None for 6 steps of the plan a second, or as many as 50
            frames allow.
        frames_per_step: 1 shows only the states; more add frames in between, for smooth movement.
        hold_seconds: how long the last state is shown.

    Raises:
        RenderError: if a number is out of range.
    """

    fps: float | None = None
    frames_per_step: int = 1
    hold_seconds: float = 1.5

    def __post_init__(self) -> None:
        if self.frames_per_step < 1:
            raise RenderError(f"{self.frames_per_step} frames per step are too few: use 1 or more")
        if not self.hold_seconds >= 0:
            raise RenderError(f"the last state cannot stay for {self.hold_seconds} seconds")
        if not 0 < self.frames_per_second <= MAX_FPS:
            raise RenderError(
                f"{self.frames_per_second:g} frames a second cannot be shown: "
                f"use more than 0 and at most {MAX_FPS}"
            )

    @property
    def frames_per_second(self) -> float:
        if self.fps is not None:
            return self.fps
        return min(MAX_FPS, STEPS_PER_SECOND * self.frames_per_step)


def write_png(path: Path, painter: Painter, state: State) -> None:
    """Writes a picture of a state."""
    image = _paletted(painter.indices(state))
    with replaced(path) as new:
        image.save(new, "PNG", optimize=True)


def write_gif(path: Path, painter: Painter, states: Sequence[State], timing: Timing) -> None:
    """Writes an endless animation of successive states, in the exact colours.

    Equal successive frames become one frame that is shown longer.
    """
    count = (len(states) - 1) * timing.frames_per_step + 1
    if count * painter.shape[0] * painter.shape[1] > MAX_GIF_PIXELS:
        raise RenderError(
            f"{count} frames of {painter.shape[1]} x {painter.shape[0]} pixels are too much for a "
            "GIF: use fewer pixels per cell or fewer frames per step, or write an MP4"
        )
    milliseconds = [1000 / timing.frames_per_second] * count
    milliseconds[-1] += 1000 * timing.hold_seconds
    images = map(_paletted, frames(painter, states, timing.frames_per_step))
    with replaced(path) as new:
        next(images).save(
            new,
            "GIF",
            save_all=True,
            append_images=images,
            palette=PALETTE.tobytes(),
            optimize=False,
            duration=[round(duration / 10) * 10 for duration in milliseconds],
            loop=0,
        )


def frames(painter: Painter, states: Sequence[State], frames_per_step: int) -> Iterator[IndexImage]:
    """Yields the pictures of the states, with `frames_per_step` - 1 pictures between two."""
    yield painter.indices(states[0])
    for before, after in pairwise(states):
        for frame in range(1, frames_per_step):
            yield painter.indices(before, after, frame / frames_per_step)
        yield painter.indices(after)


def _paletted(indices: IndexImage) -> Image.Image:
    """Returns an image of palette indices as a Pillow image with our palette."""
    from PIL import Image

    height, width = indices.shape
    image = Image.frombytes("P", (width, height), indices.tobytes())
    image.putpalette(PALETTE.tobytes())
    return image
