"""What brings people back: stars, the puzzle of the day, progress that moves along, a board that plays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from pushworld.web.catalogue import load_catalogue
from pushworld.web.site import build_site
from tests.web.browser import (
    fresh,
    go,
    needs_browser,
    opened,
    play,
    served,
    state_on_page,
    stop_clock,
)

pytestmark = needs_browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    sets = load_catalogue(["bundled", "classic"])
    with served(build_site(sets, solver=False, recording=False)) as address:
        yield address


@pytest.fixture(scope="module")
def shared_page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address, accept_downloads=True) as page:
        yield page


def test_stars_are_for_solving_for_few_moves_and_for_few_pushes(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    stars = page.locator(".banner .stars")
    play(page, "UDRRRR")
    expect(stars).to_have_attribute("aria-label", "Stars: solved, par in pushes")
    page.keyboard.press("r")
    play(page, "RRRR")
    expect(stars).to_have_attribute("aria-label", "Stars: solved, par in moves, par in pushes")
    go(page, "#/gallery/bundled")
    expect(page.locator(".cards .stars")).to_have_count(1)
    expect(page.locator(".cards .stars .lit")).to_have_count(3)
    two_ways = {"best": {"moves": 4, "pushes": 5}, "fewest": 2}  # no solution has both
    script = """async (progress) => {
        const { starsOf } = await import("./js/model/progress.js");
        return starsOf(progress, { moves: 4, pushes: 2 });
    }"""
    assert page.evaluate(script, two_ways) == [True, True, True]
    assert page.evaluate(script, two_ways | {"fewest": 3}) == [True, True, False]


def test_who_comes_back_goes_on_where_puzzles_are_unsolved(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    play(page, "RRRR")
    go(page, "#/")
    expect(page.locator(".featured")).to_have_count(2)
    expect(page.locator(".featured .board")).to_have_count(2)
    page.reload()  # as on another day
    expect(page.get_by_role("link", name="Puzzle of the day")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Go on: Crossroads").click()
    expect(page.locator("h1")).to_have_text("Crossroads")


def test_every_day_has_a_puzzle(page: Page) -> None:
    keys = page.evaluate(
        """async () => {
            const { keyOfDay } = await import("./js/model/daily.js");
            return Array.from({ length: 200 }, (_, day) => keyOfDay(new Date(2026, 10, day)));
        }"""
    )
    known = {
        f"{each.id}/{puzzle['id']}"
        for each in load_catalogue(["bundled", "classic"])
        for puzzle in each.puzzles
    }
    assert set(keys) <= known
    assert len(set(keys)) > 80


def test_everybody_has_the_same_puzzle_of_the_day(page: Page) -> None:
    names = []
    for date in ("2026-11-18T01:00", "2026-11-18T23:00", "2026-11-19T01:00", "2027-03-01T12:00"):
        page.clock.set_fixed_time(date)
        go(page, "#/nowhere")
        go(page, "#/")
        today = page.get_by_role("link", name="Puzzle of the day")
        names.append(today.get_attribute("aria-label") or "")
    assert names[0] == names[1]
    assert len(set(names)) == 3
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator("h1")).to_have_text(names[-1].removeprefix("Puzzle of the day: "))
    page.clock.resume()


def test_progress_moves_to_another_browser_and_the_better_solution_stays(
    page: Page, tmp_path: Path
) -> None:
    go(page, "#/play/bundled/first-push")
    play(page, "RRRR")
    page.get_by_role("button", name="Settings").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "progress.json"
    saving.value.save_as(file)
    page.get_by_role("button", name="Close").click()
    with fresh(page, "#/play/bundled/first-push"):
        play(page, "UDRRRR")
        page.get_by_role("button", name="Settings").click()
        with page.expect_file_chooser() as choosing:
            page.get_by_role("button", name="Load from a file").click()
        choosing.value.set_files(file)
        expect(page.get_by_text("Your progress is loaded.")).to_be_visible()
        stored = json.loads(page.evaluate("localStorage.getItem('pushworld.progress')"))
        assert stored["bundled/first-push"]["best"]["moves"] == 4
    file.write_text('{"pushworld": 2}')
    page.get_by_role("button", name="Settings").click()
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Load from a file").click()
    choosing.value.set_files(file)
    expect(page.get_by_text("progress.json: this file is not progress")).to_be_visible()


def test_the_first_screen_shows_a_game_and_stops_when_asked(browser: Browser, address: str) -> None:
    with opened(browser, address, reduced_motion="no-preference") as page:
        stop_clock(page)
        page.reload()
        start = state_on_page(page)[:3]
        page.clock.run_for(3000)
        later = state_on_page(page)[:3]
        assert later != start
        page.get_by_role("button", name="Stop the picture").click()
        stopped = state_on_page(page)[:3]
        page.clock.run_for(3000)
        assert state_on_page(page)[:3] == stopped
    with opened(browser, address) as page:  # who wants less motion starts it
        expect(page.get_by_role("button", name="Play the picture")).to_be_visible()


def test_a_teachers_folder_plays_the_first_puzzle_with_a_plan(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "first.pwp").write_text("A M1 . G1")
    (tmp_path / "second.pwp").write_text("G1 M1 A")
    (tmp_path / "index.toml").write_text(
        '[[puzzle]]\nname = "first"\n[[puzzle]]\nname = "second"\nplan = "L"'
    )
    site = build_site(load_catalogue([str(tmp_path)]), solver=False, recording=False)
    with served(site) as address, opened(browser, address) as page:
        assert state_on_page(page)[:2] == [[3, 1], [2, 1]]
        expect(page.locator(".demo .board")).to_be_visible()
        expect(page.get_by_role("navigation", name="Sets")).to_have_count(0)  # there is one


def test_two_tabs_show_the_same_game(browser: Browser, address: str) -> None:
    route = f"{address}#/play/bundled/keyhole"
    with opened(browser, route) as first:
        second = first.context.new_page()
        second.goto(route)
        second.wait_for_selector("main[data-ready]")
        play(first, "LUUU")
        expect(second.locator(".counters dd").first).to_have_text("4")
        play(second, "U")
        expect(first.locator(".counters dd").first).to_have_text("5")


def test_a_win_leads_on_from_anywhere_and_the_focus_stays_with_the_board(page: Page) -> None:
    go(page, "#/play/bundled/first-push")
    board = page.get_by_role("application")
    play(page, "R")
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(board).to_be_focused()
    play(page, "RRRR")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Crossroads")).to_be_visible()


def test_a_replay_plays_at_once_as_large_as_the_game(page: Page) -> None:
    stop_clock(page)
    page.set_viewport_size({"width": 1366, "height": 768})
    go(page, "#/play/classic/chimney-sweep")
    played = page.locator(".surface").bounding_box()
    go(page, "#/play/bundled/first-push")
    play(page, "RRRR")
    page.clock.run_for(500)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(2000)
    expect(page.locator(".position")).to_have_text("4 / 4")
    go(page, "#/watch/classic/chimney-sweep")
    watched = page.locator(".surface").bounding_box()
    assert played is not None
    assert watched is not None
    assert watched["height"] > 0.8 * played["height"]
    expect(page.locator(".board")).to_be_in_viewport(ratio=1)
    page.clock.resume()


def test_two_plans_of_a_wide_puzzle_are_above_each_other_on_an_upright_screen(page: Page) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    go(page, "#/watch/bundled/keyhole?plan=LUUU&other=LL")
    first, second = (board.bounding_box() for board in page.locator(".board").all())
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"]
    assert min(first["width"], second["width"]) > 0.7 * 820


@pytest.mark.parametrize("size", [(1366, 768), (844, 390), (390, 664), (300, 568)])
def test_the_player_covers_no_board(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    go(page, "#/watch/bundled/keyhole?plan=LUUU&other=LL")
    transport = page.locator(".transport").bounding_box()
    assert transport is not None
    for board in page.locator(".surface").all():
        box = board.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= transport["y"]
    expect(page.locator(".transport")).to_be_in_viewport(ratio=1)


def test_a_plan_can_be_saved_as_an_animation(page: Page, tmp_path: Path) -> None:
    from PIL import Image

    go(page, "#/watch/bundled/keyhole?plan=LUUU&other=LL")
    with page.expect_download() as saving:
        page.get_by_role("button", name="GIF").click()
    saving.value.save_as(tmp_path / "plan.gif")
    with Image.open(tmp_path / "plan.gif") as file:
        picture: Any = file
        assert picture.n_frames == 5
        width, height = picture.size
        cell = height // 10  # half a cell of the border is left out on each side
        assert (width, height) == (2 * 14 * cell + 12, 10 * cell)
        agents = []
        for frame in range(picture.n_frames):
            picture.seek(frame)
            red, green, blue = np.asarray(picture.convert("RGB"))[:, : width // 2].transpose(
                2, 0, 1
            )
            rows, columns = np.nonzero((red < 20) & (green > 200) & (blue < 20))
            agents.append((round(rows.min() / cell), round(columns.min() / cell)))
        assert np.diff(agents, axis=0).tolist() == [[0, -1], [-1, 0], [-1, 0], [-1, 0]]
