"""Reading and writing puzzles, and texts that were never meant to be puzzles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pushworld.puzzle import Puzzle, PuzzleError, PuzzleObject
from tests.strategies import puzzles, randoms, small_puzzles


def test_reading_every_element() -> None:
    puzzle = Puzzle.parse(
        """\
.   W   AW     .   .
A   M1  M2+AW  G1  .
A   M1  M1     G1  G1+W
""",
        name="corner",
    )
    assert (puzzle.name, puzzle.width, puzzle.height) == ("corner", 7, 5)
    assert puzzle.objects == (
        PuzzleObject("A", shape=((0, 0), (0, 1)), start=(1, 2)),
        PuzzleObject("M1", shape=((0, 0), (0, 1), (1, 1)), start=(2, 2), goal=(4, 2)),
        PuzzleObject("M2", shape=((0, 0),), start=(3, 2)),
    )
    assert puzzle.agent_walls == {(3, 1), (3, 2)}
    assert {(2, 1), (5, 3)} <= puzzle.walls
    border = {(x, y) for x in range(7) for y in range(5) if x in (0, 6) or y in (0, 4)}
    assert puzzle.walls == border | {(2, 1), (5, 3)}
    assert puzzle.initial_state == ((1, 2), (2, 2), (3, 2))
    assert puzzle.goal == ((4, 2),)


def test_white_space_does_not_matter() -> None:
    plain = Puzzle.parse("A M1 G1\n. . .\n")
    for text in (
        "A M1 G1\n. . .",
        "  A\tM1   G1  \n\t. . .  \n\n \n",
        "A M1 G1\r\n. . .\r\n",
        "A M1 G1\r. . .",
    ):
        assert Puzzle.parse(text) == plain


def test_ids_are_case_insensitive_and_keep_their_first_spelling() -> None:
    puzzle = Puzzle.parse("a mFoo Mfoo w aw\n. gfOO GFOO . AW\n. m2 . W .")
    assert [thing.name for thing in puzzle.objects] == ["A", "MFoo", "M2"]
    assert puzzle.objects[1].goal == (2, 2)
    assert Puzzle.parse(puzzle.to_pwp()) == puzzle
    assert "MFoo" in puzzle.to_pwp()
    assert "GFoo" in puzzle.to_pwp()


def test_objects_with_goals_come_first_then_numbers_count() -> None:
    puzzle = Puzzle.parse("M10 M9 Mb M2 A\nMa G10 Ma Mb G2\nM02 . . . .")
    names = [thing.name for thing in puzzle.objects]
    assert names == ["A", "M2", "M10", "M02", "M9", "Ma", "Mb"]


def test_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "marked.pwp"
    path.write_bytes(b"\xef\xbb\xbfA M1 G1\n")
    assert Puzzle.load(path) == Puzzle.parse("A M1 G1")


@given(puzzles)
def test_round_trip(puzzle: Puzzle) -> None:
    text = puzzle.to_pwp()
    assert Puzzle.parse(text) == puzzle
    assert Puzzle.parse(text).to_pwp() == text


def test_round_trip_of_a_file(tmp_path: Path) -> None:
    puzzle = Puzzle.parse("A Mé Gé", name="accent")
    puzzle.save(tmp_path / "accent.pwp")
    assert Puzzle.load(tmp_path / "accent.pwp") == puzzle
    assert Puzzle.load(str(tmp_path / "accent.pwp")).name == "accent"


@given(st.text())
@example("A\x00")
@example("A\x85M1")
@example("A Mß\n. MSS")
@example("A \u2028")
@example("+")
def test_any_text_is_a_puzzle_or_a_puzzle_error(text: str) -> None:
    assert_puzzle_or_puzzle_error(text)


@given(st.text(alphabet="AWMG01.+ \n", max_size=60))
def test_almost_puzzles(text: str) -> None:
    assert_puzzle_or_puzzle_error(text)


@given(small_puzzles, randoms, st.integers(1, 5))
def test_mutated_puzzles(puzzle: Puzzle, random: Random, mutations: int) -> None:
    text = puzzle.to_pwp()
    for _ in range(mutations):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 4)))
        inserted = random.choice(
            ("", "", "A", "W", "AW", "M0", "G1", "+", " ", "\n", ".", "\t", "é")
        )
        text = text[:start] + inserted + text[end:]
    assert_puzzle_or_puzzle_error(text)


@given(st.binary())
def test_any_bytes_are_a_puzzle_or_a_puzzle_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.pwp"
    path.write_bytes(data)
    outcome = puzzle_or_error(lambda: Puzzle.load(path))
    if isinstance(outcome, PuzzleError):
        assert outcome.file == str(path)
        assert str(outcome).startswith(f"{path}")


def puzzle_or_error(read: Callable[[], Puzzle]) -> Puzzle | PuzzleError:
    try:
        return read()
    except PuzzleError as error:
        return error


def assert_puzzle_or_puzzle_error(text: str) -> None:
    """A text that can be read can be written; the place of an error lies in the text."""
    outcome = puzzle_or_error(lambda: Puzzle.parse(text))
    if isinstance(outcome, Puzzle):
        assert Puzzle.parse(outcome.to_pwp()) == outcome
        return
    assert outcome.problem in str(outcome)
    if outcome.line is not None:
        assert outcome.column is not None
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= outcome.line <= len(lines)
        assert 1 <= outcome.column <= len(lines[outcome.line - 1]) + 1
