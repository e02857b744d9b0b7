"""Drawing puzzles in a real browser with pointer and keyboard; links, files and saved drawings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle, PuzzleError
from tests.web.browser import fresh, go, needs_browser, opened, route_of, state_on_page

pytestmark = needs_browser


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    viewport = {"width": 1300, "height": 900}
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, address, viewport=viewport, permissions=permissions) as page:
        yield page


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    """The editor with the puzzle that it begins with: an empty row around ``. A . M1 . G1 .``."""
    with fresh(shared_page, "#/edit") as page:
        yield page


def drawn(page: Page) -> Puzzle:
    """Returns the puzzle that the editor shows as text."""
    return Puzzle.parse(page.get_by_label("Puzzle as text").input_value())


def write(page: Page, text: str) -> None:
    page.get_by_label("Puzzle as text").fill(text)


def take(page: Page, tool: str) -> None:
    page.locator(".tool").get_by_text(tool, exact=True).click()


def stroke(page: Page, *cells: tuple[int, int]) -> None:
    """Draws with the pointer from cell to cell."""
    board = page.locator(".board.editable")
    width = board.evaluate("board => board.viewBox.baseVal.width")
    box = board.bounding_box()
    assert box is not None
    side = box["width"] / width
    points = [(box["x"] + x * side, box["y"] + y * side) for x, y in cells]  # 0.5 - 0.5 of border
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point)
    page.mouse.up()


def test_a_puzzle_drawn_from_scratch(page: Page) -> None:
    write(page, "A . . . . .\n. . . . . .\n. . . . . .\n. . . . . .")
    take(page, "Wall")
    stroke(page, (1, 4), (6, 4))
    take(page, "Agent wall")
    stroke(page, (5, 1), (5, 3))
    take(page, "Object")
    stroke(page, (2, 2), (3, 2), (3, 3))
    page.get_by_role("button", name="New object").click()
    stroke(page, (5, 3), (6, 3))
    take(page, "Goal")
    page.get_by_label("Object to draw").select_option("Object 1")
    stroke(page, (5, 1))
    take(page, "Erase")
    stroke(page, (2, 4), (3, 4))
    expected = """\
        A  .   .   .  AW+G1  G1
        .  M1  M1  .  AW     G1
        .  .   M1  .  AW+M2  M2
        W  .   .   W  W      W
    """
    assert drawn(page) == Puzzle.parse(expected.replace("        ", "").rstrip())
    for _ in range(6):
        page.get_by_role("button", name="Undo").click()
    assert drawn(page) == Puzzle.parse("A . . . . .\n. . . . . .\n. . . . . .\n. . . . . .")
    for _ in range(6):
        page.get_by_role("button", name="Redo").click()
    assert drawn(page) == Puzzle.parse(expected.replace("        ", "").rstrip())


def test_a_stroke_from_another_object_goes_on_with_it(page: Page) -> None:
    write(page, "A . M1 M2 .\n. . . . .")
    take(page, "Object")
    stroke(page, (4, 1), (5, 1), (5, 2))
    assert drawn(page) == Puzzle.parse("A . M1 M2 M2\n. . . . M2")
    expect(page.get_by_label("Object to draw")).to_have_value("M2")


def test_a_stroke_elsewhere_begins_a_new_object(page: Page) -> None:
    write(page, "A . . . .\n. . . . .")
    take(page, "Object")
    for cells in (((1, 2), (2, 2)), ((4, 1),), ((5, 1),)):
        stroke(page, *cells)
    assert drawn(page) == Puzzle.parse("A . . M2 M2\nM1 M1 . . .")
    page.get_by_label("Object to draw").select_option("Object 1")
    stroke(page, (5, 2))  # chosen by its name, it may have parts that lie apart
    assert drawn(page) == Puzzle.parse("A . . M2 M2\nM1 M1 . . M1")


def test_shapes_move_and_change_with_their_goals(page: Page) -> None:
    write(page, "A . . . .\n. M1 . G1 .\n. . . . .")
    take(page, "Move")
    stroke(page, (2, 2), (3, 3))
    assert drawn(page) == Puzzle.parse("A . . . .\n. . . G1 .\n. . M1 . .")
    stroke(page, (4, 2), (9, 1))
    assert drawn(page) == Puzzle.parse("A . . . G1\n. . . . .\n. . M1 . .")
    take(page, "Object")
    stroke(page, (3, 2))
    assert drawn(page) == Puzzle.parse("A . . . G1\n. . M1 . G1\n. . M1 . .")
    stroke(page, (3, 3))
    assert drawn(page) == Puzzle.parse("A . . . G1\n. . M1 . .\n. . . . .")


def test_lines_are_added_and_taken_on_all_sides(page: Page) -> None:
    write(page, "A M1 G1")
    for side in ("left", "right", "top", "bottom"):
        page.get_by_role("button", name=f"Add a line to the {side}").click()
    assert drawn(page) == Puzzle.parse(". . . . .\n. A M1 G1 .\n. . . . .")
    page.get_by_role("button", name="Remove a line from the left").click()
    page.get_by_role("button", name="Remove a line from the top").click()
    assert drawn(page) == Puzzle.parse("A M1 G1 .\n. . . .")
    page.get_by_label("Columns").fill("5")
    page.get_by_label("Rows").fill("1")
    page.get_by_label("Rows").press("Enter")
    assert drawn(page) == Puzzle.parse("A M1 G1 . .")
    page.get_by_label("Columns").fill("1000")  # more than can be drawn
    page.get_by_label("Columns").press("Enter")
    expect(page.get_by_label("Columns")).to_have_value("5")


def test_everything_works_with_the_keyboard_alone(page: Page) -> None:
    write(page, "A . .\n. . .\n. . .")
    page.locator(".surface").focus()
    announcer = page.locator("#announcer")

    def press(keys: str) -> None:
        for key in keys.split():
            page.keyboard.press(key)

    press("ArrowRight ArrowDown 4 Space")
    expect(announcer).to_have_text("Column 2, row 2: object 1")
    press("5 ArrowDown Enter")
    expect(announcer).to_have_text("Column 2, row 3: goal 1")
    press("6 ArrowUp Space ArrowRight Space")
    assert drawn(page) == Puzzle.parse("A . .\n. . M1\n. G1 .")
    press("1 ArrowUp Space")
    assert drawn(page) == Puzzle.parse("A . W\n. . M1\n. G1 .")
    press("Delete")
    expect(announcer).to_have_text("Column 3, row 1: empty")
    press("z")
    assert drawn(page) == Puzzle.parse("A . W\n. . M1\n. G1 .")


def test_the_keyboard_goes_on_where_the_pointer_was(page: Page) -> None:
    write(page, "A . .\n. . .\n. . .")
    stroke(page, (2, 2))
    cursor = page.locator(".cursor")
    expect(cursor).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(cursor).to_be_visible()
    page.keyboard.press("Space")
    assert drawn(page) == Puzzle.parse("A . .\n. W W\n. . .")


@pytest.mark.parametrize(
    "text",
    ["", ". M1 G1", "A M1 G1 G1", "A M1\n.", "A+W M1", "A Q", "A G7", "A M1+M2 M2", "A+AW . ."],
)
def test_what_is_wrong_is_said_in_the_words_of_the_parser(page: Page, text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        Puzzle.parse(text)
    write(page, text)
    message = page.locator(".message")
    expect(message).to_have_text(str(caught.value))
    write(page, "A M1 G1")
    expect(message).to_have_text("Valid: 3 × 1 cells, 1 object, 1 goal.")


def test_a_wrong_drawing_is_shown_where_it_is_wrong(page: Page) -> None:
    write(page, "A M1 G1 .")
    take(page, "Move")
    stroke(page, (1, 1), (2, 1))
    expect(page.locator(".message")).to_have_text("line 1, column 4: M1 overlaps A")
    wrong = page.locator(".wrong")
    assert (wrong.get_attribute("x"), wrong.get_attribute("y")) == ("2", "1")
    expect(page.get_by_role("button", name="Test play")).to_be_disabled()
    take(page, "Erase")
    stroke(page, (2, 1))
    expect(page.locator(".message")).to_have_text("there is no agent: mark its cells with A")


def test_test_play_and_back(page: Page) -> None:
    write(page, "A M1 G1")
    page.get_by_label("Name of the puzzle").fill("Tiny & <b>bold</b>")
    page.get_by_role("button", name="Test play").click()
    expect(page.get_by_role("heading", name="Tiny & <b>bold</b>")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert state_on_page(page) == [[2, 1], [3, 1]]
    expect(page.get_by_text("Solved!", exact=True)).to_be_visible()
    page.get_by_role("navigation", name="Other views").get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Name of the puzzle")).to_have_value("Tiny & <b>bold</b>")
    assert drawn(page) == Puzzle.parse("A M1 G1")


def test_the_link_contains_the_puzzle(page: Page) -> None:
    each = next(each for each in bundled_puzzles() if each.name == "castaway")
    write(page, each.puzzle.to_pwp())
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert len(link) < 400
    with fresh(page, route_of(link)) as other:
        assert state_on_page(other) == [list(place) for place in each.puzzle.initial_state]


def test_files_come_in_and_go_out(page: Page, tmp_path: Path) -> None:
    puzzle = next(each.puzzle for each in bundled_puzzles() if each.name == "duet")
    path = tmp_path / "my duet.pwp"
    puzzle.save(path)

    def choose(file: Path) -> None:
        with page.expect_file_chooser() as chosen:
            page.get_by_role("button", name="Open a .pwp file").click()
        chosen.value.set_files(file)

    choose(path)
    expect(page.get_by_label("Name of the puzzle")).to_have_value("my duet")
    assert drawn(page) == puzzle

    def export(kind: str) -> bytes:
        with page.expect_download() as saved:
            page.get_by_role("button", name=kind, exact=True).click()
        assert saved.value.suggested_filename == f"my-duet.{kind.lower().removeprefix('.')}"
        return Path(saved.value.path()).read_bytes()

    assert Puzzle.parse(export(".pwp").decode()) == puzzle
    drawing = ElementTree.fromstring(export("SVG"))
    assert not {name for each in drawing.iter() for name in each.attrib} & {"class", "style"}
    assert not any("var(" in value for each in drawing.iter() for value in each.attrib.values())
    picture = np.asarray(Image.open(io.BytesIO(export("PNG"))).convert("RGB"))
    assert picture.shape == (40 * (puzzle.height - 1), 40 * (puzzle.width - 1), 3)
    for thing, (x, y) in zip(puzzle.objects, puzzle.initial_state, strict=True):
        colour = {"A": (0, 220, 0), "M3": (70, 155, 255)}.get(thing.name, (220, 0, 0))
        # A place without eyes, number and shine; half a cell of the border is left out.
        assert tuple(picture[40 * y + 10, 40 * x - 9]) == colour

    broken = tmp_path / "broken.pwp"
    broken.write_bytes(b"A  \xff")
    choose(broken)
    expect(page.locator(".message")).to_have_text("broken.pwp: the file is not UTF-8 text (byte 4)")
    assert drawn(page) == puzzle


def test_a_drawing_is_still_there_after_a_reload(page: Page) -> None:
    write(page, "A . M1 G1")
    page.get_by_label("Name of the puzzle").fill("Kept")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert drawn(page) == Puzzle.parse("A . M1 G1")
    expect(page.get_by_label("Name of the puzzle")).to_have_value(re.compile("Kept"))


def test_no_drawing_is_lost_to_another_one(page: Page) -> None:
    name, kept = page.get_by_label("Name of the puzzle"), page.locator(".kept a")
    write(page, "A . M1 G1")
    name.fill("Mine")
    go(page, "#/edit/bundled/first-push")
    expect(kept).to_have_text(["Mine"])  # opened, not changed: there is nothing to keep
    write(page, "A M1 G1")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert drawn(page) == Puzzle.parse("A M1 G1")
    page.get_by_role("button", name="Test play").click()
    expect(page.get_by_label("Board of First Push")).to_be_visible()
    page.get_by_role("navigation", name="Other views").get_by_role("link", name="Edit").click()
    write(page, "A . . M1 G1")
    expect(kept).to_have_text(["First Push", "Mine"])
    page.get_by_role("button", name="New", exact=True).click()
    expect(name).to_have_value("My puzzle")
    kept.get_by_text("Mine").click()
    expect(name).to_have_value("Mine")
    assert drawn(page) == Puzzle.parse("A . M1 G1")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget First Push").click()
    expect(kept).to_have_text(["Mine"])
