"""Designs that begin with a drawing: sketches, variations and minimal forms."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.design.candidates import Wish
from pushworld.design.ideas import corners
from pushworld.design.mutations import mutate
from pushworld.design.sketches import is_sketch, parse_sketch, read_drawing
from pushworld.design.variants import difference, with_line, without_line
from pushworld.design.variations import (
    DIFFERENT,
    DrawingRequest,
    MinimalRequest,
    VariationRequest,
)
from pushworld.puzzle import PushWorldError, Puzzle, PuzzleError
from tests.design.oracle import Oracle, without

BUNDLED = {each.name: each for each in bundled_puzzles()}
KEYHOLE = BUNDLED["keyhole"].puzzle
DRAWN = """\
.  .  ?  ?    ?  .
.  A  ?  ?    ?  .
.  .  M1 ?+G1 ?  W
"""


def cells(text: str) -> list[list[set[str]]]:
    """Returns the ids of each cell."""
    return [[set(cell.split("+")) - {"."} for cell in line.split()] for line in text.splitlines()]


def test_free_cells_are_in_no_puzzle_file() -> None:
    with pytest.raises(PuzzleError, match="unknown id"):
        Puzzle.parse("A M1 ? G1")
    assert is_sketch("A ? M1")
    assert is_sketch("A ?+G1 M1")
    assert not is_sketch("A M? G?")  # an object may be called so


@pytest.mark.parametrize("text", [DRAWN, "? ? ?\n? ? ?\n? ? ?", "? ? ? ?\n. M1 . .\n? ? ? ?"])
def test_whatever_the_search_does_the_drawing_stays(text: str) -> None:
    sketch = parse_sketch(text)
    drawn = cells(text)
    puzzle = sketch.complete(Random(1))
    changed = 0
    for seed in range(200):
        after = sketch.impose(mutate(puzzle, Random(seed)))
        if after is None:
            continue
        assert sketch.agrees(after)
        changed += after != puzzle
        puzzle = after
        for drawn_row, row in zip(drawn, cells(puzzle.to_pwp()), strict=True):
            for wanted, found in zip(drawn_row, row, strict=True):
                if "?" not in wanted:
                    assert found == wanted
                else:
                    assert wanted - {"?"} <= found
    assert changed > 20


def test_what_a_sketch_lacks_is_added() -> None:
    sketch = parse_sketch("? ? ?\n? W ?\n? ? ?")
    assert not sketch.has_agent
    for seed in range(10):
        puzzle = sketch.complete(Random(seed))
        assert puzzle.goal
        assert sketch.agrees(puzzle)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A ?+W M1 G1", "line 1, column 3: '.*' is not free and filled at once"),
        ("A ? M1 G1\n. . X1 .", "line 2, column 5: unknown id 'X1'"),
        ("A ? M1 G1\n. .", "line 2, column 4: this row has 2 cells"),
        ("A ?+G1 M2", "G1 is a goal without its object"),
    ],
)
def test_mistakes_in_sketches_have_a_place(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse_sketch(text)


def test_a_sketch_without_room_says_so() -> None:
    with pytest.raises(PuzzleError, match="no room for a goal for M1"):
        parse_sketch("A ? M1 M1 .").complete(Random(0))


def test_a_sketch_is_filled_as_wished_and_the_same_each_time() -> None:
    drawn = ". A . ? ? ? .\n. . M1 ? ? ? .\n. . . ? ? ? G1\n. . . ? ? ? ."
    request = DrawingRequest(drawn, Wish(1), evaluations=60, polish=10)
    designed = request.search(0)
    assert designed.puzzle is not None
    assert parse_sketch(drawn).agrees(designed.puzzle)
    assert designed.analysis is not None
    assert designed.analysis.difficulty is not None
    assert designed.analysis.difficulty.level == 1
    assert Oracle(designed.puzzle).shortest is not None
    assert pickle.loads(pickle.dumps(request)).search(0) == designed


@pytest.mark.large
def test_variations_have_the_same_tool_and_another_geometry() -> None:
    request = VariationRequest(KEYHOLE.to_pwp(), evaluations=150)
    made = [request.search(number).puzzle for number in range(2)]
    assert made[0] == request.search(0).puzzle
    puzzles = [puzzle for puzzle in made if puzzle is not None]
    assert len(set(puzzles)) == len(puzzles) > 0
    for puzzle in puzzles:
        assert {thing.name for thing in puzzle.movables} == {"M1", "M2"}
        assert difference(puzzle, KEYHOLE) >= DIFFERENT
        assert corners(puzzle) <= corners(KEYHOLE)
        assert Oracle(puzzle).shortest is not None
        assert Oracle(without(puzzle, "M2")).shortest is None


def test_minimal_forms_need_everything_that_they_have() -> None:
    cluttered = Puzzle.parse(
        ". . . . . . . . . .\n"
        ". A . M2 M2 M2 . W W W\n"
        ". . . . . . . . M1 G1\n"
        ". . . . . . . W W W\n"
        ". . W . . . M3 . . .\n"
        ". . . . . . . . . ."
    )
    small = MinimalRequest(cluttered.to_pwp()).search(0).puzzle
    assert small is not None
    assert "M3" not in {thing.name for thing in small.movables}
    assert small.width * small.height < cluttered.width * cluttered.height
    assert corners(small) <= corners(cluttered)
    assert Oracle(small).shortest is not None
    again = MinimalRequest(small.to_pwp()).search(0).puzzle
    assert again is not None
    assert again.width * again.height <= small.width * small.height


@pytest.mark.parametrize("text", ["A . M1 W G1", "M1 . .\n. A .\n. . G1"])
def test_what_has_no_plan_has_no_idea(text: str) -> None:
    with pytest.raises(PushWorldError, match="no idea that can be kept: it is proved unsolvable"):
        VariationRequest(text).search(0)


def test_lines_come_and_go_and_never_cut_an_object() -> None:
    puzzle = Puzzle.parse("A . M1 M1 .\n. W . . .\nG1 G1 . . W")
    wider = with_line(puzzle, "column", 5)
    assert wider is not None
    assert wider.width == puzzle.width + 1
    assert without_line(wider, "column", 6) == puzzle
    assert with_line(puzzle, "column", 3) is None
    assert without_line(puzzle, "column", 3) is None
    assert without_line(puzzle, "row", 1) is None
    shorter = without_line(puzzle, "row", 2)
    assert shorter is not None
    assert shorter.to_pwp() == Puzzle.parse("A . M1 M1 .\nG1 G1 . . W").to_pwp()
    higher = with_line(puzzle, "row", 1)
    assert higher is not None
    assert without_line(higher, "row", 2) == puzzle


def test_drawings_are_read_from_files_and_by_name(tmp_path: Path) -> None:
    file = tmp_path / "sketch.pwp"
    file.write_text(DRAWN)
    assert read_drawing(str(file)) == DRAWN
    file.write_text("A ? M1 G2")
    with pytest.raises(PuzzleError, match=r"sketch\.pwp, line 1, column 8: G2 is a goal without"):
        read_drawing(str(file))
    assert read_drawing("keyhole") == KEYHOLE.to_pwp()
    with pytest.raises(PushWorldError, match="no-such-drawing"):
        read_drawing("no-such-drawing")
