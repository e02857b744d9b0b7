"""What every command does about trouble around it: interrupts, full disks, terminals without letters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = "from pushworld.cli import main; main()"
FULL = Path("/dev/full")
INTERRUPT_WHEN_LOADING = f"""
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "{{module}}":
            os.kill(os.getpid(), signal.{{signal}})

sys.meta_path.insert(0, Interrupt())
{PROGRAM}
"""


def command(*arguments: str, program: str = PROGRAM) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


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
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with FULL.open("w") as full:
        ended = subprocess.run(
            command(*arguments), stdout=full, stderr=subprocess.PIPE, text=True, env=buffered
        )
    assert ended.returncode == 2
    assert ended.stderr == "error: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")
@pytest.mark.parametrize(
    ("module", "moment"), [("typer", "before the command begins"), ("PIL.Image", "within it")]
)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_is_silent_at_any_moment(
    name: str, module: str, moment: str, tmp_path: Path
) -> None:
    program = INTERRUPT_WHEN_LOADING.format(signal=name, module=module)
    ended = subprocess.run(
        command("render", "first-push", "-o", str(tmp_path / "picture.png"), program=program),
        capture_output=True,
        text=True,
        # The test run itself may be in the background, where this signal is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (13, "", ""), moment


def test_an_output_that_lacks_letters_is_one_line() -> None:
    ended = subprocess.run(
        command("info", "keyhole"),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: the output is ascii")
    assert ended.stderr.count("\n") == 1


def test_no_blank_lines_where_there_is_no_terminal(tmp_path: Path) -> None:
    outcome = run("generate", "level0", "base", "--count", "1", "-o", str(tmp_path / "base"))
    assert outcome.exit_code == 0
    assert outcome.err == ""
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
