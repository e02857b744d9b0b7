"""The planner in the page: an export on a plain file server, and without a network."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles, classic_puzzles
from pushworld.planners import planners, solve
from pushworld.planners.native import NativePlanner
from pushworld.puzzle import Puzzle
from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import PLANNER_FILE, SITE_FILE, export_site
from tests.waiting import wait_until
from tests.web.browser import go, needs_browser, opened
from tests.web.plain_host import hosted, needs_planner
from tests.web.server_process import ENDLESS

pytestmark = [needs_browser, needs_planner]

NAMES = [each.name for each in planners() if isinstance(each, NativePlanner)]
MAX_STATES = 3_000
SOLVE = """async ([pwp, seconds, planner, maxStates]) => {
    const { solve } = await import("./js/server/solver.js");
    const signal = new AbortController().signal;
    return solve(pwp, seconds, () => {}, signal, { planner, maxStates });
}"""

SAVED = """() => new Promise((done) => {
    if (navigator.serviceWorker.controller) return done();
    navigator.serviceWorker.addEventListener("controllerchange", () => done());
})"""
"""Resolves when the browser has saved a copy of the site."""

IS_CLASSIC_SAVED = 'caches.match("data/sets/classic.json").then((found) => Boolean(found))'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export, with a puzzle of which the page knows no plan."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "odd").mkdir()
    (folder / "odd" / "corridor.pwp").write_text("A M1 . G1\n")
    export_site(folder / "site", load_catalogue(["bundled", str(folder / "odd")]))
    return folder / "site"


@pytest.fixture(scope="module")
def page(browser: Browser, site: Path) -> Iterator[Page]:
    with hosted(site) as host, opened(browser, host.address) as page:
        yield page


def ask(
    page: Page, pwp: str, *, seconds: float = 60, planner: str = "default", states: Any = None
) -> Any:
    return page.evaluate(SOLVE, [pwp, seconds, planner, states])


@pytest.mark.parametrize("planner", NAMES)
def test_every_planner_does_what_the_native_one_does(page: Page, planner: str) -> None:
    puzzles = [each.puzzle for each in bundled_puzzles()]
    if planner == "default":
        puzzles += [each.puzzle for each in classic_puzzles()][::10]
    for puzzle in puzzles:
        native = solve(puzzle, planner, time_limit=60, max_states=MAX_STATES)
        found = ask(page, puzzle.to_pwp(), planner=planner, states=MAX_STATES)
        assert (puzzle.name, found["status"]) == (puzzle.name, native.status)
        assert (puzzle.name, found["states"]) == (puzzle.name, native.states)
        if planner != "default" or native.plan is None:
            assert found["plan"] == native.plan
        else:  # shortened
            assert puzzle.validate(found["plan"])
            assert len(found["plan"]) <= len(native.plan)


def test_a_dead_end_is_proved(page: Page) -> None:
    found = ask(page, "A . M1 W G1")
    assert (found["status"], found["plan"]) == ("unsolvable", None)
    assert found["states"] == solve(Puzzle.parse("A . M1 W G1")).states


def test_limits_are_kept(page: Page) -> None:
    late = ask(page, ENDLESS, seconds=0.5)
    assert (late["status"], late["plan"]) == ("time-limit", None)
    full = ask(page, ENDLESS, states=500)
    assert full["status"] == "state-limit"
    assert full["states"] == solve(Puzzle.parse(ENDLESS), max_states=500).states


@pytest.mark.parametrize(
    ("pwp", "message"),
    [
        ("A M1", "the puzzle has no goals, so there is nothing to solve"),
        ("A X", "line 1, column 3: unknown id 'X'"),
        (". " * 10_001 + "\n", "the puzzle has more than 10,000 cells"),
    ],
)
def test_bad_requests_are_refused_as_by_the_server(page: Page, pwp: str, message: str) -> None:
    with pytest.raises(Exception, match=re.escape(message)):
        ask(page, pwp)


def test_a_search_ends_at_once_when_it_is_cancelled(page: Page) -> None:
    cancelled = page.evaluate(
        """async (pwp) => {
            const { solve } = await import("./js/server/solver.js");
            const search = new AbortController();
            const seen = [];
            const onReport = (report) => {
                seen.push(report);
                if (seen.length === 2) search.abort();
            };
            try {
                await solve(pwp, 60, onReport, search.signal);
            } catch (error) {
                return [error.name, seen];
            }
        }""",
        ENDLESS,
    )
    name, (first, second) = cancelled
    assert name == "AbortError"
    assert set(first) == {"type", "seconds", "states", "rate", "best", "memory_bytes"}
    assert first["states"] < second["states"]
    assert first["memory_bytes"] > 0
    assert ask(page, "A M1 G1")["plan"] == "R"


def changed_copy(site: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(site, tmp_path / "changed"))


def test_a_search_without_memory_says_so(browser: Browser, site: Path, tmp_path: Path) -> None:
    copy = changed_copy(site, tmp_path)
    worker = copy / "js" / "server" / "planner-worker.js"
    text = worker.read_text()
    assert "Math.min(1.5e9" in text
    worker.write_text(text.replace("Math.min(1.5e9", "Math.min(2e7"))
    with hosted(copy) as host, opened(browser, host.address, service_workers="block") as page:
        found = ask(page, ENDLESS, seconds=300, planner="bfs")
        assert (found["status"], found["plan"]) == ("memory-limit", None)
        assert found["states"] > 0
        assert ask(page, "A M1 G1")["plan"] == "R"


def test_a_planner_that_cannot_be_loaded_is_told(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    copy = changed_copy(site, tmp_path)
    (copy / PLANNER_FILE).unlink()
    with hosted(copy) as host:
        address = f"{host.address}#/play/odd/corridor"
        with opened(browser, address, allowed="404", service_workers="block") as page:
            page.get_by_role("button", name="Hint").click()
            expect(page.locator(".answer p")).to_have_text(
                "The planner of this page cannot be loaded (status 404): are you offline?"
            )


def test_the_planner_is_loaded_only_when_it_is_asked_for(browser: Browser, site: Path) -> None:
    with hosted(site) as host:
        address = f"{host.address}#/play/odd/corridor"
        with opened(browser, address, service_workers="block") as page:
            page.keyboard.press("ArrowUp")
            for view in ("watch", "edit", "play"):
                go(page, f"#/{view}/odd/corridor")
            before = host.requests()
            page.get_by_role("button", name="Solve").click()
            expect(page.locator(".answer p")).to_have_text(re.compile("^Solved: "))
        assert "page.js" in before
        assert host.requests() - before == {"js/server/planner-worker.js", PLANNER_FILE}


def test_the_page_searches_itself_when_the_servers_queue_is_full(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    copy = changed_copy(site, tmp_path)
    offers = json.loads((copy / SITE_FILE).read_text())
    (copy / SITE_FILE).write_text(json.dumps(offers | {"server": True}))
    with hosted(copy) as host:
        address = f"{host.address}#/play/odd/corridor"
        with opened(browser, address, allowed="503", service_workers="block") as page:
            full = {"type": "error", "message": "busy"}
            page.route("**/api/solve", lambda route: route.fulfill(status=503, json=full))
            page.get_by_role("button", name="Hint").click()
            expect(page.locator(".answer p")).to_have_text("Look at the marked object.")


def test_everything_works_with_the_network_cut_after_loading(browser: Browser, site: Path) -> None:
    with hosted(site) as host, opened(browser, host.address, allowed="ERR_") as page:
        page.evaluate(SAVED)
        host.process.kill()
        host.process.wait()
        for reload in (False, True):
            if reload:
                page.reload()
                page.wait_for_selector("main[data-ready]")
            go(page, "#/play/odd/corridor")
            page.get_by_role("button", name="Solve").click()
            expect(page.locator(".answer p")).to_have_text(re.compile("^Solved: "))
            go(page, "#/gallery/bundled")
            expect(page.locator(".card").first).to_be_visible()


def test_a_new_export_takes_the_place_of_the_saved_copy(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    copy = changed_copy(site, tmp_path)
    with hosted(copy) as host, opened(browser, host.address) as page:
        page.evaluate(SAVED)
        export_site(copy, load_catalogue(["bundled", "classic"]))
        page.reload()
        page.wait_for_selector("main[data-ready]")
        expect(page.get_by_text("Classic").first).to_be_visible()
        wait_until(
            lambda: len(page.evaluate("caches.keys()")) == 1 and page.evaluate(IS_CLASSIC_SAVED)
        )
