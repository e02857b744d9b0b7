"""The ``.pwp`` text format: one row of cells a line, ids of one cell joined by ``+``."""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from pushworld.puzzle.errors import PuzzleError
from pushworld.puzzle.model import (
    MAX_SIDE,
    Position,
    Puzzle,
    PuzzleObject,
    bounding_corner_and_shape,
    check_size,
)

EMPTY = "."
MAX_ID_LENGTH = 100
MAX_BYTES = 32 * 1024 * 1024
Place = tuple[int, int]
"""Line and column in the text, counted from 1."""


def load_pwp(path: str | os.PathLike[str]) -> Puzzle:
    """Returns the puzzle in a file; every error names the file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise PuzzleError(f"the file is larger than {MAX_BYTES >> 20} MiB", file=str(path))
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise PuzzleError(
            f"the file cannot be read: {error.strerror or error}", file=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise PuzzleError(
            f"the file is not UTF-8 text (byte {error.start + 1})", file=str(path)
        ) from error
    return parse_pwp(text, name=path.stem, file=str(path))


def parse_pwp(text: str, *, name: str = "", file: str | None = None) -> Puzzle:
    """Returns the puzzle written in the text.

    Raises:
        PuzzleError: with line and column where they apply.
    """
    places: dict[Position, Place] = {}
    try:
        cells, size = _read_cells(text, places)
        return _build(cells, size, name)
    except PuzzleError as error:
        if error.file is None:
            error.file = file
        if error.line is None and error.cell is not None:
            error.line, error.column = places.get(error.cell, (None, None))
        raise


def format_pwp(puzzle: Puzzle) -> str:
    """Returns the text of a puzzle: columns aligned, agent and movables before goals in a cell."""
    ids: dict[Position, list[str]] = defaultdict(list)
    for cell in puzzle.walls:
        ids[cell].append("W")
    for cell in puzzle.agent_walls:
        ids[cell].append("AW")
    for thing in puzzle.objects:
        for cell in thing.cells_at(thing.start):
            ids[cell].append(thing.name)
    for thing in puzzle.objects:
        if thing.goal is not None:
            for cell in thing.cells_at(thing.goal):
                ids[cell].append("G" + thing.name[1:])
    rows = [
        ["+".join(ids[x, y]) if (x, y) in ids else EMPTY for x in range(1, puzzle.width - 1)]
        for y in range(1, puzzle.height - 1)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def puzzle_digest(pwp: str) -> str:
    """Returns the SHA-256 of a puzzle's text, by which recorded events name the puzzle."""
    return hashlib.sha256(pwp.encode()).hexdigest()


def _read_cells(
    text: str, places: dict[Position, Place]
) -> tuple[dict[str, list[Position]], tuple[int, int]]:
    """Returns the cells of each id and the size of the world.

    Ids are case-insensitive; each appears in the spelling that it has first. Fills `places` with
    the place in the text of each cell of the world.
    """
    text = text.rstrip()
    if not text:
        raise PuzzleError("the puzzle is empty: write rows of cells such as '.  A  M1  G1'")
    # Sizes are checked before anything is made of the rows and cells: there may be millions of them.
    rows = 1 + text.count("\n") + text.count("\r") - text.count("\r\n")
    if rows > MAX_SIDE - 2:
        raise PuzzleError(f"there are {rows} rows; at most {MAX_SIDE - 2} are allowed")
    lines = re.split(r"\r\n?|\n", text)
    cells: dict[str, list[Position]] = {}
    spelling: dict[str, str] = {}
    columns = None
    for y, line in enumerate(lines, start=1):
        tokens = list(islice(re.finditer(r"\S+", line), MAX_SIDE))
        count = len(tokens) if len(tokens) < MAX_SIDE else len(line.split())
        if columns is None:
            columns = count
            if columns > MAX_SIDE - 2:
                check_size(columns + 2, rows + 2)
        if count != columns:
            extra = count > columns
            column = tokens[columns].start() + 1 if extra else len(line.rstrip()) + 1
            raise PuzzleError(
                f"this row has {count} cells where the first has {columns}: "
                "all rows need the same number",
                line=y,
                column=column,
            )
        for x, token in enumerate(tokens, start=1):
            places[x, y] = (y, token.start() + 1)
            if token[0] != EMPTY:
                for written in token[0].split("+"):
                    known = spelling.setdefault(written.upper(), written[:1].upper() + written[1:])
                    _add_cell(known, (x, y), cells)
    assert columns is not None
    return cells, (columns + 2, rows + 2)


def _add_cell(element: str, cell: Position, cells: dict[str, list[Position]]) -> None:
    """Adds a cell to those of an element, if that is one."""
    if len(element) > MAX_ID_LENGTH:
        raise PuzzleError(f"an id has more than {MAX_ID_LENGTH} characters", cell=cell)
    if not re.fullmatch(r"A|W|AW|[MG].+", element, re.IGNORECASE):
        raise PuzzleError(
            f"unknown id {element!r}: a cell is '.' or A, W, AW, M<k>, G<k> joined by '+'",
            cell=cell,
        )
    known = cells.setdefault(element, [])
    if known[-1:] == [cell]:
        raise PuzzleError(f"{element} stands twice in one cell", cell=cell)
    known.append(cell)


def _build(cells: Mapping[str, list[Position]], size: tuple[int, int], name: str) -> Puzzle:
    """Returns the puzzle with the given cells of each id."""
    by_id = {element.upper(): where for element, where in cells.items()}
    if "A" not in by_id:
        raise PuzzleError("there is no agent: mark its cells with A")
    goals = {}
    for element, where in cells.items():
        if element[0] == "G":
            owner = "M" + element[1:]
            if owner.upper() not in by_id:
                raise PuzzleError(f"{element} is a goal without its object {owner}", cell=where[0])
            goals[owner.upper()], shape = bounding_corner_and_shape(where)
            if shape != bounding_corner_and_shape(by_id[owner.upper()])[1]:
                raise PuzzleError(
                    f"the shape of the goal {element} differs from that of {owner}", cell=where[0]
                )
    movables = [
        PuzzleObject.from_cells(element, where, goals.get(element.upper()))
        for element, where in cells.items()
        if element[0] == "M"
    ]
    return Puzzle(
        width=size[0],
        height=size[1],
        objects=(PuzzleObject.from_cells("A", by_id["A"]), *movables),
        walls=frozenset(by_id.get("W", ())),
        agent_walls=frozenset(by_id.get("AW", ())),
        name=name,
    )
