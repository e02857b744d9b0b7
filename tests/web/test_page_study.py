"""A study as its participants see it: consent, puzzles, questions, the code, and bad days."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles
from pushworld.text import picture
from tests.waiting import wait_until
from tests.web.browser import PHONE, needs_browser, opened, state_on_page
from tests.web.server_process import RunningServer
from tests.web.studies.taking_part import AGE, HARD, REMARKS, rows, study_file, study_server
from tests.web.test_page_accessibility import assert_accessible

pytestmark = needs_browser
PUZZLES = {each.name: each.puzzle for each in bundled_puzzles()}
HEAD = """
title = "Pushing"
consent = "Do you <b>agree</b>?\\n\\nYou may say no."
instructions = "Push <script>alert(1)</script>"
[completion]
code = "CODE42"
redirect = "https://example.org/done?who={PROLIFIC_PID}"
"""
STUDY = """
[rules]
move_limit = 20
hints = true
give_up_after = 1
[[blocks]]
name = "practice"
text = "One for practice."
puzzles = ["first-push"]
questions = false
rules = { undo = false, reset = false, hints = false, give_up = false, move_limit = 0 }
[[blocks]]
name = "main"
puzzles = ["crossroads"]
[[blocks]]
name = "fast"
puzzles = ["keyhole"]
rules = { time_limit = 2 }
"""
GAMES = """
[[questions.end]]
id = "games"
kind = "choice"
text = "Games?"
options = ["never", "often"]
"""
QUESTIONS = HARD + "points = 5\n" + AGE + GAMES + REMARKS + "lines = 3\nrequired = false\n"
CONFLICT = "409"
OFFLINE = "ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server and its database; each test has a participant of its own."""
    path = study_file(tmp_path_factory.mktemp("study"), STUDY + QUESTIONS, HEAD)
    with study_server(path) as server:
        yield server, path.with_suffix(".db")


def link(server: RunningServer, person: str) -> str:
    return f"{server.address}?PROLIFIC_PID={person}&ignored=1"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def arrive(page: Page, stage: str) -> None:
    page.locator(f"main[data-ready={stage}]").wait_for()


def begin(page: Page) -> None:
    """Goes from the consent to the first puzzle."""
    for name in ("I agree", "Continue", "Continue"):
        press(page, name)
    arrive(page, "puzzle")


def practise(page: Page) -> None:
    """Solves the puzzle for practice, and goes on to the next one."""
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.locator(".banner.shown").wait_for()
    page.keyboard.press("Enter")
    page.locator("[data-trial='1']").wait_for()


def kinds_of(database: Path, person: str) -> list[tuple[Any, ...]]:
    """Returns what is stored of the main puzzle: kind, actor, what was shown, step, and visit."""
    return rows(
        database,
        "SELECT kind, actor, shown, step, visit FROM events JOIN participants USING (session) "
        "WHERE id = ? AND trial = 1 ORDER BY sequence",
        person,
    )


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_from_the_link_to_the_code(
    browser: Browser, study: tuple[RunningServer, Path], screen: str
) -> None:
    server, database = study
    context: dict[str, Any] = {"color_scheme": "light"}
    if screen == "phone":
        context = {"color_scheme": "dark", **PHONE}
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, server.address, "400", permissions=permissions, **context) as page:

        def look() -> None:
            """Passes axe, fits the screen, and leads nowhere else."""
            assert_accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            expect(page.locator("a[href]:not(.skip)")).to_have_count(0)

        page.add_init_script(AXE_SCRIPT)
        expect(page.get_by_role("heading")).to_have_text("The study cannot be opened")
        expect(page.locator("main")).to_contain_text("The link lacks PROLIFIC_PID")
        page.goto(link(server, "x%00" * 99))
        expect(page.locator("main")).to_contain_text("PROLIFIC_PID in the link must be")
        page.goto(link(server, screen))
        arrive(page, "consent")
        expect(page.locator(".prose")).to_have_text(["Do you <b>agree</b>?", "You may say no."])
        expect(page.get_by_role("button", name="Withdraw")).to_be_hidden()
        look()
        press(page, "I do not agree")
        arrive(page, "declined")
        assert rows(database, "SELECT id FROM participants WHERE id = ?", screen) == []
        press(page, "Back to the consent form")
        press(page, "I agree")
        arrive(page, "instructions")
        expect(page.get_by_role("heading")).to_be_focused()
        expect(page.locator(".prose")).to_have_text("Push <script>alert(1)</script>")
        look()
        press(page, "Continue")
        arrive(page, "block")
        press(page, "Continue")
        arrive(page, "puzzle")
        expect(page.get_by_role("application")).to_be_focused()
        expect(page.get_by_text("Puzzle 1 of 3")).to_be_visible()
        for name in ("Undo", "Reset", "Hint", "Give up", "Share"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("z")
        page.keyboard.press("h")
        assert state_on_page(page)[0] == [2, 3]
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".banner")).to_contain_text("Solved!4 moves, 2 pushes")
        page.keyboard.press("Enter")
        page.locator("[data-trial='1']").wait_for()
        look()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("h")
        expect(page.locator(".answer p")).to_have_text("Look at the marked object.")
        for name in ("Solve", "Watch the solution"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        for count in range(19, 0, -1):
            expect(page.locator(".counters")).to_contain_text(f"Moves left{count}")
            page.keyboard.press("ArrowLeft" if count % 2 else "ArrowRight")
        expect(page.locator(".banner")).to_contain_text("You have used all moves")
        press(page, "Continue")
        arrive(page, "questions")
        look()
        press(page, "Continue")
        expect(page.get_by_role("radiogroup", name="How hard?")).to_have_attribute(
            "aria-invalid", "true"
        )
        expect(page.get_by_role("radio").first).to_be_focused()
        page.keyboard.press("ArrowRight")
        press(page, "Continue")
        page.locator("[data-trial='2']").wait_for()
        expect(page.locator(".counters")).to_contain_text("Time left0:0")
        expect(page.locator(".banner")).to_contain_text("The time for this puzzle is over.")
        press(page, "Continue")
        page.get_by_role("radio").first.check()
        press(page, "Continue")
        page.get_by_label("Age?").fill("17.5")
        page.get_by_label("Remarks?").fill("None, and <i>no more</i>")
        page.get_by_label("often").check()
        press(page, "Continue")
        expect(page.locator(".wrong:visible")).to_have_text("Please enter a whole number.")
        look()
        page.reload()
        page.get_by_label("Age?").fill("42")
        press(page, "Continue")
        arrive(page, "finished")
        assert_accessible(page)
        press(page, "Copy the code")
        expect(page.get_by_text("The code is copied.")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == "CODE42"
        expect(page.get_by_role("link", name="Finish")).to_have_attribute(
            "href", f"https://example.org/done?who={screen}"
        )
        page.reload()
        arrive(page, "finished")
    answers = rows(
        database,
        "SELECT trial, question, answer FROM answers JOIN participants USING (session) "
        "WHERE id = ? ORDER BY trial, question",
        screen,
    )
    last = [("age", "42"), ("games", "often"), ("remarks", "None, and <i>no more</i>")]
    assert answers == [*((None, *each) for each in last), (1, "hard", "2"), (2, "hard", "1")]
    outcomes = "SELECT outcome FROM trials JOIN participants USING (session) WHERE id = ?"
    assert rows(database, outcomes + " ORDER BY trial", screen) == [
        ("solved",),
        ("move-limit",),
        ("time-limit",),
    ]


def test_a_lost_connection_and_a_reload_lose_nothing(
    browser: Browser, study: tuple[RunningServer, Path]
) -> None:
    server, database = study
    with opened(browser, link(server, "traveller"), allowed=OFFLINE) as page:
        begin(page)
        practise(page)
        page.keyboard.press("ArrowRight")
        page.context.set_offline(True)
        for key in ("ArrowRight", "ArrowDown", "z"):
            page.keyboard.press(key)
        expect(page.locator(".trouble")).to_contain_text("What you did is kept")
        page.context.set_offline(False)
        expect(page.locator(".trouble")).to_be_empty()
        states = list(PUZZLES["crossroads"].replay("RRD"))
        assert state_on_page(page) == [list(position) for position in states[2]]
        # What could not be sent before a page was closed is sent by the next one.
        page.context.set_offline(True)
        page.keyboard.press("ArrowLeft")
        page.context.set_offline(False)
        page.reload()
        arrive(page, "puzzle")
        expect(page.locator(".counters")).to_contain_text("Moves3")
        expect(page.locator(".counters")).to_contain_text("Moves left16")
        page.keyboard.press("z")
        page.keyboard.press("z")
        page.keyboard.press("y")
        assert state_on_page(page) == [list(position) for position in states[2]]
        wait_until(lambda: ("redo", "player", None, 2, 2) in kinds_of(database, "traveller"))
    assert kinds_of(database, "traveller")[:11] == [
        ("start", "player", None, 0, 1),
        ("move", "player", None, 1, 1),
        ("move", "player", None, 2, 1),
        ("move", "player", None, 3, 1),
        ("undo", "player", None, 2, 1),
        ("move", "player", None, 3, 1),
        ("leave", "player", None, 3, 1),
        ("resume", "machine", None, 3, 2),
        ("undo", "player", None, 2, 2),
        ("undo", "player", None, 1, 2),
        ("redo", "player", None, 2, 2),
    ]


def test_the_latest_window_goes_on_and_the_other_says_so(
    browser: Browser, study: tuple[RunningServer, Path]
) -> None:
    server, _ = study
    with opened(browser, link(server, "double"), allowed=CONFLICT) as page:
        begin(page)
        practise(page)
        other = page.context.new_page()
        other.goto(link(server, "double"))
        arrive(other, "puzzle")
        other.keyboard.press("ArrowRight")
        expect(other.locator(".counters")).to_contain_text("Moves1")
        page.bring_to_front()  # browsers suspend pages that nobody sees
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("heading")).to_have_text("The study is open in another window")
        press(page, "Continue here")
        expect(page.locator(".counters")).to_contain_text("Moves1")
        other.bring_to_front()
        other.keyboard.press("ArrowRight")
        arrive(other, "elsewhere")
        with opened(browser, link(server, "double"), allowed="403") as stranger:
            arrive(stranger, "browser")
            expect(stranger.get_by_role("button", name="Withdraw")).to_be_hidden()


def test_giving_up_and_withdrawing(browser: Browser, study: tuple[RunningServer, Path]) -> None:
    server, database = study
    count = "SELECT count(*) FROM participants WHERE id = 'quitter'"
    phone = {"width": 390, "height": 664}
    with opened(browser, link(server, "quitter"), viewport=phone, has_touch=True) as page:
        begin(page)
        practise(page)
        give_up = page.get_by_role("button", name="Give up", exact=True)
        expect(give_up).to_be_enabled()
        expect(give_up).to_be_in_viewport(ratio=1)
        press(page, "Give up")
        press(page, "Cancel")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".counters")).to_contain_text("Moves1")
        press(page, "Give up")
        page.get_by_role("dialog").get_by_role("button", name="Give up").click()
        expect(page.locator(".banner")).to_contain_text("You gave up")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".counters")).to_contain_text("Moves1")
        press(page, "Continue")
        arrive(page, "questions")
        assert kinds_of(database, "quitter")[-1] == ("give-up", "player", None, 1, 1)
        press(page, "Withdraw")
        press(page, "Cancel")
        assert rows(database, count) == [(1,)]
        press(page, "Withdraw")
        page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
        arrive(page, "withdrawn")
        assert rows(database, count) == [(0,)]
        assert page.evaluate("Object.keys(localStorage)") == []


def test_questions_about_a_picture_take_the_place_of_a_puzzle(
    browser: Browser, tmp_path: Path
) -> None:
    asked = """
[[blocks]]
name = "see"
text = "Look."
puzzles = ["first-push", "crossroads"]
[blocks.asks]
first-push = "Where is M1?\\nWrite (x, y)."
crossroads = "And here?"
[[blocks]]
name = "plan"
puzzles = ["first-push"]
"""
    for name in ("first-push", "crossroads"):
        (tmp_path / f"{name}.png").write_bytes(picture(PUZZLES[name]))
    with (
        study_server(study_file(tmp_path, asked, HEAD)) as server,
        opened(browser, link(server, "asked"), **PHONE) as page,
    ):
        page.add_init_script(AXE_SCRIPT)
        page.reload()
        press(page, "I agree")
        press(page, "Continue")
        heading, field = page.get_by_role("heading"), page.get_by_role("textbox")
        for number, answer in enumerate(("(3, 1)", "there"), 1):
            expect(heading).to_have_text(f"Puzzle {number} of 3")
            width = "image => image.decode().then(() => image.naturalWidth)"
            assert page.locator("img.asked").evaluate(width) > 90
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert_accessible(page)
            press(page, "Continue")
            expect(page.locator(".wrong")).to_have_text("Please answer this question.")
            field.fill(answer)
            press(page, "Continue")
        arrive(page, "puzzle")
    stored = rows(tmp_path / "study.db", "SELECT trial, question, answer FROM answers")
    assert stored == [(0, "see", "(3, 1)"), (1, "see", "there")]
