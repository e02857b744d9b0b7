"""Playing in a real browser: keys, pointer, touch, undo, links, progress and announcements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle, State
from pushworld.web.catalogue import CatalogueSet
from tests.web.browser import (
    fresh,
    go,
    needs_browser,
    opened,
    play,
    route_of,
    served,
    set_of_texts,
    state_on_page,
    static_site,
)

pytestmark = needs_browser
LETTERS = {"L": "a", "R": "d", "U": "w", "D": "s"}
BUNDLED = {each.name: each for each in bundled_puzzles()}
ROOM = """\
A  A  .  .  .   .
.  .  W  .  AW  .
.  .  W  .  AW  .
.  M1 W  .  AW  .
.  .  .  .  AW  G1
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    room = set_of_texts("more", "More", {"Room": ROOM})
    texts = {f"Number {number}": "A M1 G1\n" for number in range(1, 41)}
    records = set_of_texts("levels", "Levels", texts).puzzles
    levels = [record | {"level": 1 + place // 20} for place, record in enumerate(records)]
    sets = (room, CatalogueSet("levels", "Levels", tuple(levels)))
    with served(static_site(*sets)) as address:
        yield address


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, address, permissions=permissions) as page:
        yield page


def as_lists(state: State) -> list[list[int]]:
    return [list(position) for position in state]


def last_state(puzzle: Puzzle, plan: str) -> list[list[int]]:
    *_, state = puzzle.replay(plan)
    return as_lists(state)


def counters(page: Page) -> dict[str, str]:
    """Returns what the counters show, without par."""
    rows = page.locator(".counters div").all_inner_texts()
    return dict(row.split("\n")[:2] for row in rows)


@pytest.mark.large
def test_every_bundled_puzzle_can_be_solved_with_the_keyboard(page: Page) -> None:
    for name, each in BUNDLED.items():
        go(page, f"#/play/bundled/{name}")
        expect(page.get_by_role("heading", name=each.title)).to_be_visible()
        play(page, each.plan)
        assert state_on_page(page) == last_state(each.puzzle, each.plan)
        expect(page.get_by_text("Solved!", exact=True)).to_be_visible()
        states = list(each.puzzle.replay(each.plan))
        goals = len(each.puzzle.goal)
        assert counters(page) == {
            "Moves": str(len(each.plan)),
            "Pushes": str(sum(one[1:] != other[1:] for one, other in pairwise(states))),
            "Goals": f"{goals}/{goals}",
            "Best": str(len(each.plan)),
        }


def test_letters_move_too_and_undo_redo_reset_lead_everywhere(page: Page) -> None:
    puzzle, plan = BUNDLED["portcullis"].puzzle, BUNDLED["portcullis"].plan
    states = [as_lists(state) for state in puzzle.replay(plan)]
    go(page, "#/play/bundled/portcullis")
    play(page, plan[:12], LETTERS)
    assert state_on_page(page) == states[12]
    for step, key in ((11, "z"), (10, "u"), (11, "y"), (10, "Control+z"), (11, "Control+y")):
        page.keyboard.press(key)
        assert state_on_page(page) == states[step]
        assert counters(page)["Moves"] == str(step)
    page.keyboard.press("r")
    assert state_on_page(page) == states[0]
    for step in range(1, 13):
        page.get_by_role("button", name="Redo").click()
        assert state_on_page(page) == states[step]
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    for step in range(11, -1, -1):
        page.get_by_role("button", name="Undo").click()
        assert state_on_page(page) == states[step]
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_move_into_a_wall_is_no_move(page: Page) -> None:
    go(page, "#/play/more/p0")
    play(page, "LU")
    assert counters(page)["Moves"] == "0"
    expect(page.locator("#announcer")).to_have_text("Up is blocked.")


def test_what_happens_is_announced(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    announcer = page.locator("#announcer")
    play(page, "R")
    expect(announcer).to_have_text("Right.")
    page.keyboard.press("p")
    expect(announcer).to_have_text(
        "You are at column 2, row 3. Object 1 at column 4, row 3, its goal is 2 to the right."
    )
    play(page, "RR")
    expect(announcer).to_have_text("Right, pushes object 1.")
    play(page, "R")
    expect(announcer).to_have_text(
        "Solved! 4 moves, 2 pushes. That is par: no shorter solution is known. "
        "Walking into an object pushes it, and nothing pulls it back."
    )
    page.keyboard.press("z")
    expect(announcer).to_have_text("Undone, move 3.")


def click_cell(page: Page, x: int, y: int, columns: int) -> None:
    """Clicks into the middle of a cell of a board with this many columns inside its border."""
    board = page.locator(".board")
    box = board.bounding_box()
    assert box is not None
    cell = box["width"] / (columns + 1)  # half a cell of border on each side
    board.click(position={"x": x * cell, "y": y * cell})


def test_a_click_on_a_free_cell_walks_the_shortest_way(page: Page) -> None:
    """The agent is two cells wide, and the way around the wall is at the top."""
    go(page, "#/play/more/p0")
    click_cell(page, 1, 3, columns=6)
    expect(page.locator(".piece").first).to_have_attribute("data-y", "3")
    assert counters(page)["Moves"] == "2"
    click_cell(page, 4, 1, columns=6)
    expect(page.locator(".piece").first).to_have_attribute("data-x", "3")
    assert counters(page)["Moves"] == "6"
    click_cell(page, 6, 5, columns=6)  # behind the agent walls
    expect(page.locator("#announcer")).to_have_text("There is no free way to this cell.")
    assert counters(page)["Moves"] == "6"


def test_the_mouse_alone_solves_a_puzzle(page: Page) -> None:
    """In First Push, agent, object and goal stand in one row, with cells between them."""
    go(page, "#/play/bundled/first-push")
    (agent, row), (object_, _) = state_on_page(page)
    click_cell(page, object_ - 1, row, columns=7)
    expect(page.locator(".piece").first).to_have_attribute("data-x", str(object_ - 1))
    assert object_ - 1 > agent
    for at in (object_, object_ + 1):
        click_cell(page, at, row, columns=7)
        expect(page.locator(".piece").last).to_have_attribute("data-x", str(at + 1))
    expect(page.get_by_text("Solved!", exact=True)).to_be_visible()


def test_a_link_leads_to_a_position_in_a_plan(page: Page) -> None:
    each = BUNDLED["cork"]
    go(page, f"#/play/bundled/cork?plan={each.plan}&step=9")
    assert state_on_page(page) == last_state(each.puzzle, each.plan[:9])
    for _ in each.plan[9:]:
        page.keyboard.press("y")
    assert state_on_page(page) == last_state(each.puzzle, each.plan)


def test_the_copied_link_leads_back(page: Page) -> None:
    go(page, "#/play/bundled/cork")
    play(page, BUNDLED["cork"].plan[:7])
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The link is copied. It works on this computer only")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with fresh(page, route_of(link)) as other:
        assert state_on_page(other) == last_state(BUNDLED["cork"].puzzle, BUNDLED["cork"].plan[:7])


def test_progress_is_remembered(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    play(page, "RRRR")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Crossroads")).to_be_visible()
    play(page, "RR")
    page.reload()
    page.wait_for_selector("main[data-ready=play]")
    assert state_on_page(page) == last_state(BUNDLED["crossroads"].puzzle, "RR")
    go(page, "#/play/bundled/crossroads?plan=LLL")  # a look at another position changes nothing
    go(page, "#/play/bundled/crossroads")
    assert state_on_page(page) == last_state(BUNDLED["crossroads"].puzzle, "RR")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_text("1 of 12 solved")).to_be_visible()
    cards = page.locator(".card").filter(has_text="Solved")
    assert cards.locator("a").all_inner_texts() == ["First Push"]


def test_the_next_pupil_starts_anew(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    play(page, "RRRR")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_text("1 of 12 solved")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget it").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("0 of 12 solved")).to_be_visible()


def test_the_gallery_finds_puzzles(page: Page) -> None:
    names = page.locator(".card a")
    expect(names).to_have_count(len(BUNDLED))
    expect(page.locator(".thumbnail svg").first).to_be_visible()
    page.get_by_label("Search puzzles").fill("  keep WALKING ")
    expect(names).to_have_text(["First Push"])
    page.get_by_label("Search puzzles").fill("")
    page.get_by_role("button", name="agent walls").click()
    tagged = [each.title for each in BUNDLED.values() if "agent-walls" in each.tags]
    expect(names).to_have_text(tagged)
    expect(page).to_have_url(re.compile("tag=agent-walls$"))
    page.reload()
    expect(names).to_have_text(tagged)
    page.get_by_role("link", name="All").click()
    expect(names).to_have_count(len(BUNDLED) + 1 + 40)
    page.get_by_label("Search puzzles").fill("nothing is called this")
    expect(page.get_by_text("No puzzle matches.")).to_be_visible()


def test_the_gallery_shows_levels_and_comes_back_where_it_was_left(page: Page) -> None:
    page.get_by_role("link", name="Levels").click()
    heads = page.locator(".part")
    expect(heads).to_have_text(["Easy0 of 20 solved", "Medium0 of 20 solved"])
    page.get_by_role("link", name="Number 39").click()
    expect(page.get_by_role("heading", name="Number 39")).to_be_visible()
    play(page, "R")
    expect(page.get_by_text("Solved!", exact=True)).to_be_visible()
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_role("heading", name="Levels")).to_be_attached()
    expect(page.get_by_role("link", name="Number 39")).to_be_in_viewport()
    expect(heads.last).to_have_text("Medium1 of 20 solved")
    expect(page.locator(".card").filter(has_text="Number 39")).to_contain_text("1 move")


def test_pieces_glide_unless_less_motion_is_wanted(page: Page) -> None:
    script = "getComputedStyle(document.querySelector('.piece')).transitionDuration"
    go(page, "#/play/bundled/duet")
    assert page.evaluate(script) == "0s"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(script) == "0.11s"
    page.emulate_media(reduced_motion="reduce")
