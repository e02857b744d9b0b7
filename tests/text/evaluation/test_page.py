"""The report's page in a real browser: conversations, replays, and models that try to break it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pushworld.text.evaluation import (
    contestants_of,
    find_evaluations,
    run_baseline,
    write_report,
)
from tests.text.evaluation.evaluating import ask, few_tasks, scripted, settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><img src=x onerror=\"document.title='broken'\">"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the page about a good model, one that plays in turns, and a malicious one."""
    folder = tmp_path_factory.mktemp("page")
    with scripted() as (_, address):
        ask(folder / "good", address)
        ask(folder / "turns", address, mode="interactive", name="turns")
        ask(folder / "evil", address, "malicious", name=HOSTILE)
        ask(folder / "endless", address, "malicious", mode="interactive", max_turns=6)
    return write_report(contestants_of(find_evaluations([folder])), folder / "report")[0]


def test_the_page_is_one_file_that_refers_to_nothing(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert len(re.findall(r"<script", text)) == 2, "the data and the script"
    assert "script-src 'sha256-" in text
    assert len(text) < 2_000_000


@pytest.fixture(scope="module")
def page(page_file: Path) -> Iterator[Page]:
    """Returns the page in a browser; it must request nothing else and report no errors."""
    browsing: Any = pytest.importorskip("tests.web.browser", reason="needs Playwright")
    if browsing.needs_browser.args[0]:
        pytest.skip(browsing.needs_browser.kwargs["reason"])
    with browsing.report_in_browser(page_file, reduced_motion="reduce") as opened:
        yield opened


def open_cell(page: Page, row: int, contestant: str) -> None:
    """Opens a conversation."""
    page.keyboard.press("Escape")
    headings = page.locator("#tasks thead th").all_text_contents()
    cells = page.locator("#tasks tbody tr").nth(row).locator("td")
    cells.nth(headings.index(contestant) - 1).locator("button").click()


def test_every_contestant_has_its_score(page: Page) -> None:
    from playwright.sync_api import expect

    expect(page.locator(".score")).to_have_count(4)
    expect(page.locator(".score").first).to_contain_text("100.0 %")
    expect(page.locator("#tasks tbody tr")).to_have_count(len(few_tasks()))
    expect(page.locator("#tasks button.solved.best")).to_have_count(2 * len(few_tasks()))


def test_a_conversation_is_replayed_move_by_move(page: Page) -> None:
    from playwright.sync_api import expect

    open_cell(page, 3, "turns")
    plan = page.locator("#player-plan").inner_text()
    moves = len(plan)
    answers = page.locator("#talk .turn")
    expect(answers).to_have_count(-(-moves // 4))
    expect(answers.first.locator("pre").last).to_contain_text(f"<plan>{plan[:4]}</plan>")
    for _ in range(5):
        page.locator("#player-forward").click()
    expect(page.locator("#talk .turn.now")).to_contain_text("Answer 2")
    answers.last.get_by_role("button").click()
    expect(page.locator("#player-position")).to_have_value(str(moves))
    expect(page.locator("#talk .turn.now")).to_contain_text(f"Answer {-(-moves // 4)}")
    expect(page.locator("#verdict")).to_contain_text(f"Solved with {moves} moves.")


def test_what_models_write_is_text_and_never_code(page: Page) -> None:
    from playwright.sync_api import expect

    for row in range(len(few_tasks())):
        for contestant in (HOSTILE, "malicious"):
            open_cell(page, row, contestant)
            for details in page.locator("#talk details").all():
                details.evaluate("each => { each.open = true; }")
    expect(page.locator("#talk")).to_contain_text("<script>document.title='broken'</script>")
    expect(page.locator("#talk")).to_contain_text("⟨U+202E⟩⟨U+001B⟩[31m")
    assert page.title() == "PushWorld: language models"
    assert page.locator("img, a, iframe, script:not([id=data]) ~ script").count() == 0


def test_tasks_can_be_found(page: Page) -> None:
    from playwright.sync_api import expect

    page.keyboard.press("Escape")
    name = page.locator("#tasks tbody th").nth(2).inner_text()
    page.locator("#tasks-filter").fill(name)
    expect(page.locator("#tasks tbody tr")).to_have_count(1)
    page.locator("#tasks-filter").fill("")
    page.locator("#tasks-status").select_option("solved")
    expect(page.locator("#tasks tbody tr")).to_have_count(len(few_tasks()))
    page.locator("#tasks-status").select_option("")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anyone(page: Page, colours: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme=colours)
    open_cell(page, 0, "turns")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits(page: Page, width: int) -> None:
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    open_cell(page, 0, "turns")
    box = page.locator("#player").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_who_was_asked_something_else_has_no_score(page: Page, tmp_path: Path) -> None:
    for kind in ("see", "plan"):
        about = settings("good", name=kind, asks=(kind,), limit=2)
        run_baseline(tmp_path / kind, about)
    file, *_ = write_report(contestants_of(find_evaluations([tmp_path])), tmp_path / "report")
    assert page.context.browser is not None
    opened = page.context.browser.new_page()
    opened.goto(file.as_uri())
    told = opened.locator(".score").all_inner_texts()
    opened.close()
    assert sorted("not asked" in each for each in told) == [False, True]
