"""Every view passes axe in both themes and palettes; the focus follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import build_site
from tests.web.browser import go, needs_browser, opened, served

pytestmark = needs_browser
VIEWS = {
    "gallery": "#/",
    "play": "#/play/bundled/duet?plan=LLLUUURRR&step=5",
    "watch": "#/watch/bundled/duet?plan=LLLUUURRR&other=LL",
    "edit": "#/edit/bundled/castaway",
    "nowhere": "#/nowhere",
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OPTIONS = {"resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A site that says it has a solver, so that all its parts are on the page."""
    with served(build_site(load_catalogue(["bundled"]), solver=True, recording=False)) as address:
        yield address


def assert_accessible(page: Page) -> None:
    results = Axe(axe_script="").run(page, options=OPTIONS)  # the page has the script already
    assert results.violations_count == 0, results.generate_report()


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        page.add_init_script(AXE_SCRIPT)
        page.reload()
        yield page


@pytest.mark.parametrize("view", VIEWS)
def test_all_views_pass_axe(page: Page, view: str) -> None:
    go(page, VIEWS[view])
    page.locator(f"main[data-ready={view}]").wait_for()
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            assert_accessible(page)


@pytest.mark.large
def test_dialogs_and_the_safe_palette_pass_axe(page: Page) -> None:
    for theme in ("Light", "Dark"):
        go(page, "#/")
        page.get_by_role("button", name="Settings").click()
        page.get_by_label(theme).check()
        page.get_by_label("Colour-blind safe").check()
        assert_accessible(page)
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Help").click()
        assert_accessible(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Share").click()
        expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert_accessible(page)
        go(page, "#/play/bundled/first-push")
        expect(page.locator(".surface .target .pattern")).to_be_visible()
        page.keyboard.press("h")
        expect(page.locator(".hint-mark")).to_be_visible()
        assert_accessible(page)
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Next puzzle", exact=True)).to_be_visible()
        assert_accessible(page)


@pytest.mark.parametrize("view", ["play", "watch"])
def test_zoomed_boards_pass_axe(page: Page, view: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, VIEWS[view])
    page.keyboard.press("+")
    page.locator(".surface.zoomed").first.wait_for()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        assert_accessible(page)


def test_after_a_reload_settings_are_kept_and_the_first_tab_skips_to_the_content(
    page: Page,
) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    page.get_by_label("Colour-blind safe").check()
    page.reload()
    page.locator("main[data-ready=gallery]").wait_for()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator("html").get_attribute("data-palette") == "safe"
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Start: First Push")).to_be_focused()
    page.evaluate("delete document.documentElement.dataset.theme")
    page.evaluate("delete document.documentElement.dataset.palette")


def test_focus_follows_the_view(page: Page) -> None:
    page.get_by_role("link", name="Duet").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("application")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("application")).to_be_focused()
    for view, title in (("Watch", "How to watch"), ("Edit", "How to draw")):
        page.get_by_role("navigation", name="Views", exact=True).get_by_role(
            "link", name=view
        ).click()
        page.locator(f"main[data-ready={view.lower()}]").wait_for()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name=title)).to_be_visible()
        page.keyboard.press("Escape")
