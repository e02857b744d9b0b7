"""The page's parser, writer, dynamics and pictures agree with the package's, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from pushworld.engine import Engine
from pushworld.puzzle import Puzzle, PuzzleError
from tests.engine.walking import livelier_action
from tests.shared import needs_shared, published_puzzles
from tests.strategies import puzzles, randoms
from tests.web.browser import needs_browser, opened

pytestmark = needs_browser
BROKEN = Path(__file__).parents[1] / "puzzle" / "broken"

PARSE = """async ([text, bytes]) => {
  const { parsePwp, formatPwp, decodeText } = await import("./js/model/pwp.js");
  const { initialState } = await import("./js/model/puzzle.js");
  try {
    const puzzle = parsePwp(bytes ? decodeText(new Uint8Array(bytes)) : text);
    return {
      size: [puzzle.width, puzzle.height],
      state: initialState(puzzle),
      goals: puzzle.goals,
      names: puzzle.objects.map((thing) => thing.name),
      text: formatPwp(puzzle),
    };
  } catch (error) {
    const { problem, line = null, column = null, message } = error;
    return { problem, line, column, message };
  }
}"""

WALK = """async ([text, plan]) => {
  const { parsePwp } = await import("./js/model/pwp.js");
  const { parsePlan, replayPlan } = await import("./js/model/plans.js");
  const { states, achieved } = replayPlan(parsePwp(text), parsePlan(plan));
  return { states, achieved };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


def outcome_of(read: Any) -> dict[str, Any]:
    """Returns Python's result for a puzzle, in the page's form."""
    try:
        puzzle = read()
    except PuzzleError as error:
        error.file = None
        place = {"line": error.line, "column": error.column}
        return {"problem": error.problem, **place, "message": str(error)}
    return {
        "size": [puzzle.width, puzzle.height],
        "state": [list(position) for position in puzzle.initial_state],
        "goals": len(puzzle.goal),
        "names": [thing.name for thing in puzzle.objects],
        "text": puzzle.to_pwp(),
    }


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.pwp")), ids=lambda path: path.stem)
def test_broken_files_get_the_same_message(page: Page, path: Path) -> None:
    expected = outcome_of(lambda: Puzzle.load(path))
    assert "problem" in expected
    assert page.evaluate(PARSE, [None, list(path.read_bytes())]) == expected


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfA M1 G1", "A M1\ufffd G1\ufffd".encode()])
def test_files_with_a_mark_and_with_a_replacement_character(page: Page, data: bytes) -> None:
    expected = outcome_of(lambda: Puzzle.parse(data.decode("utf-8-sig")))
    assert page.evaluate(PARSE, [None, list(data)]) == expected


KNOWN_IDS = ("A", "a", "W", "AW", "aw", "M1", "m1", "M2", "M02", "M10", "Mx", "G1", "g2", "GX")
STRANGE_IDS = (
    ".",
    "Q",
    "",
    "'",
    "\"'",
    "\0",
    "\u200b",
    "M\ufeff",
    "Mß",
    "MSS",
    "Mé",
    "M😀",
    "\U000e0001",
)
ids = st.sampled_from(KNOWN_IDS + STRANGE_IDS)
cells = st.one_of(st.just("."), st.lists(ids, min_size=1, max_size=3).map("+".join))
rows = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(cells, min_size=columns, max_size=columns), max_size=4)
)
spaces = st.sampled_from([" ", "  ", "\t", "\u3000", "\x1c", "\x85"])
texts = st.builds(
    lambda rows, space, end: end.join(space.join(row) for row in rows) + end,
    rows,
    spaces,
    st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n"]),
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(texts)
@example("A\n" * 999)
@example("A " + ". " * 998)
@example("A" + "".join(f" M{k}" for k in range(997)) + "\n. M997 M998 M999" + " ." * 994)
@example("A M10 M9 M2 Mb Ma Mä M1a M1b M01\n. G10 . G2 . . . . . .")
def test_any_text_means_the_same(page: Page, text: str) -> None:
    assert page.evaluate(PARSE, [text, None]) == outcome_of(lambda: Puzzle.parse(text))


@settings(max_examples=40)
@given(puzzles, randoms)
def test_random_walks_agree_with_the_engine(page: Page, puzzle: Puzzle, random: Random) -> None:
    assert_same_walk(page, puzzle, random, steps=60)


@needs_shared
def test_published_puzzles_agree_with_the_engine(page: Page) -> None:
    for path in published_puzzles()[::6]:
        puzzle = Puzzle.load(path)
        assert page.evaluate(PARSE, [puzzle.to_pwp(), None]) == outcome_of(lambda p=puzzle: p)
        assert_same_walk(page, puzzle, Random(path.stem), steps=100)


def assert_same_walk(page: Page, puzzle: Puzzle, random: Random, steps: int) -> None:
    """The page makes the same states and counts the same goals as the engine on a random walk."""
    engine = Engine(puzzle)
    states = [puzzle.initial_state]
    plan = ""
    for _ in range(steps):
        outcomes = [engine.step(states[-1], action) for action in range(4)]
        action = livelier_action(states[-1], outcomes, random)
        plan += "LRUD"[action]
        states.append(outcomes[action])
    walked = page.evaluate(WALK, [puzzle.to_pwp(), plan])
    assert walked["states"] == [[list(position) for position in state] for state in states]
    assert walked["achieved"] == [puzzle.achieved_goals(state) for state in states]
