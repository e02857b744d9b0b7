"""Whose solution it is: the player's own, one with help, or one that was only shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import fresh, go, needs_browser, opened
from tests.web.server_process import RunningServer

pytestmark = needs_browser
FIRST = "#/play/bundled/first-push"
"""Four moves to the right solve it."""


@pytest.fixture(scope="module")
def shared_page(browser: Browser, plain_server: RunningServer) -> Iterator[Page]:
    with opened(browser, plain_server.address) as page:
        yield page


@pytest.fixture(params=[(390, 844), (1280, 800)], ids=["phone", "laptop"])
def page(shared_page: Page, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    shared_page.set_viewport_size({"width": width, "height": height})
    with fresh(shared_page, FIRST) as page:
        yield page


def assert_gallery(page: Page, solved: int, helped: int) -> None:
    """Asserts how many puzzles the gallery shows as solved, and as solved with help."""
    go(page, "#/gallery/bundled")
    expect(page.get_by_text(f"{solved} of 12 solved")).to_be_visible()
    expect(page.locator(".solved-mark:not(.helped)")).to_have_count(solved)
    expect(page.locator(".solved-mark.helped")).to_have_count(helped)
    expect(page.locator(".card").get_by_text("Solved with help")).to_have_count(helped)


def test_a_solution_that_is_played_is_not_the_players(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("button", name="Play it").click()
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Solved for you")
    expect(page.locator(".counters")).to_contain_text("Best–")
    assert_gallery(page, solved=0, helped=0)


def test_what_was_taken_over_is_solved_with_help_until_it_is_solved_alone(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("button", name="One move").click()
    expect(page.locator(".counters dd").first).to_have_text("1")
    page.reload()
    page.wait_for_selector("main[data-ready=play]")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".banner")).to_contain_text("Solved with help")
    expect(page.locator(".counters")).to_contain_text("Best–")
    assert_gallery(page, solved=0, helped=1)
    go(page, FIRST)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Solved!", exact=True)).to_be_visible()
    expect(page.locator(".counters")).to_contain_text("Best4")
    assert_gallery(page, solved=1, helped=0)


def test_following_a_hint_is_help(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator(".answer p")).to_be_visible()
    expect(page.locator(".search-status")).to_have_count(0)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".banner")).to_contain_text("Solved with help")
    page.get_by_role("button", name="Try it alone").click()
    expect(page.get_by_role("application")).to_be_focused()
    assert_gallery(page, solved=0, helped=1)


def test_a_link_to_a_solution_solves_nothing(page: Page) -> None:
    go(page, f"{FIRST}?plan=RRRR")
    expect(page.locator(".banner")).to_contain_text("Solved for you")
    go(page, f"{FIRST}?plan=RRRR&step=0")
    expect(page.locator(".banner")).to_be_hidden()
    for _ in range(4):
        page.keyboard.press("y")
    expect(page.locator(".banner")).to_contain_text("Solved for you")
    assert_gallery(page, solved=0, helped=0)
