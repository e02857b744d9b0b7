"""Hostile names, tags and links are shown as text and never executed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import PLANNER_FILE, export_site, read_folder
from tests.web.browser import (
    PREFIX,
    go,
    needs_browser,
    opened,
    served,
    set_of_texts,
    state_on_page,
    static_site,
)

pytestmark = needs_browser
HOSTILE = [
    "<img src=x onerror=\"document.title='taken'\">",
    "<script>document.title='taken'</script>",
    "\"><svg onload=document.title='taken'>",
    "javascript:document.title='taken'",
    "{{constructor.constructor('document.title=1')()}}",
    "' onmouseover='document.title=1",
    "\u202eright to left\u0000",
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    text = "A  M<svg/onload=document.title=1>  .  G<svg/onload=document.title=1>  M&lt;b&gt;"
    more = {"description": HOSTILE[0], "idea": HOSTILE[0], "tags": HOSTILE}
    hostile = set_of_texts("hostile", HOSTILE[1], dict.fromkeys(HOSTILE, text), **more)
    with served(static_site(hostile)) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


def test_hostile_names_tags_and_ids_are_texts(page: Page) -> None:
    go(page, "#/gallery/hostile")
    expect(page.locator(".card a")).to_have_text([name.strip() for name in HOSTILE])
    page.locator(".tag", has_text="<script>").click()
    expect(page.locator(".card")).to_have_count(len(HOSTILE))
    page.locator(".card a").first.click()
    expect(page.locator("h1")).to_have_text(HOSTILE[0])
    page.keyboard.press("ArrowRight")
    expect(page.locator("#announcer")).to_contain_text("pushes object <svg/onload")
    for view in ("watch", "edit"):
        go(page, f"#/{view}/hostile/p0")
    assert page.title() == f"Edit {HOSTILE[0]} · PushWorld"
    kinds = "img, script:not([src='page.js']), [onload], [onerror], [onmouseover]"
    assert page.locator(kinds).count() == 0
    assert page.locator("a[href^=javascript]").count() == 0


def test_hostile_links_are_refused_in_words(page: Page) -> None:
    routes = []
    for written in (quote(hostile, safe="") for hostile in HOSTILE):
        routes += [f"#/{written}", f"#/gallery/{written}", f"#/play/bundled/{written}"]
        routes += [f"#/play/bundled/duet?plan={written}", f"#/edit?puzzle={written}&name={written}"]
    for route in routes:
        go(page, route)
        expect(page.get_by_role("heading", name="This cannot be shown")).to_be_visible()
        assert page.locator("img, [onload], [onerror], [onmouseover]").count() == 0
    go(page, "#/watch")
    assert page.title() == "Watch Keyhole · PushWorld"


def test_a_small_link_cannot_fill_the_memory(page: Page) -> None:
    bomb = page.evaluate(
        """async () => (await import("./js/model/links.js")).pack(". ".repeat(5_000_000))"""
    )
    go(page, f"#/play?puzzle={bomb}")
    expect(page.get_by_text("the puzzle in this link is damaged")).to_be_visible()


def test_the_static_export_needs_no_server_and_asks_nobody_else(
    browser: Browser, tmp_path: Path
) -> None:
    export_site(tmp_path / "site", load_catalogue(["bundled"]))
    excuses = 0 if (tmp_path / "site" / PLANNER_FILE).is_file() else 1
    with served(read_folder(tmp_path / "site")) as address:
        asked: list[str] = []
        with opened(browser, f"{address}#/play/bundled/first-push") as page:
            page.on("request", lambda request: asked.append(request.url))
            page.reload()
            page.locator("main[data-ready=play]").wait_for()
            expect(page.get_by_text("this is a static site without one")).to_have_count(excuses)
            for _ in range(4):
                page.keyboard.press("ArrowRight")
            expect(page.get_by_text("Solved!", exact=True)).to_be_visible()
            assert state_on_page(page) == [[5, 3], [6, 3]]
            go(page, "#/edit")
            expect(page.get_by_text("this is a static site without one")).to_have_count(excuses)
        assert asked
        assert all(url.startswith(address) for url in asked)
        assert address.endswith(PREFIX)


def test_without_its_data_the_page_says_so(browser: Browser) -> None:
    assets = static_site()
    del assets["data/sets/bundled.json"]
    with served(assets) as address, browser.new_context() as visitor:
        page = visitor.new_page()
        page.goto(address)
        expect(page.get_by_text("bundled.json cannot be loaded (status 404)")).to_be_visible()
