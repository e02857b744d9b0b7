"""Watching plans in a real browser: stepping, scrubbing and comparing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.datasets import bundled_puzzles
from tests.web.browser import (
    fresh,
    needs_browser,
    opened,
    route_of,
    served,
    set_of_texts,
    static_site,
)

pytestmark = needs_browser
CORK = next(each for each in bundled_puzzles() if each.name == "cork")
STATES = [[list(place) for place in state] for state in CORK.puzzle.replay(CORK.plan)]
LENGTH = len(CORK.plan)


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    with fresh(shared_page, f"#/watch/bundled/cork?plan={CORK.plan}&step=3") as page:
        yield page


def shown(page: Page, lane: str = "A") -> list[list[int]]:
    """Returns the state that a plan's board shows."""
    state: list[list[int]] = (
        page.get_by_role("group", name=f"Board of plan {lane}")
        .locator(".piece")
        .evaluate_all("pieces => pieces.map(piece => [+piece.dataset.x, +piece.dataset.y])")
    )
    return state


def test_steps_and_scrubbing(page: Page) -> None:
    assert shown(page) == STATES[3]
    for step, key in ((4, "ArrowRight"), (3, "ArrowLeft"), (LENGTH, "End"), (0, "Home")):
        page.keyboard.press(key)
        assert shown(page) == STATES[step]
    page.get_by_role("button", name="One move on").click()
    assert shown(page) == STATES[1]
    page.get_by_label("Move", exact=True).fill("20")
    assert shown(page) == STATES[20]
    expect(page.locator(".position")).to_have_text(f"20 / {LENGTH}")


def test_playing_to_the_end_at_any_speed(page: Page) -> None:
    page.get_by_label("Moves a second").select_option("50/s")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".position")).to_have_text(f"{LENGTH} / {LENGTH}")
    assert shown(page) == STATES[-1]
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_text("Solves the puzzle in 34 moves")).to_be_visible()


def test_two_plans_side_by_side_and_in_a_link(page: Page) -> None:
    page.get_by_role("button", name="Compare").click()
    other = "LLLL" + CORK.plan[:10]
    page.get_by_role("textbox", name="Plan B").fill(other.lower() + "\n ")
    page.get_by_label("Move", exact=True).fill("12")
    states = [[list(place) for place in state] for state in CORK.puzzle.replay(other)]
    assert (shown(page), shown(page, "B")) == (STATES[12], states[12])
    page.keyboard.press("End")
    assert shown(page, "B") == states[-1]
    expect(page.get_by_role("region", name="Plan B")).to_contain_text("without effect")
    page.get_by_label("Move", exact=True).fill("5")
    expect(page).to_have_url(re.compile(f"plan={CORK.plan}&other={other}&step=5$"))
    with fresh(page, route_of(page.url)) as later:
        assert (shown(later), shown(later, "B")) == (STATES[5], states[5])
        later.get_by_role("button", name="Remove plan B").click()
        expect(later.get_by_role("region", name="Plan B")).to_be_hidden()


def test_where_two_plans_part(page: Page) -> None:
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".difference")).to_be_hidden()
    other = page.get_by_role("textbox", name="Plan B")
    other.fill(CORK.plan)
    expect(page.locator(".difference")).to_have_text("The two plans are the same.")
    other.fill(CORK.plan[:7] + ("L" if CORK.plan[7] == "R" else "R"))
    expect(page.locator(".difference")).to_contain_text("The plans part after 7 moves.")
    page.get_by_role("button", name="Go there").click()
    expect(page.locator(".position")).to_have_text(f"7 / {LENGTH}")
    now = page.locator(".tape .now").first
    expect(now).to_have_text(CORK.plan[6])
    page.get_by_role("button", name="Remove plan B").click()
    expect(page.locator(".difference")).to_be_hidden()


def test_the_tape_shows_which_moves_push(page: Page) -> None:
    page.keyboard.press("Home")
    pairs = list(pairwise(CORK.puzzle.replay(CORK.plan)))[:24]  # as far as the tape reaches
    pushing = [letter for letter, (a, b) in zip(CORK.plan, pairs, strict=False) if a[1:] != b[1:]]
    expect(page.locator(".tape .push")).to_have_text(pushing)


def test_a_text_that_is_no_plan(page: Page) -> None:
    page.get_by_role("textbox", name="Plan A").fill("LRX")
    expect(page.get_by_role("region", name="Plan A")).to_contain_text(
        "'X' at position 3 of the plan is not an action"
    )


def test_choosing_another_puzzle(page: Page) -> None:
    page.get_by_label("Puzzle", exact=True).select_option("Duet")
    expect(page.get_by_role("heading", name="Duet")).to_be_visible()
    # There is always something to watch: the shortest solution known.
    expect(page.get_by_text("Solves the puzzle in")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_a_persons_plan_of_the_site_is_offered(browser: Browser) -> None:
    site = static_site(set_of_texts("people", "People", {"Three": "A M1 . G1"}, human="RR"))
    with served(site) as address, opened(browser, f"{address}#/watch/people/p0") as page:
        page.get_by_role("button", name="human: 2 moves").click()
        expect(page.get_by_role("textbox", name="Plan A")).to_have_value("RR")
