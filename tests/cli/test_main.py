"""All commands: interrupts, full disks, and output encodings that lack letters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.running import run

FULL = Path("/dev/full")
INTERRUPT_WHEN_LOADING = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.{signal})

sys.meta_path.insert(0, Interrupt())
from pushworld.cli import main; main()
"""


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "first-push"],
        ["data", "list", "classic", "--json"],
        ["--help"],
    ],
)
def test_output_that_does_not_fit_on_the_disk_is_one_line(arguments: list[str]) -> None:
    with FULL.open("w") as full:  # closing it fails if output is left
        ended = run(*arguments, stdout=full)
    assert (ended.exit_code, ended.err) == (2, "error: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")
@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("SIGTERM", "typer"),  # before the command begins
        ("SIGINT", "PIL.Image"),  # within it
    ],
)
def test_an_interrupt_is_silent_at_any_moment(name: str, module: str, tmp_path: Path) -> None:
    program = INTERRUPT_WHEN_LOADING.format(signal=name, module=module)
    ended = subprocess.run(
        [sys.executable, "-c", program, "render", "first-push", "-o", str(tmp_path / "a.png")],
        capture_output=True,
        text=True,
        # The test run itself may be in the background, where this signal is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (13, "", "")


def test_an_output_that_lacks_letters_is_one_line() -> None:
    ended = run("info", "keyhole", stdout=TextIOWrapper(BytesIO(), encoding="ascii"))
    assert ended.exit_code == 2
    assert ended.err.startswith("error: the output is ascii")
    assert ended.err.count("\n") == 1


def test_no_blank_lines_where_there_is_no_terminal(tmp_path: Path) -> None:
    outcome = run("generate", "level0", "base", "--count", "1", "-o", str(tmp_path / "base"))
    assert outcome.exit_code == 0
    assert outcome.err.splitlines() == ["base train: 0 of 1"]
    assert outcome.out.startswith("1 puzzle in ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["planners"], ["novelty-rgd", "fd-autotune-pddl", "complete"]),
        (["data", "list"], ["level0/obstacles/train", "come with the package"]),
        (["info", "keyhole"], ["goal object", "(13, 5)", "positions"]),
    ],
)
def test_tables_keep_their_words_in_a_narrow_terminal(
    arguments: list[str], words: list[str]
) -> None:
    outcome = run(*arguments, columns=40)
    assert [word for word in words if word not in outcome.out] == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs file descriptors as POSIX has them")
def test_a_closed_standard_output_is_an_error() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "pushworld", "solve", "first-push"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.close(1),
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.endswith(
        "error: standard output is closed: redirect it to a file, or to /dev/null\n"
    )
