"""Pictures for terminals: in 24-bit colours, or as letters."""

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from pushworld.puzzle import Position, Puzzle, PuzzleObject, State
from pushworld.render.colours import Colour, colours_of
from pushworld.render.raster import IndexImage, Painter, check_state

SIDES = (8, 7, 6, 5, 4, 3)
"""Possible sides of a cell in half blocks; a character is two half blocks high."""

RESET = "\x1b[0m"
LEGEND = (
    "A agent, M movable, G goal, ### wall, ::: agent wall, [ ] goal outline, { } over an agent wall"
)


def supports_colour(stream: TextIO) -> bool:
    """Returns whether a stream is a terminal and colours are not disabled, as by ``NO_COLOR``."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def render_terminal(
    puzzle: Puzzle,
    state: State | None = None,
    *,
    colour: bool = True,
    columns: int = 80,
    rows: int = 24,
) -> str:
    """Returns a picture of a state as lines of text.

    With colours it is the picture of `render_rgb` in half blocks, as large as fits. If the world is
    too wide for that, each cell is two characters with the end of the object's name, underlined
    on goals. Without colours it is a grid of names, with the marks that `LEGEND` explains.

    Args:
        state: the state to show, or None for the initial one.
        colour: whether to use 24-bit colours.
        columns, rows: the size of the terminal; a picture may be longer, but not wider.
    """
    state = puzzle.initial_state if state is None else state
    check_state(puzzle, state)
    if not colour:
        return _letters(puzzle, state)
    fitting = [side for side in SIDES if puzzle.width * side <= columns]
    if not fitting:
        return _coloured_letters(puzzle, state)
    whole = [side for side in fitting if puzzle.height * side <= 2 * rows]
    side = whole[0] if whole else fitting[-1]
    return _half_blocks(Painter(puzzle, side, border_width=1).indices(state))


def play(pictures: Sequence[str], stream: TextIO, fps: float) -> None:
    """Shows pictures one after another on a terminal, and leaves the last one there."""
    stream.write("\x1b[?1049h\x1b[?25l")
    try:
        for picture in pictures:
            stream.write(f"\x1b[H\x1b[J{picture}")
            stream.flush()
            time.sleep(1 / fps)
    finally:
        stream.write("\x1b[?25h\x1b[?1049l")
    stream.write(pictures[-1])
    stream.flush()


def _half_blocks(image: IndexImage) -> str:
    """Returns an image with two pixels a character: the foreground colour above the background."""
    lines = []
    for top in range(0, len(image), 2):
        upper = image[top]
        lower = image[top + 1] if top + 1 < len(image) else [None] * len(upper)
        lines.append(_line(("▀", _sgr(up, low)) for up, low in zip(upper, lower, strict=True)))
    return "".join(lines)


def _line(characters: Iterable[tuple[str, str]]) -> str:
    """Returns texts, each with its style, as a line that changes style only where needed."""
    parts = []
    current = ""
    for text, style in characters:
        if style != current:
            parts.append(style)
            current = style
        parts.append(text)
    return "".join([*parts, RESET, "\n"])


def _sgr(foreground: int, background: int | None, *, underlined: bool = False) -> str:
    """Returns the escape sequence that sets the colours."""
    codes = ["0", "1", "4"] if underlined else ["0"]
    codes.append("38;2;{};{};{}".format(*Colour(foreground).rgb))
    if background is not None:
        codes.append("48;2;{};{};{}".format(*Colour(background).rgb))
    return f"\x1b[{';'.join(codes)}m"


@dataclass(frozen=True)
class _Cell:
    """The contents of a cell."""

    thing: PuzzleObject | None
    goal: PuzzleObject | None
    wall: bool
    agent_wall: bool

    @property
    def name(self) -> str:
        if self.thing is not None:
            return self.thing.name
        return "G" + self.goal.name[1:] if self.goal is not None else ""

    @property
    def background(self) -> Colour:
        if self.thing is not None:
            return colours_of(self.thing)[0]
        if self.wall:
            return Colour.WALL
        return Colour.AGENT_WALL if self.agent_wall else Colour.BACKGROUND


def _cells(puzzle: Puzzle, state: State) -> list[list[_Cell]]:
    """Returns the rows of cells of a state."""
    things: dict[Position, PuzzleObject] = {}
    goals: dict[Position, PuzzleObject] = {}
    for thing, position in zip(puzzle.objects, state, strict=True):
        things |= dict.fromkeys(thing.cells_at(position), thing)
        if thing.goal is not None:
            goals |= dict.fromkeys(thing.cells_at(thing.goal), thing)

    def at(cell: Position) -> _Cell:
        marks = (cell in puzzle.walls, cell in puzzle.agent_walls)
        return _Cell(things.get(cell), goals.get(cell), *marks)

    return [[at((x, y)) for x in range(puzzle.width)] for y in range(puzzle.height)]


def _letters(puzzle: Puzzle, state: State) -> str:
    """Returns a grid of names with a mark on each side of them."""
    width = max(len(thing.name) for thing in puzzle.objects)
    lines = []
    for row in _cells(puzzle, state):
        line = ""
        for cell in row:
            filling = "#" if cell.wall else ":" if cell.agent_wall else " "
            marks = filling * 2
            if cell.goal is not None:
                marks = "{}" if cell.agent_wall else "[]"
            empty = "." if filling == " " else filling * width
            text = empty if cell.wall else cell.name or empty
            line += marks[0] + text.center(width) + marks[1]
        lines.append(line.rstrip() + "\n")
    return "".join(lines)


def _coloured_letters(puzzle: Puzzle, state: State) -> str:
    """Returns a grid of two characters a cell on the colour of its contents."""
    bright = (Colour.BACKGROUND, Colour.AGENT_WALL, Colour.AGENT, Colour.MOVABLE)
    lines = []
    for row in _cells(puzzle, state):
        styled = []
        for cell in row:
            ink = Colour.WALL if cell.background in bright else Colour.BACKGROUND
            if cell.thing is None and cell.goal is not None:
                ink = Colour.GOAL
            label = cell.name if len(cell.name) < 2 else cell.name[1:][-2:]
            style = _sgr(ink, cell.background, underlined=cell.goal is not None)
            styled.append((label.rjust(2), style))
        lines.append(_line(styled))
    return "".join(lines)
