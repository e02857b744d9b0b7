"""Drawings larger than the screen: zooming by buttons, keys, wheel and fingers."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.puzzle import Puzzle
from tests.web.browser import (
    PHONE,
    cell_width,
    fresh,
    go,
    middle,
    needs_browser,
    opened,
    point_of,
    touch,
)

pytestmark = needs_browser
SIDE = 100
TEXT = "\n".join(
    " ".join("A" if (x, y) == (60, 70) else "." for x in range(1, SIDE + 1))
    for y in range(1, SIDE + 1)
)
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 700}}
SMALL_CELL, FINGER = 6, 40


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address, **LAPTOP) as page:
        yield page


@pytest.fixture
def laptop(shared_page: Page) -> Iterator[Page]:
    with fresh(shared_page, LARGE) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address + LARGE, **PHONE) as page:
        yield page


def packed(text: str) -> str:
    """Returns a text as links contain it, packed as docs/guides/web.md says."""
    compressor = zlib.compressobj(wbits=-15)
    data = compressor.compress(text.encode()) + compressor.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


LARGE = f"#/edit?name=Large&puzzle={packed(TEXT)}"
"""The link to a drawing of 100 x 100 cells."""


def cell_in_the_middle(page: Page) -> tuple[float, float]:
    (left, top), (x, y) = point_of(page, 0, 0), middle(page)
    return (x - left) / cell_width(page), (y - top) / cell_width(page)


def walls(page: Page) -> set[tuple[int, int]]:
    """Returns the walls inside the border."""
    text = page.get_by_label("Puzzle as text").input_value()
    return {(x, y) for x, y in Puzzle.parse(text).walls if 0 < x <= SIDE and 0 < y <= SIDE}


def zoom(page: Page, name: str, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name=name).click()


def test_buttons_make_cells_larger_around_the_middle(laptop: Page) -> None:
    before = cell_width(laptop)
    assert before < SMALL_CELL
    expect(laptop.get_by_role("button", name="Zoom out")).to_be_disabled()
    zoom(laptop, "Zoom in", 2)
    assert cell_width(laptop) == pytest.approx(4 * before, rel=0.01)
    assert cell_in_the_middle(laptop) == pytest.approx((50, 50), abs=2)
    zoom(laptop, "Zoom in", 2)
    expect(laptop.get_by_role("button", name="Zoom in")).to_be_disabled()
    zoom(laptop, "Zoom out")
    assert cell_width(laptop) == pytest.approx(34, abs=1)
    zoom(laptop, "Fit")
    assert cell_width(laptop) == pytest.approx(before, rel=0.01)


def test_what_is_drawn_stands_where_the_pointer_is(laptop: Page) -> None:
    zoom(laptop, "Zoom in", 3)
    laptop.mouse.move(*point_of(laptop, 48, 50))
    laptop.mouse.down()
    laptop.mouse.move(*point_of(laptop, 53, 50))
    laptop.mouse.up()
    assert walls(laptop) == {(x, 50) for x in range(48, 54)}


def test_the_cursor_of_the_keyboard_stays_in_sight(laptop: Page) -> None:
    laptop.locator(".edit .surface").focus()
    for key in ("+", "+", "+", *["ArrowRight"] * 70, *["ArrowDown"] * 80, "Space"):
        laptop.keyboard.press(key)
    expect(laptop.locator(".cursor")).to_be_in_viewport(ratio=0.9)
    assert walls(laptop) == {(71, 81)}
    laptop.keyboard.press("0")
    assert cell_width(laptop) < SMALL_CELL


def test_the_wheel_zooms_at_the_pointer_and_the_tool_move_pans(laptop: Page) -> None:
    before = cell_width(laptop)
    target = (50.5, 70)  # in the middle from left to right, where a narrow drawing stays
    x, y = point_of(laptop, *target)
    laptop.mouse.move(x, y)
    laptop.keyboard.down("Control")
    for _ in range(3):
        laptop.mouse.wheel(0, -120)
    laptop.keyboard.up("Control")
    laptop.wait_for_function(
        f"document.querySelector('.zoomed .editable')?.getScreenCTM().a > {5 * before}"
    )
    assert point_of(laptop, *target) == pytest.approx((x, y), abs=2)
    laptop.keyboard.press("6")
    there = point_of(laptop, 62, 72)
    laptop.mouse.move(*there)
    laptop.mouse.down()
    laptop.mouse.move(there[0] - 50, there[1] - 30)
    laptop.mouse.up()
    assert point_of(laptop, *target) == pytest.approx((x - 50, y - 30), abs=2)
    expect(laptop.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_fingers_zoom_and_pan_and_one_draws(phone: Page) -> None:
    before = cell_width(phone)
    assert before < SMALL_CELL
    for _ in range(3):
        x, y = middle(phone)
        stages = [[(x - d, y), (x + d, y)] for d in (20, 60, 100)]
        touch(phone, *stages)
    assert cell_width(phone) > FINGER
    assert walls(phone) == set()
    here = cell_in_the_middle(phone)
    x, y = middle(phone)
    touch(phone, *[[(x - 40 - d, y - d), (x + 40 - d, y - d)] for d in (0, 20, 40)])
    moved = 40 / cell_width(phone)
    assert cell_in_the_middle(phone) == pytest.approx((here[0] + moved, here[1] + moved), abs=0.2)
    assert walls(phone) == set()
    expect(phone.get_by_role("button", name="Undo")).to_be_disabled()
    column, row = (int(place) for place in cell_in_the_middle(phone))
    touch(phone, [point_of(phone, column, row)], [point_of(phone, column + 2, row)])
    assert walls(phone) == {(x, row) for x in range(column, column + 3)}


def test_a_small_drawing_needs_no_zoom(laptop: Page) -> None:
    expect(laptop.get_by_role("group", name="Zoom")).to_be_visible()
    go(laptop, "#/edit?drawing=new")
    expect(laptop.get_by_role("group", name="Zoom")).to_be_hidden()
