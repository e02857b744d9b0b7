"""Drawings that the server revises: harder, with a tool, tidy; in a real browser with the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pushworld.design.difficulty import grade
from pushworld.puzzle import Puzzle
from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import export_site
from tests.state_space import StateSpace
from tests.web.browser import fresh, needs_browser, opened
from tests.web.plain_host import hosted
from tests.web.server_process import ENDLESS, RunningServer

pytestmark = needs_browser

SIMPLE = Puzzle.parse(".  .  .  .   .  .  .\n.  A  .  M1  .  G1 .\n.  .  .  .   .  .  .\n")
"""The puzzle that the editor begins with."""


@pytest.fixture(scope="module")
def shared_page(browser: Browser, plain_server: RunningServer) -> Iterator[Page]:
    with opened(browser, plain_server.address) as page:
        yield page


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    with fresh(shared_page, "#/edit") as page:
        yield page


def panel(page: Page) -> Locator:
    return page.locator(".panel").filter(has_text="Let the computer change it")


def drawn(page: Page) -> Puzzle:
    return Puzzle.parse(page.get_by_label("Puzzle as text").input_value())


def revised(page: Page, change: str) -> Puzzle:
    """Returns the drawing after the server has changed it."""
    panel(page).get_by_role("button", name=change).click()
    expect(panel(page).locator(".answer")).to_contain_text("Done:")
    return drawn(page)


def test_a_harder_drawing_is_harder_and_undo_brings_the_old_one_back(page: Page) -> None:
    harder = revised(page, "Make it harder")
    assert grade(harder).score > grade(SIMPLE).score
    assert StateSpace(harder).shortest is not None
    panel(page).get_by_role("button", name="Undo").click()
    assert drawn(page) == SIMPLE
    expect(panel(page).locator(".answer")).to_be_empty()
    page.get_by_role("button", name="Redo").click()
    assert drawn(page) == harder


def test_a_drawing_that_needs_a_tool_needs_it(page: Page) -> None:
    after = revised(page, "Make it need a tool")
    said = panel(page).locator(".answer").inner_text()
    found = re.search(r"without object (\S+) it is unsolvable", said)
    assert found is not None
    without = Puzzle(
        after.width,
        after.height,
        tuple(thing for thing in after.objects if thing.name != f"M{found[1]}"),
        after.walls,
        after.agent_walls,
    )
    assert StateSpace(after).shortest is not None
    assert StateSpace(without).shortest is None
    panel(page).get_by_role("button", name="Make it need a tool").click()
    expect(panel(page).locator(".answer")).to_contain_text(
        f"needs a tool already: object {found[1]}"
    )


def test_tidying_removes_what_is_not_needed(page: Page) -> None:
    page.get_by_label("Puzzle as text").fill(". A . M1 . G1 .\n. . . . . . .\n. M2 . . W . .")
    tidy = revised(page, "Tidy")
    assert [thing.name for thing in tidy.movables] == ["M1"]
    assert tidy.width * tidy.height < SIMPLE.width * SIMPLE.height
    panel(page).get_by_role("button", name="Tidy").click()
    expect(panel(page).locator(".answer")).to_contain_text("Everything in it is needed")


def test_a_revision_shows_its_progress_and_can_be_cancelled(page: Page) -> None:
    page.get_by_label("Puzzle as text").fill(ENDLESS)
    before = drawn(page)
    panel(page).get_by_role("button", name="Tidy").click()
    expect(panel(page).get_by_role("progressbar")).to_be_visible()
    panel(page).get_by_role("button", name="Cancel").click()
    expect(panel(page).locator(".answer")).to_contain_text("Cancelled.")
    assert drawn(page) == before


def test_drawings_without_a_goal_cannot_be_revised(page: Page) -> None:
    page.get_by_label("Puzzle as text").fill("A . M1")
    for change in ("Make it harder", "Make it need a tool", "Tidy"):
        expect(panel(page).get_by_role("button", name=change)).to_be_disabled()


def test_a_static_site_explains_that_it_has_no_server(browser: Browser, tmp_path: Path) -> None:
    export_site(tmp_path / "site", load_catalogue(["bundled"]))
    with (
        hosted(tmp_path / "site") as host,
        opened(browser, host.address) as page,
        fresh(page, "#/edit") as page,
    ):
        expect(panel(page)).to_contain_text("this is a static site")
        expect(panel(page).get_by_role("button")).to_have_count(0)
