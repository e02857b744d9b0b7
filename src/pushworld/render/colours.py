"""The colours of PushWorld, defined only here."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import PuzzleObject


class Colour(IntEnum):
    """What a pixel shows; the number is its index in the palette."""

    BACKGROUND = 0
    AGENT_WALL = 1
    AGENT_WALL_BORDER = 2
    WALL = 3
    WALL_BORDER = 4
    AGENT = 5
    AGENT_BORDER = 6
    MOVABLE = 7
    MOVABLE_BORDER = 8
    GOAL_OBJECT = 9
    GOAL_OBJECT_BORDER = 10
    GOAL = 11

    @property
    def hex(self) -> str:
        """The colour as ``#RRGGBB``."""
        return "#" + _RGB[self]

    @property
    def rgb(self) -> tuple[int, int, int]:
        """The colour as red, green and blue, each 0 to 255."""
        red, green, blue = bytes.fromhex(_RGB[self])
        return red, green, blue


_RGB = {
    Colour.BACKGROUND: "FFFFFF",
    Colour.AGENT_WALL: "FAC71E",
    Colour.AGENT_WALL_BORDER: "7D640F",
    Colour.WALL: "0A0A0A",
    Colour.WALL_BORDER: "050505",
    Colour.AGENT: "00DC00",
    Colour.AGENT_BORDER: "006E00",
    Colour.MOVABLE: "469BFF",
    Colour.MOVABLE_BORDER: "23487F",
    Colour.GOAL_OBJECT: "DC0000",
    Colour.GOAL_OBJECT_BORDER: "6E0000",
    Colour.GOAL: "B90000",
}

PALETTE = np.array([colour.rgb for colour in Colour], np.uint8)
"""The palette as an array of shape (colours, 3)."""

FLOAT_PALETTE: NDArray[np.float32] = PALETTE.astype(np.float32) / np.float32(255)
"""The palette with each channel in [0, 1]."""


def colours_of(thing: PuzzleObject) -> tuple[Colour, Colour]:
    """Returns the fill and the border colour of an object."""
    if thing.name.upper() == "A":
        return Colour.AGENT, Colour.AGENT_BORDER
    if thing.goal is not None:
        return Colour.GOAL_OBJECT, Colour.GOAL_OBJECT_BORDER
    return Colour.MOVABLE, Colour.MOVABLE_BORDER
