"""Each broken file of the corpus is refused with what is wrong and where."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from pushworld.puzzle import Puzzle, PuzzleError

FOLDER = Path(__file__).parent / "broken"
UNKNOWN = "unknown id {!r}: a cell is '.' or A, W, AW, M<k>, G<k> joined by '+'"
ROWS = "this row has {} cells where the first has {}: all rows need the same number"
EMPTY = "the puzzle is empty: write rows of cells such as '.  A  M1  G1'"

EXPECTED: dict[str, tuple[int | None, int | None, str]] = {
    "a-picture": (None, None, "the file is not UTF-8 text (byte 1)"),
    "agent-on-agent-wall": (1, 4, "A overlaps an agent wall"),
    "agent-on-movable": (1, 4, "M1 overlaps A"),
    "agent-on-wall": (1, 4, "A overlaps a wall"),
    "bare-g": (1, 4, UNKNOWN.format("G")),
    "bare-m": (1, 4, UNKNOWN.format("M")),
    "blank-first-line": (2, 1, ROWS.format(2, 0)),
    "blank-line-between": (2, 1, ROWS.format(0, 2)),
    "carriage-returns": (2, 7, UNKNOWN.format("Q")),
    "commas": (1, 1, UNKNOWN.format("A,M1,G1")),
    "dangling-plus": (1, 4, UNKNOWN.format("")),
    "dot-in-a-stack": (1, 4, UNKNOWN.format(".")),
    "empty": (None, None, EMPTY),
    "goal-of-another-shape": (2, 1, "the shape of the goal G1 differs from that of M1"),
    "goal-without-object": (2, 4, "G7 is a goal without its object M7"),
    "id-twice": (1, 4, "M1 stands twice in one cell"),
    "long-id": (1, 4, "an id has more than 100 characters"),
    "long-row": (2, 7, ROWS.format(3, 2)),
    "movable-on-wall": (2, 4, "M1 overlaps a wall"),
    "no-agent": (None, None, "there is no agent: mark its cells with A"),
    "not-utf8": (None, None, "the file is not UTF-8 text (byte 4)"),
    "nul-byte": (1, 8, UNKNOWN.format("\0")),
    "only-blank-lines": (None, None, EMPTY),
    "only-plus": (1, 4, UNKNOWN.format("")),
    "overlapping-movables": (2, 4, "M2 overlaps M1"),
    "short-row": (2, 5, ROWS.format(2, 3)),
    "tabs-count-as-one": (1, 5, UNKNOWN.format("Q")),
    "unknown-id": (2, 4, UNKNOWN.format("Q")),
    "wall-with-number": (1, 4, UNKNOWN.format("W1")),
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.pwp")), ids=lambda path: path.stem)
def test_broken_file(path: Path) -> None:
    line, column, problem = EXPECTED[path.stem]
    with pytest.raises(PuzzleError) as caught:
        Puzzle.load(path)
    error = caught.value
    assert (error.file, error.line, error.column, error.problem) == (
        str(path),
        line,
        column,
        problem,
    )
    place = str(path) if line is None else f"{path}, line {line}, column {column}"
    assert str(error) == f"{place}: {problem}"


def test_the_corpus_is_complete() -> None:
    assert {path.stem for path in FOLDER.glob("*.pwp")} == EXPECTED.keys()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.pwp", tmp_path):
        with pytest.raises(PuzzleError, match="cannot be read") as caught:
            Puzzle.load(path)
        assert caught.value.file == str(path)


def test_a_file_without_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.pwp"
    with path.open("wb") as file:
        file.truncate(33 << 20)
    with pytest.raises(PuzzleError, match="larger than 32 MiB"):
        Puzzle.load(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A " * 2_000_000, "2000002 x 3 cells"),
        ("A .\nA " + ". " * 2_000_000, "2000001 cells where the first has 2"),
        ("A" + "\r\n" * 4_000_000 + ".", "4000001 rows; at most 998"),
    ],
    ids=["a wide row", "a wide second row", "many rows"],
)
def test_large_files_are_refused_before_their_cells_are_read(text: str, problem: str) -> None:
    tracemalloc.start()
    with pytest.raises(PuzzleError, match=problem):
        Puzzle.parse(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64_000_000


def test_worlds_that_are_too_large() -> None:
    with pytest.raises(PuzzleError, match="999 rows; at most 998"):
        Puzzle.parse("A\n" * 999)
    with pytest.raises(PuzzleError, match="1001 x 3 cells"):
        Puzzle.parse("A " + ". " * 998)
    with pytest.raises(PuzzleError, match="1001 objects; at most 1000"):
        Puzzle.parse(
            "A" + "".join(f" M{k}" for k in range(997)) + "\n. M997 M998 M999" + " ." * 994
        )
