"""Phones and large screens: swipes, zoom, the size of boards, and what a win stops and covers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.web.browser import (
    PHONE,
    cell_width,
    fresh,
    go,
    middle,
    needs_browser,
    opened,
    point_of,
    served,
    set_of_texts,
    state_on_page,
    static_site,
    stop_clock,
    touch,
)

pytestmark = needs_browser
COLUMNS, ROWS = 45, 30
PLACES = {(12, 10): "A", (20, 10): "M1", (40, 20): "G1"}
LARGE = "\n".join(" ".join(PLACES.get((x, y), ".") for x in range(COLUMNS)) for y in range(ROWS))
FIELD = "A . . . . . M1 G1\n" + ". . . . . . . .\n" * 5
SCREENS = {"phone": (390, 844), "on its side": (844, 390), "laptop": (1280, 800)}
SCREENS |= {
    "large": (2560, 1440),
    "small": (300, 568),
    "with bars": (390, 664),
    "doubled": (683, 384),
}
TINY, FINGER = 10, 23


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    more = set_of_texts("more", "More", {"Large": LARGE, "Field": FIELD})
    with served(static_site(more)) as address:
        yield address


@pytest.fixture(scope="module")
def shared_phone(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address, **PHONE) as page:
        yield page


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


@pytest.fixture
def phone(shared_phone: Page) -> Iterator[Page]:
    with fresh(shared_phone, "#/") as page:
        yield page


def moves(page: Page) -> Locator:
    """Returns the counter of moves."""
    return page.locator(".counters dd").first


def box_of(found: Locator) -> FloatRect:
    box = found.bounding_box()
    assert box is not None
    return box


def are_apart(one: FloatRect, other: FloatRect) -> bool:
    """Returns whether two boxes share no point."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


def swipe(page: Page, dx: int, dy: int) -> None:
    """Moves a finger over the board, in steps as a browser reports them."""
    x, y = middle(page)
    x, y = x - dx / 2, y - dy / 2
    touch(page, *[[(x + dx * part / 10, y + dy * part / 10)] for part in range(11)])


def pinch(page: Page, *distances: int, at: tuple[float, float] | None = None) -> None:
    """Moves two fingers apart or together, over the middle of the board if not elsewhere."""
    x, y = at or middle(page)
    touch(page, *[[(x - d, y), (x + d, y)] for d in distances or (20, 40, 60, 80, 100)])


def test_one_flick_is_one_move_however_long_it_is(phone: Page) -> None:
    stop_clock(phone)  # however slow the machine is, the finger does not rest on the board
    go(phone, "#/play/more/p1")
    for count, length in enumerate((30, 150, 320), 1):
        swipe(phone, length, 0)
        expect(moves(phone)).to_have_text(str(count))
    swipe(phone, 20, 150)
    assert state_on_page(phone)[0] == [4, 2]
    swipe(phone, 0, -150)
    swipe(phone, -200, 30)
    assert state_on_page(phone)[0] == [3, 1]
    expect(moves(phone)).to_have_text("6")
    phone.clock.resume()


def test_two_fingers_zoom_a_game_and_it_follows_the_agent(phone: Page) -> None:
    go(phone, "#/play/more/p0")
    phone.wait_for_selector(".surface.zoomed")  # the whole of it would be too small to play
    assert cell_width(phone) > FINGER
    expect(phone.locator(".piece.agent")).to_be_in_viewport(ratio=1)
    opened_with = cell_width(phone)
    pinch(phone)
    assert cell_width(phone) > 1.5 * opened_with
    expect(moves(phone)).to_have_text("0")
    for name in ["Move right"] * 3 + ["Move up"] * 9 + ["Move left"] * 14:
        phone.get_by_role("button", name=name).tap()
        expect(phone.locator(".piece.agent")).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Fit").tap()
    assert cell_width(phone) < TINY
    expect(phone.get_by_role("button", name="Fit")).to_be_disabled()


def test_a_tap_on_a_zoomed_board_walks_to_what_is_under_the_finger(phone: Page) -> None:
    go(phone, "#/play/more/p0")
    phone.get_by_role("button", name="Zoom in").tap()
    assert cell_width(phone) > FINGER
    phone.touchscreen.tap(*point_of(phone, 15, 13))
    expect(moves(phone)).to_have_text("4")
    assert state_on_page(phone)[0] == [15, 13]


def test_a_watched_plan_can_be_zoomed_and_is_followed(phone: Page) -> None:
    go(phone, f"#/watch/more/p0?plan={'L' * 12 + 'D' * 19}")
    phone.wait_for_selector(".surface.zoomed")
    opened_with = cell_width(phone)
    pinch(phone)
    assert cell_width(phone) > 1.5 * opened_with
    assert phone.evaluate("visualViewport.scale") == 1
    for key in ("End", "Home", "End"):
        phone.keyboard.press(key)
        expect(phone.locator(".piece.agent")).to_be_in_viewport(ratio=1)


def test_keys_and_the_wheel_zoom_at_a_desk(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for view in ("play", "watch"):
        go(page, f"#/{view}/more/p0")
        whole = cell_width(page)
        page.keyboard.press("+")
        assert cell_width(page) == pytest.approx(2 * whole, rel=0.02)
        expect(page.locator(".piece.agent")).to_be_in_viewport(ratio=1)
        page.keyboard.press("0")
        assert cell_width(page) == pytest.approx(whole, rel=0.02)
        page.mouse.move(*point_of(page, 20, 10))
        page.keyboard.down("Control")
        page.mouse.wheel(0, -120)
        page.keyboard.up("Control")
        page.wait_for_selector(".surface.zoomed")
        assert cell_width(page) > 1.5 * whole


def test_the_page_itself_can_be_zoomed_in_and_out_again(phone: Page) -> None:
    go(phone, "#/play/more/p1")
    whole = cell_width(phone)
    heading = box_of(phone.get_by_role("heading", name="Field"))
    pinch(phone, at=(195, heading["y"] + heading["height"] / 2))
    phone.wait_for_selector(".page-zoomed")
    assert phone.evaluate("visualViewport.scale") > 1.5
    pinch(phone, 150, 120, 90, 60, 30, at=(195, 300))
    phone.wait_for_selector("html:not(.page-zoomed)")
    assert phone.evaluate("visualViewport.scale") == 1
    assert cell_width(phone) == pytest.approx(whole, rel=0.01)
    expect(moves(phone)).to_have_text("0")


@pytest.mark.parametrize("screen", SCREENS)
def test_a_win_stops_held_keys_and_covers_neither_cells_nor_the_title(
    page: Page, screen: str
) -> None:
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})
    go(page, "#/play/bundled/first-push")
    for _ in range(12):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect(moves(page)).to_have_text("4")
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Solved!")
    expect(banner).to_be_in_viewport(ratio=1)
    board = box_of(page.locator(".board"))
    for other in (board, box_of(page.locator(".info"))):
        assert are_apart(box_of(banner), other)
    page.locator(".board").click(position={"x": 60, "y": board["height"] / 2})
    page.keyboard.press("ArrowLeft")
    expect(moves(page)).to_have_text("4")
    page.get_by_role("button", name="Again").click()
    expect(banner).to_be_hidden()
    expect(moves(page)).to_have_text("0")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.get_by_role("heading", name="Crossroads")).to_be_visible()


def test_a_held_button_that_wins_presses_no_other(phone: Page) -> None:
    go(phone, "#/play/bundled/first-push")
    phone.get_by_role("button", name="Move right").focus()
    for _ in range(12):
        phone.keyboard.down("Enter")
    phone.keyboard.up("Enter")
    expect(phone.get_by_text("Solved!", exact=True)).to_be_visible()
    expect(moves(phone)).to_have_text("4")
    for key, count in (("z", "3"), ("ArrowUp", "4")):
        phone.keyboard.press(key)
        expect(moves(phone)).to_have_text(count)
    expect(phone.get_by_text("Solved!", exact=True)).to_be_hidden()


def test_boards_grow_with_the_screen(page: Page) -> None:
    width, height = SCREENS["large"]
    page.set_viewport_size({"width": width, "height": height})
    for route in ("#/play/bundled/first-push", "#/play/more/p0", "#/edit/bundled/first-push"):
        go(page, route)
        board = box_of(page.locator(".board"))
        assert max(board["width"] / width, board["height"] / height) > 0.55
        assert board["y"] + board["height"] <= height


@pytest.mark.parametrize("screen", SCREENS)
def test_the_frame_of_the_focus_surrounds_the_board(page: Page, screen: str) -> None:
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})
    go(page, "#/play/bundled/duet")
    page.locator(".board").click(position={"x": 20, "y": 20})
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("application")).to_be_focused()
    framed = page.evaluate(
        """[...document.querySelectorAll("main, main *")]
            .filter((each) => getComputedStyle(each).outlineStyle !== "none")
            .map((each) => each.getAttribute("class"))"""
    )
    assert framed == ["board"]
