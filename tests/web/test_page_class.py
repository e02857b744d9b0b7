"""Lessons by others: a list as a link, a QR code, one file, and an index that the server reads back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.web.catalogue import load_catalogue
from pushworld.web.server import address_for_others
from pushworld.web.site import Asset
from tests.web.browser import fresh, needs_browser, opened, route_of, served, static_site
from tests.web.qr_reader import read_qr
from tests.web.server_process import RunningServer

pytestmark = needs_browser
CHOSEN = ("Keyhole", "First Push")


@pytest.fixture(scope="module")
def shared_page(browser: Browser) -> Iterator[Page]:
    with (
        served(static_site()) as address,
        opened(browser, address, accept_downloads=True) as page,
    ):
        yield page


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    with fresh(shared_page, "#/gallery/bundled") as page:
        page.get_by_role("button", name="Share").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Title of the list").fill("Monday & more")
        for button in dialog.locator(".list-items button").all():
            button.click()  # all are chosen at first
        for name in CHOSEN:
            dialog.locator(".list-items button", has_text=name).click()
        yield page


def link(page: Page) -> str:
    return page.get_by_label("Link to the list").input_value()


def test_a_list_is_a_link_that_leads_through_it_in_its_order(page: Page) -> None:
    route = route_of(link(page))
    with fresh(page, route):
        expect(page.locator("h1")).to_have_text("Monday & more")
        expect(page.locator(".card a")).to_have_text(list(CHOSEN))
        page.get_by_role("link", name="Keyhole", exact=True).click()
        page.get_by_role("button", name="Next").click()
        expect(page.locator("h1")).to_have_text("First Push")
        expect(page.get_by_role("button", name="Next")).to_have_count(0)
        page.get_by_role("link", name="Monday & more").click()
        expect(page.locator(".card")).to_have_count(2)


def test_a_list_made_at_the_server_itself_leads_others_to_it(
    page: Page, browser: Browser, public_server: RunningServer
) -> None:
    expect(page.get_by_text("It works on this computer only")).to_be_visible()
    address = address_for_others("0.0.0.0", public_server.address)
    if address is None:
        pytest.skip("this machine has no network")
    with opened(browser, f"{public_server.address}#/gallery/bundled") as at_server:
        at_server.get_by_role("button", name="Share").click()
        expect(at_server.get_by_label("Link to the list")).to_have_value(
            re.compile(f"^{re.escape(address)}#")
        )
        expect(at_server.get_by_text("It works on this computer only")).to_have_count(0)


@pytest.mark.parametrize("text", ["", "x" * 60, "x" * 400, "ä" * 500])
def test_the_qr_code_says_what_the_link_says(page: Page, text: str) -> None:
    page.get_by_label("Title of the list").fill("T")
    script = """async (more) => {
        const { qrCode } = await import("./js/model/qr.js");
        return qrCode(more);
    }"""
    wanted = text or link(page)
    assert read_qr(page.evaluate(script, wanted)) == wanted
    drawn = page.get_by_role("img", name="QR code of the link").locator("path").get_attribute("d")
    rows = page.evaluate(script, link(page))
    assert (drawn or "").count("M") == sum(map(sum, rows))


def test_one_file_holds_the_page_and_the_list(page: Page, browser: Browser, tmp_path: Path) -> None:
    with page.expect_download() as saving:
        page.get_by_role("button", name="One file").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert file.name == "monday-more.html"
    with browser.new_context(offline=True) as visitor:
        alone = visitor.new_page()
        problems: list[str] = []
        alone.on("pageerror", lambda error: problems.append(str(error)))
        alone.goto(f"{file.as_uri()}?embed#/")
        expect(alone.locator(".card a")).to_have_text(list(CHOSEN))
        expect(alone.locator(".top")).to_be_hidden()
        alone.get_by_role("link", name="First Push", exact=True).click()
        for _ in range(4):
            alone.keyboard.press("ArrowRight")
        expect(alone.get_by_text("Solved!", exact=True)).to_be_visible()
        assert problems == []


def test_a_page_of_others_shows_the_list_and_only_that(
    browser: Browser, plain_server: RunningServer
) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, plain_server.address, permissions=permissions) as page:
        page.get_by_role("button", name="Share").click()
        page.get_by_role("button", name="Embed").click()
        expect(page.get_by_text("The code for your page is copied.")).to_be_visible()
        code = page.evaluate("navigator.clipboard.readText()")
        other = {"index.html": Asset(code.encode(), "text/html")}
        theirs = page.context.new_page()
        with served(other) as address:
            theirs.goto(address)
        inside = theirs.frame_locator("iframe")
        expect(inside.locator("h1")).to_have_text("First steps")
        expect(inside.locator(".top")).to_be_hidden()
        inside.get_by_role("link", name="First Push", exact=True).click()
        expect(inside.locator(".surface .board")).to_be_visible()
    for path in ("?embed&more", "data/site.json?embed", "index.html?embed"):
        policy = plain_server.client.get(path).headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy


def test_the_index_that_the_page_writes_is_what_the_server_reads(
    page: Page, tmp_path: Path
) -> None:
    with page.expect_download() as saving:
        page.get_by_role("button", name="index.toml").click()
    saving.value.save_as(tmp_path / "index.toml")
    for name in ("first-push", "keyhole"):
        text = next(
            each["pwp"] for each in load_catalogue(["bundled"])[0].puzzles if each["id"] == name
        )
        (tmp_path / f"{name}.pwp").write_text(text)
    index = tomllib.loads((tmp_path / "index.toml").read_text())
    (made,) = load_catalogue([str(tmp_path)])
    assert made.title == index["title"] == "Monday & more"
    assert [each["name"] for each in made.puzzles] == list(CHOSEN)
    assert [each["plan"] for each in made.puzzles] == [each["plan"] for each in index["puzzle"]]
    assert made.puzzles[0]["description"].startswith("You are too big")
    assert made.puzzles[0]["idea"].startswith("A tool goes where you do not")


def test_a_sheet_to_print_shows_the_boards_and_the_code(page: Page) -> None:
    page.emulate_media(media="print")
    expect(page.locator(".sheet figure")).to_have_count(2)
    expect(page.locator(".sheet h2")).to_have_text("Monday & more")
    expect(page.locator(".sheet .board").first).to_be_visible()
    expect(page.locator(".gallery")).to_be_hidden()
    page.emulate_media(media="screen")
