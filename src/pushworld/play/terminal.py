"""The game in the terminal, played with the arrow keys."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from pushworld.puzzle import Action, PushWorldError, Puzzle, State, format_plan
from pushworld.render import render_terminal
from pushworld.render.terminal import supports_colour

HELP = "arrow keys move, u undo, r reset, q quit"

# Terminals send arrow keys as ESC [ A, or as ESC O A in their other mode.
_KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|[^\x1b]|\x1b(?=\x1b)")
_UNFINISHED = re.compile(rb"\x1b([\[O][0-9;]*)?$")
_ARROWS = {b"D": Action.LEFT, b"C": Action.RIGHT, b"A": Action.UP, b"B": Action.DOWN}
_SCREEN_ON, _SCREEN_OFF = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[J"


class TerminalGame:
    """A game in progress: the moves that had an effect, and the states between them.

    Attributes:
        puzzle: the puzzle.
        moves: the actions so far, without those that changed nothing.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.moves: list[Action] = []
        self._states: list[State] = [puzzle.initial_state]

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def is_solved(self) -> bool:
        return self.puzzle.is_solved(self.state)

    @property
    def plan(self) -> str:
        """The moves as a plan."""
        return format_plan(self.moves)

    def press(self, key: bytes) -> bool:
        """Handles a key, ignoring unknown ones; returns whether the game continues."""
        if key in (b"q", b"Q"):
            return False
        if key in (b"u", b"U") and self.moves:
            self.moves.pop()
            self._states.pop()
        elif key in (b"r", b"R"):
            self.moves.clear()
            del self._states[1:]
        elif len(key) > 1 and key[-1:] in _ARROWS:
            self._move(_ARROWS[key[-1:]])
        return True

    def _move(self, action: Action) -> None:
        after = self.puzzle.step(self.state, action)
        if after != self.state:
            self.moves.append(action)
            self._states.append(after)

    def status(self) -> str:
        """Returns the line below the picture."""
        goals = len(self.puzzle.goal)
        achieved = self.puzzle.achieved_goals(self.state)
        solved = "solved! " if self.is_solved else ""
        return f"{solved}{len(self.moves)} moves, {achieved} of {goals} goals; {HELP}"


def play_in_terminal(puzzle: Puzzle) -> TerminalGame:
    """Runs a game of a puzzle on standard input and output; returns the finished game.

    Raises:
        PushWorldError: if standard input or output is not a terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise PushWorldError("to play, standard input and output must be a terminal")
    game = TerminalGame(puzzle)
    with _single_keys(sys.stdin), _own_screen(sys.stdout):
        _draw(game, sys.stdout)
        for key in _keys(sys.stdin.fileno()):
            if not game.press(key):
                break
            _draw(game, sys.stdout)
    return game


def split_keys(data: bytes) -> tuple[list[bytes], bytes]:
    """Returns the keys in a terminal's input, and the incomplete key at its end."""
    unfinished = _UNFINISHED.search(data)
    end = unfinished.start() if unfinished else len(data)
    return _KEY.findall(data[:end]), data[end:]


def _keys(terminal: int) -> Iterator[bytes]:
    """Yields the pressed keys until the terminal is closed or Ctrl-C."""
    rest = b""
    try:
        while received := os.read(terminal, 1024):
            keys, rest = split_keys(rest + received)
            yield from keys
    except KeyboardInterrupt:
        return


def _draw(game: TerminalGame, stream: TextIO) -> None:
    columns, rows = shutil.get_terminal_size()
    picture = render_terminal(
        game.puzzle,
        game.state,
        colour=supports_colour(stream),
        columns=columns,
        rows=rows - 2,
    )
    stream.write(f"{_CLEAR if _has_screen() else ''}{picture}{game.status()}\n")
    stream.flush()


def _has_screen() -> bool:
    return os.environ.get("TERM") != "dumb"


@contextmanager
def _own_screen(stream: TextIO) -> Iterator[None]:
    """Switches to the alternate screen, and back afterwards."""
    stream.write(_SCREEN_ON if _has_screen() else "")
    try:
        yield
    finally:
        stream.write(_SCREEN_OFF if _has_screen() else "")
        stream.flush()


@contextmanager
def _single_keys(stream: TextIO) -> Iterator[None]:
    """Makes the terminal deliver each key at once without echo, and restores it afterwards."""
    try:
        import termios
        import tty
    except ImportError:
        raise PushWorldError(
            "playing in the terminal needs a Unix terminal: `pushworld play` opens a page instead"
        ) from None
    before = termios.tcgetattr(stream)
    tty.setcbreak(stream)
    try:
        yield
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)
