"""The page on small screens, and when the server is gone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.browser import go, needs_browser, opened
from tests.web.server_process import ENDLESS, running_server

pytestmark = needs_browser
ROUTES = (
    "#/",
    "#/play/bundled/castaway",
    "#/watch/bundled/castaway",
    "#/edit/bundled/castaway",
)
SIZES = ((308, 568), (390, 844), (844, 390))
LEAST_BOARD = 140


def test_every_view_fits_and_shows_its_board(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        for route in ROUTES:
            go(page, route)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                settings = page.get_by_role("button", name="Settings")
                expect(settings).to_be_in_viewport(ratio=1)
                if route != "#/":
                    box = page.locator(".board").bounding_box()
                    assert box is not None
                    assert min(box["width"], box["height"]) >= LEAST_BOARD


def test_a_lost_server_is_said_in_words(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "endless.pwp").write_text(ENDLESS)
    with (
        running_server("--puzzles", str(folder), "--puzzles", "bundled") as server,
        opened(browser, server.address, allowed="net::ERR_") as page,
    ):
        go(page, "#/play/odd/endless")
        page.get_by_role("button", name="Solve").click()
        expect(page.locator(".search-status")).to_contain_text("a second")
        server.process.kill()
        lost = "The server cannot be reached: is pushworld play still running?"
        expect(page.locator(".answer p")).to_have_text(lost)
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".answer p")).to_have_text(lost)
        go(page, "#/gallery/bundled")
        expect(
            page.get_by_text("The server cannot be reached, so data/sets/bundled.json")
        ).to_be_visible()
