"""The game in the terminal, played through a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pushworld.datasets import resolve_puzzle
from pushworld.play.terminal import TerminalGame, split_keys
from tests.cli.running import run
from tests.terminals import needs_terminal

LEFT, RIGHT, UP, DOWN = b"\x1b[D", b"\x1b[C", b"\x1b[A", b"\x1b[B"
PATIENCE = 120


class Terminal:
    """The person's end of a terminal in which a game runs."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self.master = master
        self.process = process
        self.shown = b""

    def press(self, *keys: bytes) -> None:
        os.write(self.master, b"".join(keys))

    def wait_for(self, text: str) -> None:
        """Reads until the text appears after what earlier calls have waited for."""
        while text.encode() not in self.shown:
            assert select.select([self.master], [], [], PATIENCE)[0], f"no {text!r}: {self.shown!r}"
            try:
                self.shown += os.read(self.master, 4096)
            except OSError:  # the other end is closed
                raise AssertionError(f"no {text!r} in {self.shown!r}") from None
        self.shown = self.shown.partition(text.encode())[2]


@contextmanager
def playing(*arguments: str, term: str = "dumb") -> Iterator[Terminal]:
    master, slave = pty.openpty()
    command = [sys.executable, "-c", "from pushworld.cli import main; main()", "play"]
    process = subprocess.Popen(
        [*command, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "TERM": term, "COLUMNS": "80", "LINES": "24"},
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@needs_terminal
def test_a_game() -> None:
    with playing("--terminal", "first-push") as terminal:
        terminal.wait_for("0 moves, 0 of 1 goals")
        terminal.press(RIGHT)
        terminal.wait_for("1 moves, 0 of 1 goals")
        terminal.press(RIGHT, RIGHT)
        terminal.wait_for("3 moves")
        terminal.press(b"u")
        terminal.wait_for("2 moves")
        terminal.press(b"r")
        terminal.wait_for("0 moves")
        terminal.press(*[RIGHT] * 4)
        terminal.wait_for("solved! 4 moves, 1 of 1 goals")
        terminal.press(b"q")
        terminal.wait_for("solved, 4 moves: RRRR")
        assert terminal.process.wait(PATIENCE) == 0


@needs_terminal
def test_colours_and_the_terminal_is_left_as_it_was() -> None:
    with playing("--terminal", "first-push", term="xterm-256color") as terminal:
        terminal.wait_for("\x1b[?1049h")
        terminal.wait_for("\x1b[H\x1b[J")
        terminal.wait_for("38;2;")
        terminal.wait_for("0 moves")
        terminal.press(b"q")
        terminal.wait_for("\x1b[?25h\x1b[?1049l")
        terminal.wait_for("not solved, 0 moves")
        assert terminal.process.wait(PATIENCE) == 0


def test_keys() -> None:
    game = TerminalGame(resolve_puzzle("first-push"))
    start = game.state
    for key in (LEFT, UP, b"x", b"u", b"\x1b[5~"):
        assert game.press(key)
    while game.state != start:
        game.press(b"U")
    assert game.moves == []
    for key in (b"\x1bOC",) * 4:
        game.press(key)
    assert game.plan == "RRRR"
    assert game.is_solved
    assert not game.press(b"Q")


def test_keys_arrive_in_pieces() -> None:
    assert split_keys(b"\x1b[Cu\x1b[A") == ([RIGHT, b"u", UP], b"")
    assert split_keys(b"r\x1b") == ([b"r"], b"\x1b")
    assert split_keys(b"\x1b[") == ([], b"\x1b[")
    assert split_keys(b"\x1b[" + b"D") == ([LEFT], b"")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--terminal", "first-push"), "must be a terminal"),
        (("--terminal",), "pushworld play --terminal PUZZLE"),
        (("--terminal", "no-such-puzzle"), "no-such-puzzle"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], told: str) -> None:
    outcome = run("play", *arguments)
    assert outcome.exit_code == 2
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
