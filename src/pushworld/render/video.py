"""MP4 files of plans, by the encoder of the extra ``video``."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import numpy as np

from pushworld.files import replaced
from pushworld.puzzle import State
from pushworld.render.animation import Timing, frames
from pushworld.render.colours import PALETTE
from pushworld.render.raster import Painter
from pushworld.render.validation import RenderError

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
