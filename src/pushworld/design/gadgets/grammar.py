"""The grammar: gadgets as drawings, each with the tools that it asks for.

A gadget stands with its back (the first row of its drawing) to a side of the room and opens to the hall in front of
it. The drawing has these marks:

- ``#`` a wall, ``.`` floor, ``_`` an agent wall, ``,`` a cell of the hall that stays free in front of the gadget, and a space
  any cell of the hall;
- ``R`` (on floor) and ``r`` (on agent walls): the piece that it holds, or the rectangle around it;
- ``G`` and ``g``: a part of the gadget that moves, such as a gate;
- ``O`` and ``o``: the goal of the piece that it asks for; ``Q``: the goal of a second piece.

Its claim: the piece that it holds leaves it, or the piece that it asks for reaches its goal, only with all of its
tools. `pushworld.design.gadgets.links` proves it.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from random import Random

from pushworld.puzzle import Position
from pushworld.puzzle.model import bounding_corner_and_shape

Shape = tuple[Position, ...]

HELD, PART, FIRST, SECOND = "R", "G", "O", "Q"


@dataclass(frozen=True)
class Gadget:
    """A gadget, drawn with its back to the top.

    Attributes:
        kind: its name in the grammar.
        drawing: its rows.
        tools: the shapes that must be brought to it, in the orientation of the drawing.
        needs_part: whether its moving part is itself a tool: without it nothing works.
        in_the_open: whether it stands anywhere rather than with its back to a wall.
    """

    kind: str
    drawing: tuple[str, ...]
    tools: tuple[Shape, ...] = ()
    needs_part: bool = False
    in_the_open: bool = False

    def cells(self, marks: str) -> frozenset[Position]:
        """Returns the cells with one of some marks."""
        return frozenset(cell for cell, mark in self._marked() if mark in marks)

    @property
    def held(self) -> frozenset[Position]:
        """The cells of the piece that it holds; none if it is a place for goals."""
        return self.cells("Rr")

    @property
    def goals(self) -> tuple[frozenset[Position], ...]:
        """The goal outlines of the pieces that it asks for."""
        outlines = (self.cells("Oo"), self.cells("Qq"))
        return tuple(cells for cells in outlines if cells)

    def _marked(self) -> Iterator[tuple[Position, str]]:
        for y, row in enumerate(self.drawing):
            for x, mark in enumerate(row):
                yield (x, y), mark


def shape_of(*rows: str) -> Shape:
    """Returns the shape that rows of ``#`` draw."""
    return bounding_corner_and_shape(
        (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"
    )[1]


def block(width: int, height: int) -> Shape:
    """Returns a rectangle."""
    return shape_of(*["#" * width] * height)


def size_of(shape: Collection[Position]) -> tuple[int, int]:
    """Returns the width and the height of a shape."""
    columns, rows = {x for x, _ in shape}, {y for _, y in shape}
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


# Gadgets that hold a piece of `width` x `height` cells.


def hook(width: int, height: int, random: Random) -> Gadget:
    """An alcove closed to the agent: a hook goes in, moves sideways behind the piece, and pulls it out."""
    left, right = random.choice(((0, 0), (0, 0), (1, 0), (0, 1), (0, 2)))
    wide = "." * left, "." * (right + 2)
    rows = ["#" + "." * (left + width + right + 2) + "#"]
    rows += ["#" + wide[0] + "R" * width + wide[1] + "#"] * height
    rows[-1] = rows[-1].replace(".", "_").replace("R", "r")
    reach = height + 3 + random.randint(0, 1)
    handle = random.randint(1, 2)
    rows += [" " + "," * (left + width + right + 2)] * (reach + 1)
    tool = shape_of("##", *[" #"] * (reach - 2), " #" + "#" * handle)
    return Gadget("hook", tuple(rows), (tool,))


def drawer(width: int, height: int, random: Random) -> Gadget:
    """An alcove with a hook already behind the piece: pushing its handle away pulls the piece out."""
    handle = random.randint(1, 2)
    rows = ["#" + "G" * (width + 1) + "#"]
    rows += ["#" + "R" * width + "G" + "#"] * (height - 1)
    rows += ["#" + "r" * width + "g" + "#"]
    rows += [" " + "," * width + "G" + "," * handle]
    rows += [" " + "," * width + "G" + "G" * handle]
    rows += [" " + "," * (width + 1 + handle)] * (height + 1)
    return Gadget("drawer", tuple(rows), needs_part=True)


def lock(width: int, height: int, random: Random) -> Gadget:
    """A passage behind the piece, closed by a gate: a key with a tooth slides the gate."""
    way = random.choice((0, 0, 1))
    rows = ["#" + "." * (width + 1 + way) + "GGG." + "#"]
    rows += ["#" + "R" * width + "#" * (1 + way) + "._g_" + "#"]
    rows += [" " + "R" * width + "," * (5 + way)] * (height - 1)
    rows += [" " + "," * (width + 5 + way)] * 3
    key = random.choice((("#", "##"), (" #", "##"), (" #", "###"), ("#", "###"), ("  #", "###")))
    return Gadget("lock", tuple(rows), (shape_of(*key),))


def gate(width: int, height: int, random: Random) -> Gadget:
    """A passage behind the piece, closed by a gate whose handle the agent can push."""
    rows = ["#" + "." * (width + 1) + "GGG." + "#"]
    rows += ["#" + "R" * width + "#._g_" + "#"]
    rows += [" " + ("R" if height > 1 else ",") * width + ",,,G,,"]
    rows += [" " + "R" * width + ",,,,,"] * (height - 2)
    rows += [" " + "," * (width + 5)]
    return Gadget("gate", tuple(rows))


def remote_hand(width: int, height: int, random: Random) -> Gadget:
    """A tunnel closed to the agent: a rod as long as the tunnel pushes the piece out of its other end."""
    before, after = random.choice(((0, 1), (1, 0), (1, 1), (0, 2), (2, 0)))
    inner = ["."] * before + ["R"] * width + ["."] * after
    inner[0], inner[-1] = (
        mark.replace(".", "_").replace("R", "r") for mark in (inner[0], inner[-1])
    )
    length = len(inner) + random.randint(0, 1)
    side = " " * (length + 1) + "#" * len(inner)
    lanes = "," * (length + 1), "," * (width + 1)
    rows = [side, *[lanes[0] + "".join(inner) + lanes[1]] * height, side]
    return Gadget("remote-hand", tuple(rows), (block(length, height),))


def airlock(width: int, height: int, random: Random) -> Gadget:
    """A passage behind the piece with two doors: the bar that opens one shuts the other behind the agent."""
    side = "#" * (width - 1)
    rows = ["#....." + side + "#", "#.#.G." + side + "#", "#.GGGG" + side + "#"]
    rows += [" ,###." + side + "#", " ,,,#" + "R" * width + "#"]
    rows += [" ,,,," + "R" * width] * (height - 1)
    rows += [" ,,,," + "," * width] * 2
    return Gadget("airlock", tuple(rows))


VAULTS: dict[str, Callable[[int, int, Random], Gadget]] = {
    "hook": hook,
    "drawer": drawer,
    "lock": lock,
    "gate": gate,
    "remote-hand": remote_hand,
    "airlock": airlock,
}
"""The gadgets that hold a piece."""

WITH_TEETH = ("lock", "gate", "airlock")
"""The gadgets that hold a piece by its first row alone, so that the others may have gaps."""


def can_hold(kind: str, shape: Shape) -> bool:
    """Returns whether a gadget can hold a piece: a rectangle, or one with a whole first row."""
    width, height = size_of(shape)
    whole = sum(y == 0 for _, y in shape) == width
    return len(shape) == width * height or (whole and kind in WITH_TEETH)


# Gadgets with goals.


def plunger(random: Random) -> tuple[Gadget, tuple[Shape, ...]]:
    """A shaft closed to the agent with the goal at its end: a rod drives the piece in."""
    width = random.choice((1, 1, 2))
    height = random.choice((1, 1, 2))
    depth = height + random.randint(1, 2)
    length = depth - height + random.randint(0, 1)
    rows = _shaft(width, height, depth, length)
    return Gadget("plunger", rows, (block(random.choice((1, width)), length),)), (
        block(width, height),
    )


def assembly(random: Random) -> tuple[Gadget, tuple[Shape, ...]]:
    """A shaft so deep that only two rods together drive the piece to its end."""
    height = random.choice((1, 1, 2))
    first, second = random.choice(((1, 2), (2, 1), (2, 2), (1, 1)))
    rows = _shaft(1, height, height + first + second, max(first, second))
    return Gadget("assembly", rows, (block(1, first), block(1, second))), (block(1, height),)


def order(random: Random) -> tuple[Gadget, tuple[Shape, ...]]:
    """A dead end with two goals: the inner one must be filled first."""
    first, second = random.choice(((1, 1), (1, 2), (2, 1)))
    rows = ["#O#"] * first + ["#Q#"] * second + [" , "] * (max(first, second) + 1)
    return Gadget("order", tuple(rows)), (block(1, first), block(1, second))


def fit(random: Random) -> tuple[Gadget, tuple[Shape, ...]]:
    """A recess for two pieces that fit together: one in the jaws of the other, they enter as one."""
    rows = random.choice((("OO", "OQ", "OO"), ("OOO", "OQQ", "OOO"), ("OOQ", "OQQ", "OOQ")))
    first, second = (
        shape_of(*("".join("#" if each == mark else " " for each in row) for row in rows))
        for mark in (FIRST, SECOND)
    )
    lane = " " + "," * len(rows[0])
    drawing = (*("#" + row + "#" for row in rows), *[lane] * (len(rows) + 1))
    return Gadget("fit", drawing), (first, second)


def place(random: Random) -> tuple[Gadget, tuple[Shape, ...]]:
    """A goal in the open."""
    width, height = random.choice(((1, 1), (2, 1), (1, 2), (2, 2)))
    return Gadget("place", ("O" * width,) * height, in_the_open=True), (block(width, height),)


SINKS: dict[str, Callable[[Random], tuple[Gadget, tuple[Shape, ...]]]] = {
    "plunger": plunger,
    "assembly": assembly,
    "order": order,
    "fit": fit,
    "place": place,
}
"""The gadgets with goals; each comes with the shapes of the pieces that it asks for."""

NARROW = ("plunger", "assembly", "order", "fit", "place", "hook", "drawer", "remote-hand")
"""The gadgets that work without agent walls if the agent has 2 x 2 cells."""


def _shaft(width: int, height: int, depth: int, rod: int) -> tuple[str, ...]:
    """Returns a shaft with a goal at its end, and a lane in front of it for a rod and the agent."""
    rows = ["#" + "O" * width + "#"] * height + ["#" + "." * width + "#"] * (depth - height)
    rows[-1] = rows[-1].replace(".", "_")
    return (*rows, *[" " + "," * width] * (max(rod, height) + 1))
