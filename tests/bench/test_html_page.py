"""The page of a report: one file that shows runs and plays plans, in a real browser where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pushworld.bench.html_page import page_of
from pushworld.bench.tables import runs_by_planner
from tests.bench.samples import sample, sample_folder

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><img src=x onerror=\"document.title='broken'\">"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the page about two planners on three puzzles, one of a hostile name."""
    folder = tmp_path_factory.mktemp("page")
    runs = [
        sample("fast", "level1", "corridor", 0.5),
        sample("slow", "level1", "corridor", 5.0, length=5),
        sample("fast", "level2", HOSTILE, 2.0),
        sample("slow", "level2", HOSTILE, 10.0, status="time-limit"),
        sample("fast", HOSTILE, "third", 1.0, status="wrong-plan"),
        sample("slow", HOSTILE, "third", 10.0, status="crashed"),
    ]
    results = sample_folder(folder / "results", runs)
    page = folder / "report.html"
    page.write_text(page_of([results], runs_by_planner([results])), encoding="utf-8")
    return page


def test_the_page_is_one_file_that_refers_to_nothing(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"<(link|script|img|iframe)[^>]*\b(src|href)=", text)
    assert "default-src 'none'" in text


@pytest.fixture(scope="module")
def page(page_file: Path) -> Iterator[Page]:
    """Returns the page in a browser; it must request nothing else and report no errors."""
    browsing: Any = pytest.importorskip("tests.web.browser", reason="needs Playwright")
    if browsing.needs_browser.args[0]:
        pytest.skip(browsing.needs_browser.kwargs["reason"])
    with browsing.report_in_browser(page_file) as opened:
        yield opened


def test_tables_and_charts_show_the_runs(page: Page) -> None:
    from playwright.sync_api import expect

    expect(page.locator(".score .count")).to_have_text(["2 of 3, 66.7 %", "1 of 3, 33.3 %"])
    expect(page.locator("#figure .label")).to_have_text(["fast  2", "slow  1"])
    expect(page.locator("#scatter .point")).to_have_count(3)
    expect(page.locator("#times tbody tr")).to_have_count(3)
    page.select_option("#figure-level", "level2")
    expect(page.locator("#figure .label")).to_have_text(["fast  1", "slow  0"])


def test_names_are_text_and_never_code(page: Page) -> None:
    from playwright.sync_api import expect

    expect(page.locator("#times tbody th", has_text="onerror")).to_have_text(HOSTILE)
    assert page.locator("img").count() == 0
    assert page.title() == "PushWorld benchmark"


def test_runs_can_be_found_and_sorted(page: Page) -> None:
    from playwright.sync_api import expect

    page.fill("#times-filter", "CORR")
    expect(page.locator("#times tbody th")).to_have_text(["corridor"])
    page.fill("#times-filter", "")
    page.get_by_role("button", name="fast", exact=True).click()
    expect(page.locator("#times tbody th").first).to_have_text("corridor")
    page.get_by_role("button", name="fast ↑").click()
    expect(page.locator("#times tbody th").first).to_have_text("third")


def test_lengths_and_states_of_every_run_can_be_shown(page: Page) -> None:
    from playwright.sync_api import expect

    solved = page.locator("#times tr", has_text="corridor").locator("td button")
    page.select_option("#times-figure", "length")
    expect(solved).to_have_text(["3", "5"])
    expect(solved.nth(0)).to_have_class("best")
    page.select_option("#times-figure", "states")
    expect(solved.nth(0)).to_have_text("500,000")
    page.select_option("#times-figure", "seconds")
    expect(solved.nth(0)).to_have_text("0.5")
    expect(
        page.locator("section", has_text="Scores of planning").locator("tbody tr")
    ).to_have_count(2)


@pytest.mark.parametrize("width", [390, 1280])
def test_charts_are_seen_whole_on_a_phone_too(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.wait_for_function(
        "width => document.querySelector('#figure svg').clientWidth < width", arg=width
    )
    texts = """texts => texts.map(text => {
        const {left, right, height} = text.getBoundingClientRect();
        return [left, right, height];
    })"""
    places = page.eval_on_selector_all(".chart text", texts)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for left, right, height in places:
        assert 0 <= left < right <= width
        assert height > 10
    boxes = page.locator("#figure .label").all()
    assert all(box.is_visible() for box in boxes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anyone(page: Page, scheme: Literal["light", "dark"]) -> None:
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page.emulate_media(color_scheme=scheme)
    assert axe.Axe().run(page).response["violations"] == []


def test_a_table_that_goes_on_shows_it(page: Page) -> None:
    page.set_viewport_size({"width": 300, "height": 600})
    table = page.locator(".wide").first
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
    assert "radial-gradient" in table.evaluate("box => getComputedStyle(box).backgroundImage")
    page.set_viewport_size({"width": 1280, "height": 720})


def test_boards_are_drawn_as_on_the_page_and_for_every_eye(page: Page) -> None:
    from playwright.sync_api import expect

    page.emulate_media(color_scheme="light")
    page.locator("#times tr", has_text="corridor").get_by_role("button", name="0.5").click()
    expect(page.locator("#player-world .agent .eye")).to_have_count(2)
    colour = "piece => getComputedStyle(piece).fill"
    target = page.locator("#player-world .target .body")
    before = target.evaluate(colour)
    assert before == "rgb(220, 0, 0)"
    expect(page.locator("#player-world .target .pattern")).to_be_hidden()
    page.get_by_label("Colour-blind safe").check()
    assert target.evaluate(colour) == "rgb(213, 94, 0)"
    expect(page.locator("#player-world .target .pattern")).to_be_visible()
    page.get_by_label("Colour-blind safe").uncheck()
    page.click("#player-close")


def test_a_plan_plays_to_its_end(page: Page) -> None:
    from playwright.sync_api import expect

    page.locator("#times tr", has_text="corridor").get_by_role("button", name="0.5").click()
    places = "groups => groups.map(group => group.style.transform)"
    assert page.eval_on_selector_all("#player-world .piece", places) == [
        "translate(1px, 1px)",
        "translate(3px, 1px)",
    ]
    page.click("#player-forward")
    page.click("#player-forward")
    assert page.eval_on_selector_all("#player-world .piece", places) == [
        "translate(3px, 1px)",
        "translate(4px, 1px)",
    ]
    page.click("#player-play")
    expect(page.locator("#player-state")).to_have_text("3 of 3 moves, 2 pushes")
    expect(page.locator("#player-play")).to_have_text("Play")
    assert page.eval_on_selector_all("#player-world .piece", places) == [
        "translate(4px, 1px)",
        "translate(5px, 1px)",
    ]
    page.select_option("#player-planner", label="slow (5)")
    expect(page.locator("#player-state")).to_have_text("0 of 5 moves, 2 pushes")
    page.keyboard.press("Escape")
    expect(page.locator("#player")).not_to_be_visible()
