"""A puzzle and a state as text: a grid with a legend, a list of objects, or JSON.

No text contains the name of a puzzle or of an object, which come from files of strangers. The agent
is ``A``; the other objects are ``M1``, ``M2``, ... in the order of ``Puzzle.objects``, and ``G1`` is the
goal outline of ``M1``.
"""

import json
from collections.abc import Iterable, Iterator

from pushworld.puzzle import Position, PushWorldError, Puzzle, State
from pushworld.puzzle.free_space import inner_walls
from pushworld.render.raster import check_state

FORMATS = ("grid", "objects", "json")
"""How a text shows a puzzle."""

WALL, AGENT_WALL, EMPTY = "#", "~", "."

LEGEND = f"""\
{EMPTY} : empty cell
{WALL} : wall
{AGENT_WALL} : agent wall
A : cell of the agent
M1, M2, ... : cell of object M1, M2, ...
G1, G2, ... : cell of the goal outline of object M1, M2, ...
Tokens of one cell are joined with +: M2+G1 is a cell of object M2 on a cell of the outline G1.
The numbers above and left of the grid are x and y."""


def describe(
    puzzle: Puzzle, state: State | None = None, format: str = "grid", *, legend: bool = True
) -> str:
    """Returns a puzzle in a state as text.

    Args:
        state: the state to show, or None for the initial one.
        format: one of `FORMATS`: ``grid`` has one token for each cell, with a legend; ``objects`` lists
            the cells of every object, goal and wall; ``json`` has the same lists as one JSON object.
        legend: whether a grid comes with its legend.
    """
    state = puzzle.initial_state if state is None else state
    check_state(puzzle, state)
    if format not in FORMATS:
        raise PushWorldError(f"there is no format {format!r}: choose one of {', '.join(FORMATS)}")
    text = {"grid": _grid, "objects": _list_of_objects, "json": _json}[format](puzzle, state)
    return f"{text}\n{LEGEND}" if legend and format == "grid" else text


def token_rows(puzzle: Puzzle, state: State) -> list[list[str]]:
    """Returns the rows of the world, the border included, with the token of each cell."""
    tokens: dict[Position, list[str]] = {cell: [WALL] for cell in puzzle.walls}
    for cell in puzzle.agent_walls - puzzle.walls:
        tokens[cell] = [AGENT_WALL]
    for label, cells, _ in labelled_objects(puzzle, state):
        for cell in cells:
            tokens.setdefault(cell, []).append(label)
    for label, _, goal in labelled_objects(puzzle, state):
        for cell in goal or ():
            tokens.setdefault(cell, []).append("G" + label[1:])
    return [
        ["+".join(tokens.get((x, y), [EMPTY])) for x in range(puzzle.width)]
        for y in range(puzzle.height)
    ]


def _grid(puzzle: Puzzle, state: State) -> str:
    """Returns the tokens in columns, with the numbers of columns and rows."""
    columns = ["", *map(str, range(puzzle.width))]
    rows = [[str(y), *row] for y, row in enumerate(token_rows(puzzle, state))]
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return "\n".join(
        " ".join(token.rjust(width) for token, width in zip(row, widths, strict=True))
        for row in (columns, *rows)
    )


def _list_of_objects(puzzle: Puzzle, state: State) -> str:
    width, height = puzzle.width, puzzle.height
    lines = [
        f"World: {width} columns (x = 0 to {width - 1}), {height} rows (y = 0 to {height - 1}). "
        "Cells are (x, y)."
    ]
    for label, cells, goal in labelled_objects(puzzle, state):
        name = "Agent A" if label == "A" else f"Object {label}"
        lines.append(f"{name}: {_written(cells)}")
        if goal is not None:
            lines.append(f"Goal G{label[1:]} of {label}: {_written(goal)}")
    lines.append("Walls: all cells of the border (first and last column, first and last row)")
    lines.append(f"Walls inside the border: {_written(_in_order(inner_walls(puzzle)))}")
    lines.append(f"Agent walls: {_written(_in_order(puzzle.agent_walls - puzzle.walls))}")
    return "\n".join(lines)


def _json(puzzle: Puzzle, state: State) -> str:
    (_, agent, _), *movables = labelled_objects(puzzle, state)
    content = {
        "width": puzzle.width,
        "height": puzzle.height,
        "agent": agent,
        "objects": [
            {"id": label, "cells": cells, **({"goal": goal} if goal else {})}
            for label, cells, goal in movables
        ],
        "border": "wall",
        "walls": _in_order(inner_walls(puzzle)),
        "agent_walls": _in_order(puzzle.agent_walls - puzzle.walls),
    }
    return json.dumps(content, separators=(",", ":"))


def labelled_objects(
    puzzle: Puzzle, state: State
) -> Iterator[tuple[str, list[Position], list[Position] | None]]:
    """Yields the label of each object, its cells in the state, and the cells of its goal."""
    for index, (thing, position) in enumerate(zip(puzzle.objects, state, strict=True)):
        goal = None if thing.goal is None else _in_order(thing.cells_at(thing.goal))
        yield f"M{index}" if index else "A", _in_order(thing.cells_at(position)), goal


def moved_labels(puzzle: Puzzle, before: State, after: State) -> list[str]:
    """Returns the labels of the objects that a move shifts."""
    labels = (label for label, _, _ in labelled_objects(puzzle, before))
    pairs = zip(labels, before, after, strict=True)
    return [label for label, one, other in pairs if one != other]


def _in_order(cells: Iterable[Position]) -> list[Position]:
    """Returns cells in reading order."""
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def _written(cells: list[Position]) -> str:
    return " ".join(f"({x}, {y})" for x, y in cells) or "none"
