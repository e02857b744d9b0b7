"""Every view in light and dark, with both palettes, passes axe; focus goes where it should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
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
OPTIONS = {"resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A site that says it has a solver, so that all its parts are on the page."""
    with served(build_site(load_catalogue(["bundled"]), solver=True, recording=False)) as address:
        yield address


def assert_accessible(page: Page) -> None:
    results = Axe().run(page, options=OPTIONS)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_all_views_pass_axe(
    browser: Browser, address: str, theme: Any, width: int, height: int
) -> None:
    context = {"color_scheme": theme, "viewport": {"width": width, "height": height}}
    with opened(browser, address, **context, reduced_motion="reduce") as page:
        for view, route in VIEWS.items():
            go(page, route)
            page.locator(f"main[data-ready={view}]").wait_for()
            assert_accessible(page)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_dialogs_and_the_safe_palette_pass_axe(browser: Browser, address: str, theme: str) -> None:
    with opened(browser, address, reduced_motion="reduce") as page:
        page.get_by_role("button", name="Help").click()
        assert_accessible(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Settings").click()
        page.get_by_label(theme).check()
        page.get_by_label("Colour-blind safe").check()
        assert_accessible(page)
        page.get_by_role("button", name="Close").click()
        go(page, "#/play/bundled/first-push")
        expect(page.locator(".target .pattern")).to_be_visible()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Next puzzle", exact=True)).to_be_visible()
        assert_accessible(page)
        page.reload()
        page.locator("main[data-ready=play]").wait_for()
        assert page.locator("html").get_attribute("data-theme") == theme.lower()
        assert page.locator("html").get_attribute("data-palette") == "safe"


def test_focus_follows_the_view(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="First steps")).to_be_focused()
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
