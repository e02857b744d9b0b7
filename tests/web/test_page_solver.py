"""Hints, solutions, the solvability of drawings, and recording.

Searches are asked for twice: on the real server, and in the page of an export on a plain file server.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle
from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import export_site
from tests.state_space import StateSpace
from tests.web.browser import KEYS, go, needs_browser, opened, play, state_on_page
from tests.web.plain_host import hosted, needs_planner
from tests.web.server_process import ENDLESS, RunningServer, running_server

pytestmark = needs_browser
PAUSE_MS = 160
"""Between two moves of a solution that is played."""

DEAD_END = "A  M1  .  W  G1\n"
CROSSROADS = next(each.puzzle for each in bundled_puzzles() if each.name == "crossroads")
LOSING = "RRRRLLDU"
"""Moves in Crossroads: the third pushes the block too far, and the last ones change nothing."""


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces") / "traces.db"


@pytest.fixture(scope="module")
def odd_puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("puzzles") / "odd"
    folder.mkdir()
    (folder / "dead-end.pwp").write_text(DEAD_END)
    (folder / "endless.pwp").write_text(ENDLESS)
    return folder


@pytest.fixture(scope="module")
def server(odd_puzzles: Path, traces: Path) -> Iterator[RunningServer]:
    puzzles = ("--puzzles", "bundled", "--puzzles", str(odd_puzzles))
    with running_server(*puzzles, "--record", str(traces)) as server:
        yield server


@pytest.fixture(scope="module", params=["server", pytest.param("export", marks=needs_planner)])
def shared_page(
    request: pytest.FixtureRequest, browser: Browser, odd_puzzles: Path, tmp_path_factory: Any
) -> Iterator[Page]:
    """A page of a visitor who does not want to be recorded."""
    if request.param == "server":
        with opened(browser, request.getfixturevalue("server").address) as page:
            page.get_by_role("button", name="No, just play").click()
            yield page
    else:
        site = tmp_path_factory.mktemp("export") / "site"
        export_site(site, load_catalogue(["bundled", str(odd_puzzles)]))
        with hosted(site) as host, opened(browser, host.address) as page:
            yield page


def in_letters(hint: str) -> str:
    """Returns the actions of a hint such as ``Walk ↑ ←×2, then push →.``"""
    runs = re.findall(r"([←→↑↓])(?:×(\d+))?", hint)
    return "".join("LRUD"["←→↑↓".index(arrow)] * int(times or 1) for arrow, times in runs)


def ask_for_the_moves(page: Page) -> None:
    """Asks for hints until one has the moves."""
    for mark in (".hint-mark", ".hint-end", ".hint-line"):
        page.keyboard.press("h")
        expect(page.locator(mark).first).to_be_attached()


def test_hints_one_after_the_other_solve_the_puzzle(page: Page) -> None:
    keyhole = next(each.puzzle for each in bundled_puzzles() if each.name == "keyhole")
    answer = page.locator(".answer p")
    plan = ""
    go(page, "#/play/bundled/keyhole")
    for _ in range(30):
        ask_for_the_moves(page)
        expect(answer).to_have_text(re.compile("^(Walk|Push) .*[←→↑↓]"))
        expect(page.locator(".hint-line")).to_have_count(2)
        plan += in_letters(answer.inner_text())
        page.get_by_role("button", name="Do it").click()
        expect(page.locator(".counters dd").first).to_have_text(str(len(plan)))
        if keyhole.validate(plan):
            break
    *_, last = keyhole.replay(plan)
    assert state_on_page(page) == [list(position) for position in last]
    expect(page.get_by_text("Solved for you", exact=True)).to_be_visible()


def test_a_hint_stays_while_it_is_followed(page: Page) -> None:
    go(page, "#/play/bundled/keyhole")
    answer = page.locator(".answer p")
    ask_for_the_moves(page)
    expect(answer).to_have_text(re.compile("^Walk"))
    plan = in_letters(answer.inner_text())
    for step, letter in enumerate(plan[:-1], 1):
        page.keyboard.press(KEYS[letter])
        expect(page.locator(".counters dd").first).to_have_text(str(step))
        assert in_letters(answer.inner_text()) == plan[step:]
        expect(page.locator(".hint-line")).to_have_count(2)
    page.keyboard.press("r")
    assert in_letters(answer.inner_text()) == plan
    page.keyboard.press("ArrowRight")
    expect(answer).to_have_count(0)
    expect(page.locator(".hint-line")).to_have_count(0)


def test_the_whole_solution_from_the_middle_of_a_game(page: Page) -> None:
    go(page, "#/play/bundled/castaway?plan=LLUU")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".answer p")).to_have_text(
        re.compile(r"^Solved: \d+ moves, \d+ pushes from here")
    )
    link = page.get_by_role("region", name="Hint and solution").get_by_role(
        "link", name="Watch the solution"
    )
    plan = re.search("plan=([LRUD]+)", link.get_attribute("href") or "")
    assert plan is not None
    castaway = next(each.puzzle for each in bundled_puzzles() if each.name == "castaway")
    assert plan[1].startswith("LLUU")
    assert castaway.validate(plan[1])
    length, at = len(plan[1]) - 4, page.locator(".counters dd").first
    one = page.get_by_role("button", name="One move")
    one.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".answer p")).to_contain_text(f"Solved: {length - 1} moves")
    expect(one).to_be_focused()
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    page.get_by_role("button", name="Play it").click()
    page.clock.run_for(PAUSE_MS)
    expect(at).to_have_text("7")
    page.get_by_role("button", name="Stop").click()
    page.clock.run_for(10 * PAUSE_MS)
    expect(page.locator(".answer p")).to_contain_text(f"Solved: {length - 3} moves")
    page.get_by_role("button", name="Play it").click()
    page.clock.run_for(length * PAUSE_MS)
    expect(page.get_by_text("Solved for you", exact=True)).to_be_visible()
    page.clock.resume()


def test_a_dead_end_is_called_one(page: Page) -> None:
    go(page, "#/play/odd/dead-end")
    page.get_by_role("button", name="Hint").click()
    proof = re.compile("^This is a dead end: it is proved that no moves lead from here")
    expect(page.locator(".answer p")).to_have_text(proof)
    expect(page.locator("#announcer")).to_have_text(proof)


def test_a_dead_end_leads_back_to_where_it_can_be_solved(page: Page) -> None:
    states = list(CROSSROADS.replay(LOSING))
    alive = StateSpace(CROSSROADS).alive()
    last = max(step for step, state in enumerate(states) if state in alive)
    assert last < len(LOSING) - 2
    go(page, "#/play/bundled/crossroads")
    play(page, LOSING)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".answer p")).to_have_text(re.compile("^This is a dead end"))
    page.get_by_role("button", name="Back to where it can be solved").click()
    expect(page.locator(".answer p")).to_have_text(
        f"This is move {last}, the last position from which it can be solved."
    )
    assert state_on_page(page) == [list(position) for position in states[last]]
    page.get_by_role("button", name="Hint").click()  # the way back has found a solution
    expect(page.locator(".answer p")).to_have_text("Look at the marked object.")


def test_progress_is_shown_and_the_search_can_be_cancelled(page: Page) -> None:
    go(page, "#/watch/odd/endless")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".search-status")).to_have_text(
        re.compile(r"\d+\.\d s · [\d,]+ states? · [\d,]+ a second .*MiB")
    )
    go(page, "#/play/odd/endless")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".search-status")).to_have_text("Thinking …")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".answer p")).to_have_text("Cancelled.")
    go(page, "#/play/odd/dead-end")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".answer p")).to_have_text(re.compile("^This is a dead end"))


def test_the_planner_finds_a_plan_to_watch(page: Page) -> None:
    go(page, "#/watch/bundled/keyhole")
    page.locator("textarea").fill("")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("Plan A", exact=True).get_by_text("Solves the puzzle")).to_be_visible()
    keyhole = next(each.puzzle for each in bundled_puzzles() if each.name == "keyhole")
    assert keyhole.validate(page.locator("textarea").input_value())


def test_a_drawing_is_judged(page: Page) -> None:
    go(page, "#/edit/bundled/duet")
    page.get_by_role("button", name="Ask the planner").click()
    expect(page.locator(".answer p")).to_have_text(
        re.compile(r"^Solvable in \d+ moves.* for the planner")
    )
    page.get_by_label("Puzzle as text").fill(DEAD_END)
    page.get_by_role("button", name="Ask the planner").click()
    expect(page.locator(".answer p")).to_have_text(re.compile("^It is proved to be unsolvable"))
    page.get_by_label("Puzzle as text").fill("A M1 . G1")
    page.get_by_role("button", name="Ask the planner").click()
    page.get_by_role("button", name="Watch").click()
    expect(page.get_by_label("Plan A", exact=True).get_by_text("Solves the puzzle")).to_be_visible()
    assert Puzzle.parse("A M1 . G1").validate(page.locator("textarea").input_value())


def test_games_are_recorded_only_of_those_who_agree(
    browser: Browser, server: RunningServer, traces: Path
) -> None:
    def stored() -> list[tuple[str, str, str | None, str | None, int]]:
        with sqlite3.connect(traces) as database:
            columns = "puzzle, kind, action, actor, step"
            query = f"SELECT {columns} FROM events ORDER BY time_ms, sequence"
            return database.execute(query).fetchall()

    before = stored()
    route = server.address + "#/play/bundled/first-push"
    with opened(browser, route) as page:
        consent = page.get_by_role("dialog", name="May your games be recorded?")
        expect(consent).to_contain_text("no name")
        page.get_by_role("button", name="No, just play").click()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("Object.keys(localStorage).filter(k => k.includes('traces'))") == []
    assert stored() == before

    with opened(browser, route, allowed="ERR_INTERNET_DISCONNECTED") as page:
        page.get_by_role("button", name="Yes, record").click()
        expect(page.locator("main[data-ready=play]")).to_be_visible()
        page.context.set_offline(True)
        for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp", "z", "y", "r"):
            page.keyboard.press(key)
        waiting = "Object.keys(localStorage).filter(k => k.includes('traces')).length"
        assert page.evaluate(waiting) == 1
        page.context.set_offline(False)
        for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        page.keyboard.press("n")
        expect(page.get_by_role("heading", name="Crossroads")).to_be_visible()
        page.get_by_role("button", name="Solve").click()
        page.get_by_role("button", name="One move").click()
        expect(page.locator(".counters dd").first).to_have_text("1")
        page.reload()
        page.wait_for_selector("main[data-ready]")
        page.wait_for_function(f"() => {waiting} === 0")
    game = "bundled/first-push"
    events = stored()[len(before) :]
    assert [event for event in events if event[0] == game] == [
        (game, "start", None, "player", 0),
        (game, "move", "R", "player", 1),
        (game, "move", "U", "player", 2),
        (game, "move", "U", "player", 3),
        (game, "move", "U", "player", 3),
        (game, "undo", None, "player", 2),
        (game, "redo", "U", "player", 3),
        (game, "reset", None, "player", 0),
        (game, "move", "R", "player", 1),
        (game, "move", "R", "player", 2),
        (game, "move", "R", "player", 3),
        (game, "move", "R", "player", 4),
        (game, "solved", None, "player", 4),
        (game, "leave", None, "player", 4),
    ]
    kinds = [(kind, actor, step) for name, kind, _, actor, step in events if name != game]
    taken = [("start", "player", 0), ("solution", "player", 0), ("move", "machine", 1)]
    resumed = [("leave", "player", 1), ("start", "player", 0), ("redo", "machine", 1)]
    assert kinds[:6] == [*taken, *resumed]


def test_the_record_says_what_was_shown_when_the_player_was_away_and_where_it_led(
    browser: Browser, server: RunningServer, traces: Path
) -> None:
    with opened(browser, server.address + "#/play/bundled/crossroads") as page:
        page.get_by_role("button", name="Yes, record").click()
        expect(page.locator("main[data-ready=play]")).to_be_visible()
        page.get_by_label("Warn me").check()
        for text in ("Look at", "Push it", "Push →"):
            page.keyboard.press("h")
            expect(page.locator(".answer p")).to_contain_text(text)
        look_away = "document.hasFocus = () => false; dispatchEvent(new Event('blur'))"
        come_back = "document.hasFocus = () => true; dispatchEvent(new Event('focus'))"
        page.evaluate(f"{look_away}; {look_away}; {come_back}")
        page.get_by_role("button", name="Do it").click()
        expect(page.locator(".counters dd").first).to_have_text("2")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".answer p")).to_contain_text("dead end")
        go(page, "#/")
        waiting = "Object.keys(localStorage).filter(k => k.includes('traces')).length"
        page.wait_for_function(f"() => {waiting} === 0")
    states = [" ".join(f"{x},{y}" for x, y in state) for state in CROSSROADS.replay("RRR")]
    with sqlite3.connect(traces) as database:
        warned = "SELECT session FROM events WHERE kind = 'warning'"
        columns = "kind, actor, shown, step, state"
        query = f"SELECT {columns} FROM events WHERE session IN ({warned}) ORDER BY sequence"
        stored = database.execute(query).fetchall()
    assert stored == [
        ("start", "player", None, 0, states[0]),
        ("hint", "player", "hint-1", 0, states[0]),
        ("hint", "player", "hint-2", 0, states[0]),
        ("hint", "player", "hint-3", 0, states[0]),
        ("blur", "player", "hint-3", 0, states[0]),
        ("focus", "player", "hint-3", 0, states[0]),
        ("move", "machine", "hint-3", 1, states[1]),
        ("move", "machine", None, 2, states[2]),
        ("move", "player", None, 3, states[3]),
        ("warning", "machine", "dead-end", 3, states[3]),
        ("leave", "player", "dead-end", 3, states[3]),
    ]


def test_a_lost_server_is_said_in_words(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "endless.pwp").write_text(ENDLESS)
    (folder / "last.pwp").write_text(DEAD_END)  # so that no other set has to be loaded
    with (
        running_server("--puzzles", str(folder), "--puzzles", "bundled") as server,
        opened(browser, server.address, allowed="net::ERR_") as page,
    ):
        go(page, "#/play/odd/endless")
        page.get_by_role("button", name="Solve").click()
        expect(page.locator(".search-status")).to_have_text("Thinking …")
        server.process.kill()
        lost = "The server cannot be reached: is pushworld play still running?"
        expect(page.locator(".answer p")).to_have_text(lost)
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".answer p")).to_have_text(lost)
        go(page, "#/gallery/bundled")
        expect(
            page.get_by_text("The server cannot be reached, so data/sets/bundled.json")
        ).to_be_visible()
