"""Picture files, written and opened again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from pushworld.puzzle import PlanError, PushWorldError, Puzzle, State
from pushworld.render import Painter, RenderError, Timing, render_rgb, save_picture, states_of_plan
from pushworld.render.animation import write_gif, write_mp4

PUZZLE = Puzzle.parse(
    """
    .  .  .  .
    A  M1 .  G1
    M2 .  AW W
    """.strip()
)
PLAN = "RRL"


def gif_frames(path: Path) -> list[tuple[np.ndarray, int]]:
    """Returns the frames of an animation and how long each stays, in milliseconds."""
    frames = []
    with Image.open(path) as image:
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            frames.append((np.asarray(image.convert("RGB")), image.info.get("duration", 0)))
    return frames


def gif_local_palettes(data: bytes) -> int:
    """Returns how many images of a GIF bring a palette of their own."""

    def after_blocks(at: int) -> int:
        while data[at]:
            at += data[at] + 1
        return at + 1

    at = 13 + 3 * (2 << (data[10] & 7))
    found = 0
    while data[at] != ord(";"):
        if data[at] == ord("!"):
            at = after_blocks(at + 2)
        else:
            flags = data[at + 9]
            found += flags >> 7
            at = after_blocks(at + 11 + (3 * (2 << (flags & 7)) if flags >> 7 else 0))
    return found


def mp4_frames(path: Path) -> tuple[list[np.ndarray], dict[str, object]]:
    """Returns the frames of a video and what the decoder says about it."""
    reader = imageio_ffmpeg.read_frames(str(path))
    facts = next(reader)
    width, height = facts["size"]
    return [np.frombuffer(data, np.uint8).reshape(height, width, 3) for data in reader], facts


def test_png(tmp_path: Path) -> None:
    file = tmp_path / "state.png"
    save_picture(file, PUZZLE, plan=PLAN, pixels_per_cell=9, border_width=3)
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB"))
    assert np.array_equal(pixels, render_rgb(PUZZLE, states_of_plan(PUZZLE, PLAN)[-1], 9, 3))


def test_svg_and_a_suffix_in_capitals(tmp_path: Path) -> None:
    file = tmp_path / "state.SVG"
    save_picture(str(file), PUZZLE)
    assert ElementTree.parse(file).getroot().attrib["width"] == str(6 * 20)


def test_gif_of_a_plan(tmp_path: Path) -> None:
    file = tmp_path / "plan.gif"
    save_picture(file, PUZZLE, plan=PLAN, timing=Timing(fps=10, hold_seconds=2))
    frames = gif_frames(file)
    assert [duration for _, duration in frames] == [100, 100, 100, 2100]
    for (pixels, _), state in zip(frames, states_of_plan(PUZZLE, PLAN), strict=True):
        assert np.array_equal(pixels, render_rgb(PUZZLE, state))
    assert gif_local_palettes(file.read_bytes()) == 0


def test_gif_with_frames_in_between(tmp_path: Path) -> None:
    file = tmp_path / "smooth.gif"
    save_picture(file, PUZZLE, plan=PLAN, timing=Timing(frames_per_step=4))
    frames = gif_frames(file)
    assert len(frames) == 1 + 4 * len(PLAN)
    for (pixels, _), state in zip(frames[::4], states_of_plan(PUZZLE, PLAN), strict=True):
        assert np.array_equal(pixels, render_rgb(PUZZLE, state))
    assert frames[0][1] == pytest.approx(1000 / 6 / 4, abs=10)


def test_actions_without_effect_take_their_time(tmp_path: Path) -> None:
    file = tmp_path / "waiting.gif"
    save_picture(file, PUZZLE, plan="LLR", timing=Timing(fps=10, hold_seconds=0))
    assert [duration for _, duration in gif_frames(file)] == [300, 100]


def test_gif_of_a_state(tmp_path: Path) -> None:
    file = tmp_path / "still.gif"
    save_picture(file, PUZZLE)
    ((pixels, _),) = gif_frames(file)
    assert np.array_equal(pixels, render_rgb(PUZZLE))


def test_a_plan_may_start_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "later.gif"
    first, *_, last = states_of_plan(PUZZLE, PLAN)
    save_picture(file, PUZZLE, state=last, plan="L")
    frames = gif_frames(file)
    assert len(frames) == 2
    assert np.array_equal(frames[0][0], render_rgb(PUZZLE, last))
    assert not np.array_equal(frames[1][0], render_rgb(PUZZLE, first))


def test_mp4_of_a_plan(tmp_path: Path) -> None:
    file = tmp_path / "plan.mp4"
    save_picture(file, PUZZLE, plan=PLAN, timing=Timing(fps=8, hold_seconds=0.5))
    frames, facts = mp4_frames(file)
    assert len(frames) == 1 + len(PLAN) + 4
    assert facts["fps"] == 8
    assert str(facts["pix_fmt"]).startswith("yuv420p")
    expected = render_rgb(PUZZLE).astype(int)
    assert frames[0].shape == expected.shape
    centres = (slice(10, None, 20), slice(10, None, 20))
    assert np.abs(frames[0][centres] - expected[centres]).max() <= 8


def test_mp4_sides_become_even(tmp_path: Path) -> None:
    file = tmp_path / "odd.mp4"
    save_picture(file, Puzzle.parse("A . ."), pixels_per_cell=7)
    frames, _ = mp4_frames(file)
    assert frames[0].shape == (3 * 7 + 1, 5 * 7 + 1, 3)
    assert frames[0][-1].max() < 40


def test_mp4_without_an_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(RenderError, match=r"pip install 'pushworld\[video\]', or write a .gif"):
        save_picture(tmp_path / "plan.mp4", PUZZLE)


def test_a_video_that_the_encoder_cannot_write_is_not_called_written(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs a device that is always full")
    file = tmp_path / "plan.mp4"
    file.symlink_to(full)
    with pytest.raises(RenderError, match="No space left on device"):
        save_picture(file, PUZZLE, plan=PLAN)


@pytest.mark.parametrize("write", [write_gif, write_mp4])
def test_an_animation_that_is_interrupted_leaves_no_file(
    write: Callable[..., None], tmp_path: Path
) -> None:
    class Interrupted(Sequence[State]):
        """States of which only the first is ever reached."""

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: object) -> Any:
            if index == 0:
                return PUZZLE.initial_state
            raise KeyboardInterrupt

    file = tmp_path / f"plan.{write.__name__[-3:]}"
    with pytest.raises(KeyboardInterrupt):
        write(file, Painter(PUZZLE), Interrupted(), Timing())
    assert not file.exists()


@pytest.mark.parametrize("name", ["picture.bmp", "picture", "picture.jpeg"])
def test_other_suffixes(tmp_path: Path, name: str) -> None:
    with pytest.raises(RenderError, match=r"use \.png, \.svg, \.gif or \.mp4"):
        save_picture(tmp_path / name, PUZZLE)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".gif", ".mp4"])
def test_files_that_cannot_be_written(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(PushWorldError, match="cannot be written: No such file"):
        save_picture(tmp_path / "missing" / f"picture{suffix}", PUZZLE)


@pytest.mark.parametrize(
    ("timing", "problem"),
    [
        ({"fps": 0}, "0 frames a second"),
        ({"fps": 51}, "at most 50"),
        ({"fps": float("nan")}, "nan frames a second"),
        ({"frames_per_step": 0}, "use 1 or more"),
        ({"hold_seconds": -1}, "-1 seconds"),
    ],
)
def test_timing_out_of_range(timing: dict[str, float], problem: str) -> None:
    with pytest.raises(RenderError, match=problem):
        Timing(**timing)  # type: ignore[arg-type]


def test_smoothness_never_asks_for_more_than_files_can_show() -> None:
    assert Timing(frames_per_step=100).frames_per_second == 50


def test_a_gif_too_long_for_memory(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="write an MP4"):
        save_picture(tmp_path / "long.gif", PUZZLE, plan="LR" * 200, pixels_per_cell=400)


def test_a_plan_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="'X' at position 2"):
        save_picture(tmp_path / "plan.gif", PUZZLE, plan="LX")
