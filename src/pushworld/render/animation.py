"""Animations: the frames and the timing of a plan, GIF and MP4 files, and PNG files of single states.

MP4 files need the encoder of the extra ``video``.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import numpy as np

from pushworld.files import replaced
from pushworld.puzzle import State
from pushworld.render.colours import PALETTE
from pushworld.render.raster import IndexImage, Painter, RenderError

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


BT709 = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709")
H264 = (
    *("-an", "-vcodec", "libx264", "-pix_fmt", "yuv420p"),
    *("-crf", "16", "-tune", "animation", "-movflags", "+faststart"),
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv"),
    *BT709,
)


def write_mp4(path: Path, painter: Painter, states: Sequence[State], timing: Timing) -> None:
    """Writes a video of successive states (H.264, yuv420p).

    A side with an odd number of pixels gets one more pixel of wall: the format needs even numbers.

    Raises:
        RenderError: if the extra ``video`` is not installed, or the encoder fails.
        PushWorldError: if the file cannot be written.
    """
    height, width = painter.shape
    to_even = ((0, height % 2), (0, width % 2))
    size = (width + width % 2, height + height % 2)
    with _encoder(path, size, timing.frames_per_second) as video:
        for frame in frames(painter, states, timing.frames_per_step):
            picture = PALETTE[np.pad(frame, to_even, mode="edge")].tobytes()
            video.write(picture)
        for _ in range(round(timing.hold_seconds * timing.frames_per_second)):
            video.write(picture)


@contextmanager
def _encoder(path: Path, size: tuple[int, int], fps: float) -> Iterator[IO[bytes]]:
    """Yields a pipe for the pixels of the frames; leaves a complete video or no file."""
    command = [_ffmpeg(), "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{size[0]}x{size[1]}", "-r", str(Fraction(fps).limit_denominator())]
    with (
        replaced(path) as new,
        TemporaryFile() as messages,
        subprocess.Popen(
            [*command, "-i", "-", *H264, "-f", "mp4", str(new)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,  # Ctrl-C is handled by this process
        ) as encoder,
    ):
        assert encoder.stdin is not None
        try:
            yield encoder.stdin
        except BrokenPipeError:
            pass  # the encoder has ended; its messages say why
        except BaseException:
            encoder.kill()
            raise
        finally:
            with suppress(BrokenPipeError):  # closing writes what is left
                encoder.stdin.close()
        if encoder.wait() != 0:
            messages.seek(0)
            raise RenderError(f"the video encoder could not write {path}: {_reason(messages)}")


def _ffmpeg() -> str:
    """Returns the path of the encoder."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise RenderError(
            "MP4 needs a video encoder: pip install 'pushworld[video]', or write a .gif"
        ) from error


def _reason(messages: IO[bytes]) -> str:
    """Returns the encoder's first message."""
    first, *_ = [*messages.read().decode("utf-8", "replace").splitlines(), "it gave no reason"]
    return re.sub(r"^\[[^]]*\] ", "", first)
