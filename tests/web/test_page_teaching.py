"""Help that teaches: graded hints, dead ends, warnings, par, one's own solutions, and planners to watch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from pushworld.datasets import bundled_puzzles
from pushworld.planners import planners
from pushworld.puzzle import Puzzle, State
from pushworld.web.catalogue import load_catalogue
from tests.state_space import StateSpace
from tests.web.browser import PHONE, fresh, go, needs_browser, opened, play, route_of, state_on_page
from tests.web.server_process import RunningServer, running_server

pytestmark = needs_browser
BUNDLED = {each.name: each for each in bundled_puzzles()}
CROSSROADS = BUNDLED["crossroads"].puzzle
PUBLIC_URL = "https://play.example/pushworld"
COLOURS = re.compile(r"\b(red|green|blue|yellow|orange|black|white)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that opens a puzzle by its name, and knows where its site is public."""
    folder = tmp_path_factory.mktemp("puzzles") / "More"
    folder.mkdir()
    (folder / "Dumb Bell.pwp").write_text("A .  .  .  .\n. M1 .  M1 .\n. G1 .  G1 .\n")
    puzzles = ("--puzzles", "bundled", "--puzzles", str(folder))
    with running_server("keyhole", *puzzles, "--public-url", PUBLIC_URL) as server:
        yield server


@pytest.fixture(scope="module", params=["desktop", "phone"])
def shared_page(
    request: pytest.FixtureRequest, browser: Browser, server: RunningServer
) -> Iterator[Page]:
    size: dict[str, Any] = PHONE if request.param == "phone" else {}
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, server.address, permissions=permissions, **size) as page:
        expect(page.get_by_role("heading", name="Keyhole")).to_be_visible()
        yield page


def as_lists(state: State) -> list[list[int]]:
    return [list(position) for position in state]


def pushed_first(puzzle: Puzzle, plan: str) -> int:
    """Returns the index of the first object that a plan moves, in a puzzle without chains."""
    for before, after in pairwise(puzzle.replay(plan)):
        moved = [index for index in range(1, len(before)) if before[index] != after[index]]
        if moved:
            return moved[0]
    raise AssertionError("it pushes nothing")


def test_hints_say_where_to_look_then_what_then_how(page: Page) -> None:
    cork = BUNDLED["cork"]
    go(page, "#/play/bundled/cork")
    answer, announcer = page.locator(".answer p"), page.locator("#announcer")
    page.get_by_role("button", name="Hint").click()
    expect(answer).to_have_text("Look at the marked object.")
    first, mark = pushed_first(cork.puzzle, cork.plan), page.locator(".hint-mark")
    expect(mark).to_be_in_viewport()
    around, inside = mark.bounding_box(), page.locator(".piece").nth(first).bounding_box()
    assert around is not None
    assert inside is not None
    assert around["x"] < inside["x"] < inside["x"] + inside["width"] < around["x"] + around["width"]
    number, (x, y) = cork.puzzle.movables[first - 1].name[1:], cork.puzzle.initial_state[first]
    name = f"object {number}"
    expect(announcer).to_have_text(f"Look at {name}, at column {x}, row {y}.")
    assert page.locator(".hint-end, .hint-line").count() == 0

    page.keyboard.press("h")
    expect(answer).to_have_text("Push it onto the dashed outline.")
    expect(announcer).to_have_text(re.compile(rf"^Push {name} \d to the (left|right)|up|down"))
    expect(page.locator(".hint-end")).to_have_count(1)
    assert page.locator(".hint-line").count() == 0

    page.get_by_role("button", name="Tell me more").click()
    expect(answer).to_have_text(re.compile("^(Walk|Push) .*[←→↑↓]"))
    expect(page.locator(".hint-line")).to_have_count(2)
    expect(page.get_by_role("button", name="Do it")).to_be_visible()


@contextmanager
def searches(page: Page) -> Iterator[list[str]]:
    """Yields the requests for searches, as they are made."""
    made: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("api/solve"):
            made.append(request.url)

    page.on("request", note)
    yield made
    page.remove_listener("request", note)


def test_hints_near_the_known_solution_need_no_search(page: Page) -> None:
    cork = BUNDLED["cork"]
    go(page, "#/play/bundled/cork")
    away = next(plan for plan in ("DD", "UU") if not cork.plan.startswith(plan[0]))
    *_, state = cork.puzzle.replay(away)
    assert state[0] != cork.puzzle.initial_state[0]
    assert state[1:] == cork.puzzle.initial_state[1:]
    with searches(page) as made:
        play(page, away)
        page.get_by_role("button", name="Solve").click()
        link = page.get_by_role("link", name="Watch the solution")
        plan = re.search("plan=([LRUD]+)", link.get_attribute("href") or "")
        assert plan is not None
        assert plan[1].startswith(away)
        assert cork.puzzle.validate(plan[1])
        assert made == []


def test_a_push_off_the_known_solution_is_led_back_without_a_search(page: Page) -> None:
    keyhole = BUNDLED["keyhole"]
    go(page, "#/play/bundled/keyhole")
    away = keyhole.plan[:3] + "R"
    *_, before, state = keyhole.puzzle.replay(away)
    things = {state[1:] for state in keyhole.puzzle.replay(keyhole.plan)}
    assert before[1:] in things
    assert state[1:] not in things
    with searches(page) as made:
        play(page, away)
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".answer p")).to_have_text("Look at the marked object.")
        assert made == []


def test_a_long_search_offers_the_way_back_at_once_and_no_figures(page: Page) -> None:
    page.route("**/api/solve", lambda _: None)  # a search without an end
    go(page, "#/play/bundled/crossroads")
    play(page, "RRRR")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".search-status")).to_have_text("Thinking …")
    page.get_by_role("button", name="Back to move").click()
    expect(page.locator(".answer p")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".answer p")).to_have_text("Look at the marked object.")
    page.unroute("**/api/solve")


def test_a_warning_comes_only_if_it_is_wanted(page: Page) -> None:
    alive = StateSpace(CROSSROADS).alive()
    go(page, "#/play/bundled/crossroads")
    warn = page.get_by_label("Warn me when a move loses the game")
    expect(warn).not_to_be_checked()
    with searches(page) as made:
        play(page, "RRRR")
        expect(page.locator(".counters dd").first).to_have_text("4")
        assert made == []
    page.keyboard.press("r")
    warn.check()
    lost = next(i for i, state in enumerate(CROSSROADS.replay("RRRR")) if state not in alive)
    play(page, "R" * lost)
    expect(page.locator(".answer p")).to_have_text(re.compile("^This is a dead end"))
    expect(page.locator(".toast")).to_have_text("That push lost the game.")
    page.get_by_role("button", name="Back to where it can be solved").click()
    expect(page.locator(".counters dd").first).to_have_text(str(lost - 1))
    page.reload()
    page.wait_for_selector("main[data-ready=play]")
    expect(warn).to_be_checked()


def test_par_is_shown_before_and_after_the_win(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    par = page.locator(".counters .par")
    expect(par).to_have_text(["par 4", "par 2"])
    play(page, "UDRRRR")
    expect(page.locator(".banner")).to_contain_text("6 moves, 2 pushes")
    expect(page.locator(".banner")).to_contain_text("Par is 4 moves, 2 pushes.")
    expect(par).to_have_text(["par 4", "par 2"])


def test_ones_own_solution_can_be_replayed_and_linked_on_the_public_site(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    play(page, "URDRRRLR")
    solution = "URDRRR"
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The link is copied.", exact=True)).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{PUBLIC_URL}/#/watch/bundled/first-push?plan={solution}"
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("textbox", name="Plan A")).to_have_value(solution)
    with fresh(page, route_of(link)) as other:
        expect(other.get_by_text("Solves the puzzle in 6 moves")).to_be_visible()


def test_any_planner_can_be_watched_and_taken_over_from(page: Page) -> None:
    keyhole = BUNDLED["keyhole"].puzzle
    go(page, "#/watch/bundled/keyhole")
    choice = page.get_by_label("Planner of plan A")
    expect(choice.locator("option")).to_have_text([each.name for each in planners()])
    choice.select_option("novelty-rgd")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".lane-panel .answer p")).to_contain_text(
        "The planner novelty-rgd found this plan"
    )
    plan = page.locator("textarea").input_value()
    assert keyhole.validate(plan)
    for _ in range(3):
        page.get_by_role("button", name="One move on").click()
    page.get_by_role("link", name="Play from here").click()
    page.wait_for_selector("main[data-ready=play]")
    states = [as_lists(state) for state in keyhole.replay(plan)]
    assert state_on_page(page) == states[3]
    page.keyboard.press("y")  # what the planner would do
    assert state_on_page(page) == states[4]
    page.keyboard.press("z")
    expect(page.get_by_role("link", name="My moves")).to_be_visible()


def test_after_a_solution_no_two_controls_have_the_same_name(page: Page) -> None:
    go(page, "#/play/bundled/cork?plan=U")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("link", name="Watch the solution")).to_be_visible()
    names = page.locator("main").get_by_role("button").or_(page.locator("main a")).all_inner_texts()
    named = [name for name in names if name]
    assert len(set(named)) == len(named)


def test_icons_and_limits_have_visible_names(page: Page) -> None:
    go(page, "#/play/bundled/cork")
    assert all(page.locator(".tools .button, .around .button").all_inner_texts())
    go(page, "#/edit/bundled/cork")
    expect(page.locator(".panel .field")).to_contain_text("up to")
    options = page.get_by_label("Search for at most").locator("option")
    expect(options).to_have_text(["10 s", "1 min", "5 min"])


def test_parts_of_one_thing_are_tied_together(page: Page) -> None:
    go(page, "#/play/more/dumb-bell")
    expect(page.locator(".target .tie")).to_have_count(1)
    expect(page.locator(".tie")).to_have_count(2)  # that of the goal too
    go(page, "#/play/bundled/first-push")
    expect(page.locator(".tie")).to_have_count(0)


def test_the_last_lesson_leads_on(page: Page) -> None:
    *_, (name, last) = BUNDLED.items()
    go(page, f"#/play/bundled/{name}?plan={last.plan[:-1]}")
    play(page, last.plan[-1])
    page.get_by_role("button", name="On to More").click()
    expect(page.get_by_role("heading", name="Dumb Bell")).to_be_visible()


def test_newcomers_read_what_the_game_is_and_where_to_start(page: Page) -> None:
    page.reload()  # the gallery scrolls to what was played last, by whichever test
    rule = page.get_by_text("Walk into an object to push it")
    expect(rule).to_be_in_viewport()
    expect(page.locator(".welcome .board")).to_be_in_viewport()
    page.get_by_role("link", name="Start: First Push").click()
    page.wait_for_selector("main[data-ready=play]")
    play(page, "RRRR")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.locator(".welcome")).to_have_count(0)


def test_puzzles_can_be_sorted_by_difficulty(page: Page) -> None:
    go(page, "#/gallery/all")
    names, titles = page.locator(".card a"), [each.title for each in BUNDLED.values()]
    expect(names).to_have_text([*titles, "Dumb Bell"])
    page.get_by_label("Sort").select_option("Hardest first")
    expect(names).to_have_text(["Dumb Bell", *reversed(titles)])
    expect(page).to_have_url(re.compile("sort=hard$"))
    page.reload()
    expect(names).to_have_text(["Dumb Bell", *reversed(titles)])
    page.get_by_label("Sort").select_option("Easiest first")
    expect(names).to_have_text([*titles, "Dumb Bell"])


def test_tags_are_plain_words_that_explain_themselves(page: Page) -> None:
    tag = page.get_by_role("button", name="use a tool")
    expect(tag).to_have_attribute("title", "Push one object with another.")
    tag.click()
    expect(page.locator(".meaning")).to_have_text("Push one object with another.")
    page.get_by_label("Search puzzles").fill("tool")
    expect(page.locator(".card a").first).to_be_visible()


def test_no_text_names_a_colour_or_gives_a_thing_two_names(page: Page) -> None:
    second_names = re.compile(r"\bpieces?\b(?! of)|\bfences?\b|\bactions?\b|\bM\d")
    for puzzle in (each for one in load_catalogue(["bundled", "classic"]) for each in one.puzzles):
        assert not second_names.search(f"{puzzle['description']} {puzzle['idea']}"), puzzle["name"]
    for route in ("#/gallery/bundled", "#/play/bundled/through-the-fence", "#/watch", "#/edit"):
        go(page, route)
        page.get_by_role("button", name="Help").click()
        text = page.locator("body").inner_text()
        assert not COLOURS.search(text)
        assert not second_names.search(text)
        page.keyboard.press("Escape")
