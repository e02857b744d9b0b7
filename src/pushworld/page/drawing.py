"""What reports take from the page, so that boards look the same everywhere: eyes, numbers, patterns."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pushworld.page.bundle import bundled

STATIC_FOLDER = Path(__file__).parent / "static"
"""The files of the page."""

_EXPORTS = """\
import { initialState } from "./model/puzzle.js";
import { movedBy, moved } from "./model/dynamics.js";
import { parsePwp } from "./model/pwp.js";
import { Board } from "./views/board.js";
import { Player } from "./views/player.js";
globalThis.drawing = { Board, Player, initialState, moved, movedBy, parsePwp };
"""


class Drawing(NamedTuple):
    """What draws boards in any document."""

    style: str  # a style sheet whose colours belong to the document's root
    script: str  # defines the global `drawing`
    patterns: str  # an SVG element that must be in the document


@cache
def drawing() -> Drawing:
    """Returns what draws boards as the page does."""
    scripts = STATIC_FOLDER / "js"
    files = [file for folder in ("model", "views") for file in (scripts / folder).iterdir()]
    modules = {file.relative_to(scripts).as_posix(): file.read_text("utf-8") for file in files}
    page = (STATIC_FOLDER / "index.html").read_text("utf-8")
    patterns = re.search(r'<svg class="definitions".*?</svg>', page, re.DOTALL)
    assert patterns is not None
    return Drawing(
        style=(STATIC_FOLDER / "css" / "board.css").read_text("utf-8"),
        script=bundled(modules | {"drawing.js": _EXPORTS}, "drawing.js"),
        patterns=patterns[0],
    )
