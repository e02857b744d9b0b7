"""A phone in the hand: all of a game on one screen, taps that hit what was meant, and all by touch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pushworld.datasets import bundled_puzzles
from tests.waiting import PATIENCE
from tests.web.browser import (
    cell_width,
    fresh,
    go,
    needs_browser,
    opened,
    point_of,
    served,
    set_of_texts,
    state_on_page,
    static_site,
    stop_clock,
)

pytestmark = needs_browser
SCREENS = {"small": (300, 568), "with bars": (390, 664), "on its side": (844, 390)}
NAMES = {"L": "left", "R": "right", "U": "up", "D": "down"}
LESSONS = bundled_puzzles()[:10]
CORRIDOR = "A . . . . . . . . M1 . . G1\n" + ". . . . . . . . . . . . .\n" * 2
LOWEST_LINE = """board => {
    const { left, bottom, width } = board.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, bottom - 2);
    return seen.closest(".surface") ? "board" : seen.outerHTML;
}"""
"""What is seen at the lower edge of the board."""
HOLD_MS, REPEAT_MS, DEAD_MS = 350, 140, 500


@pytest.fixture(scope="module")
def shared_phone(browser: Browser) -> Iterator[Page]:
    more = set_of_texts("more", "More", {"Corridor": CORRIDOR})
    device: dict[str, Any] = {
        "viewport": {"width": 390, "height": 664},
        "has_touch": True,
        "is_mobile": True,
    }
    with served(static_site(more)) as address, opened(browser, address, **device) as page:
        yield page


@pytest.fixture
def phone(shared_phone: Page) -> Iterator[Page]:
    shared_phone.set_viewport_size({"width": 390, "height": 664})
    with fresh(shared_phone, "#/") as page:
        yield page


def tap_until_shown(button: Locator, wanted: Locator) -> None:
    """Taps on a button, three times at most: a browser without time takes a tap for a long one."""
    for seconds in (10, 10, PATIENCE):
        button.tap()
        with suppress(AssertionError):
            return expect(wanted).to_be_visible(timeout=seconds * 1000)
    raise AssertionError(f"no tap on {button} shows {wanted}")


def press_arrows(page: Page, plan: str) -> None:
    """Taps on the arrows where they are, as a finger does."""
    places = {}
    for letter in set(plan):
        box = page.get_by_role("button", name=f"Move {NAMES[letter]}").bounding_box()
        assert box is not None
        places[letter] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for letter in plan:
        page.touchscreen.tap(*places[letter])


class Finger:
    """One finger on the screen."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@pytest.mark.parametrize("screen", SCREENS)
def test_every_lesson_fits_on_one_screen(phone: Page, screen: str) -> None:
    width, height = SCREENS[screen]
    phone.set_viewport_size({"width": width, "height": height})
    for lesson in LESSONS:
        go(phone, f"#/play/bundled/{lesson.name}")
        expect(phone.get_by_role("heading", name=lesson.title)).to_be_in_viewport(ratio=1)
        expect(phone.get_by_role("link", name="First steps")).to_be_in_viewport(ratio=1)
        expect(phone.get_by_text(lesson.description)).to_be_in_viewport(ratio=0.9)
        expect(phone.locator(".board")).to_be_in_viewport(ratio=1)
        for name in ("Move up", "Move down", "Undo", "Next"):
            expect(phone.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        assert cell_width(phone) >= 16
        assert phone.locator(".board").evaluate(LOWEST_LINE) == "board"
    assert phone.evaluate("scrollY") == 0


@pytest.mark.large
def test_a_child_plays_the_first_ten_lessons_by_touch_without_scrolling(phone: Page) -> None:
    stop_clock(phone)
    onward = phone.get_by_role("link", name="Start: First Push")
    for lesson in LESSONS:
        tap_until_shown(onward, phone.get_by_role("heading", name=lesson.title))
        press_arrows(phone, lesson.plan)
        for text in ("Solved!", lesson.idea):
            expect(phone.get_by_text(text, exact=True)).to_be_in_viewport(ratio=1)
        assert phone.evaluate("scrollY") == 0
        phone.clock.run_for(DEAD_MS)
        onward = phone.get_by_role("button", name="Next puzzle")
    phone.clock.resume()


def test_a_second_tap_on_the_winning_arrow_skips_nothing(phone: Page) -> None:
    stop_clock(phone)
    go(phone, "#/play/bundled/first-push")
    press_arrows(phone, "R" * 7)
    expect(phone.get_by_text("Solved!", exact=True)).to_be_visible()
    expect(phone.locator(".counters dd").first).to_have_text("4")
    onward = phone.locator(".banner .row")
    assert onward.evaluate("row => row.inert")
    phone.clock.run_for(DEAD_MS)
    assert not onward.evaluate("row => row.inert")
    phone.get_by_role("button", name="Next puzzle").tap()
    expect(phone.get_by_role("heading", name="Crossroads")).to_be_visible()
    phone.clock.resume()


def test_what_is_held_goes_on(phone: Page) -> None:
    stop_clock(phone)
    go(phone, "#/play/more/p0")
    finger = Finger(phone)
    x, y = point_of(phone, 3, 3)
    finger.send("touchStart", (x, y))
    finger.send("touchMove", (x + 40, y))
    expect(phone.locator(".counters dd").first).to_have_text("1")
    phone.clock.run_for(HOLD_MS + 2 * REPEAT_MS)
    expect(phone.locator(".counters dd").first).to_have_text("4")
    finger.send("touchEnd")
    phone.clock.run_for(10 * REPEAT_MS)
    expect(phone.locator(".counters dd").first).to_have_text("4")
    box = phone.get_by_role("button", name="Undo").bounding_box()
    assert box is not None
    finger.send("touchStart", (box["x"] + 9, box["y"] + 9))
    phone.clock.run_for(HOLD_MS + REPEAT_MS)
    finger.send("touchEnd")
    expect(phone.locator(".counters dd").first).to_have_text("2")
    phone.clock.resume()


def test_an_object_is_dragged_where_the_rules_allow_it(phone: Page) -> None:
    stop_clock(phone)
    go(phone, "#/play/more/p0")
    held, there = point_of(phone, 10, 1), point_of(phone, 12, 1)
    finger = Finger(phone)
    finger.send("touchStart", held)
    phone.clock.run_for(HOLD_MS)
    finger.send("touchMove", there)
    phone.clock.run_for(3000)
    assert state_on_page(phone) == [[11, 1], [12, 1]]
    finger.send("touchEnd")
    for kind, *point in (("touchStart", there), ("touchMove", held), ("touchEnd",)):
        finger.send(kind, *point)  # a swipe from an object moves the agent as any other does
    assert state_on_page(phone) == [[10, 1], [12, 1]]
    phone.clock.resume()


def test_a_button_does_not_stay_lit_after_a_tap(phone: Page) -> None:
    go(phone, "#/play/bundled/first-push")
    share = phone.get_by_role("button", name="Share")
    colour = "button => getComputedStyle(button).backgroundColor"
    before = share.evaluate(colour)
    share.hover()
    assert share.evaluate(colour) == before


def test_help_begins_with_the_rules(phone: Page) -> None:
    phone.get_by_role("button", name="Help").click()
    expect(phone.get_by_role("dialog").get_by_text("Walk into an object")).to_be_in_viewport()
    assert phone.get_by_role("dialog").evaluate("dialog => dialog.scrollTop") == 0
    phone.get_by_role("button", name="Close").click()
