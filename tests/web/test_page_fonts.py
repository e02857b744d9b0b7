"""Every view fits small screens whatever letters the visitor's machine has, and shows its board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import pytest
from playwright.sync_api import Page, expect

from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import build_site
from tests.large import large
from tests.web.browser import PHONE, go, needs_browser, opened, running_browser, served
from tests.web.test_page_accessibility import VIEWS

pytestmark = needs_browser
SMALLEST = (300, 568)
PHONES = ((390, 844), (844, 390))
LEAST_BOARD = 140
TWICE = ("--blink-settings=defaultFontSize=32",)
AT_LEAST = ("--blink-settings=minimumFontSize=24",)
VISITORS: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "wide letters": ("DejaVuSans.ttf DejaVuSans-Bold.ttf", (), {}),
    "the widest letters": ("DejaVuSansMono.ttf DejaVuSansMono-Bold.ttf", (), {}),
    "narrow letters": ("STIXGeneral.ttf STIXGeneralBol.ttf", (), PHONE),
    "large letters": ("DejaVuSans.ttf DejaVuSans-Bold.ttf", TWICE, {}),
    "large letters on a phone": ("DejaVuSans.ttf DejaVuSans-Bold.ttf", TWICE, PHONE),
    "no small letters": ("DejaVuSerif.ttf DejaVuSerif-Bold.ttf", AT_LEAST, {}),
}
"""The only fonts of a machine, of those that Matplotlib brings; the browser's settings; the device."""

ON_PHONES = ("wide letters", "large letters on a phone")
IN_SHORT = "large letters on a phone"

STICKING_OUT = """width => [...document.querySelectorAll("body *")].filter((each) => {
    // What is rolled sideways, or for screen readers only.
    if (each.closest(".tabs, .tags, .tape, .zoomed, input, textarea, .unseen, .shrinks span, svg *")) return false;
    if (each.matches(".gallery, .filters")) return false;  // its tags go to the edge of the window
    const { left, right } = each.getBoundingClientRect();
    const isInline = getComputedStyle(each).display === "inline";
    const isFull = !isInline && each.clientWidth && each.scrollWidth > each.clientWidth + 1;
    return left < -0.5 || right > width + 0.5 || isFull;
}).map((each) => `${each.tagName}.${each.getAttribute("class")} ${each.textContent.slice(0, 20)}`)"""


def font_set(folder: Path, names: str) -> str:
    """Returns the configuration of a machine that has only fonts with these names."""
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name in names.split():
        (folder / name).write_bytes((fonts / name).read_bytes())
    path = folder / "fonts.conf"
    path.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{folder / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    return str(path)


def assert_fits(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(STICKING_OUT, width) == []


@pytest.mark.parametrize(
    "visitor", [each if each == IN_SHORT else large(each) for each in VISITORS]
)
def test_every_view_fits_and_shows_its_board(visitor: str, tmp_path: Path) -> None:
    fonts, arguments, device = VISITORS[visitor]
    site = build_site(load_catalogue(["bundled"]), solver=True, recording=False)
    with (
        running_browser(*arguments, FONTCONFIG_FILE=font_set(tmp_path, fonts)) as browser,
        served(site) as address,
        opened(browser, address, **device) as page,
    ):
        for view, route in VIEWS.items():
            go(page, route)
            for width, height in (*(PHONES if visitor in ON_PHONES else ()), SMALLEST):
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate("scrollTo(0, 0)")  # the gallery comes back where it was left
                assert_fits(page, width)
                expect(page.get_by_role("button", name="Settings")).to_be_in_viewport(ratio=1)
                if view not in ("gallery", "nowhere"):
                    box = page.locator(".board").first.bounding_box()
                    assert box is not None
                    assert min(box["width"], box["height"]) >= LEAST_BOARD
            for name in {"play": ("Help", "Settings"), "edit": ("Help",)}.get(view, ()):
                page.get_by_role("button", name=name).click()
                assert_fits(page, SMALLEST[0])
                page.get_by_role("button", name="Close").click()
