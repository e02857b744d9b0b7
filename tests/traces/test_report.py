"""The report: figures against hand-made games, and the page in a real browser where there is one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pushworld.puzzle import Puzzle
from pushworld.statistics import median_interval, spearman
from pushworld.traces.figures import PuzzleFigures, correlations
from pushworld.traces.measures import EFFORTS
from pushworld.traces.report import TraceReport, make_report
from tests.bench.samples import sample, sample_folder
from tests.cli.running import run
from tests.traces.recordings import Script, add_participant, add_study, write_recording

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = (
    "</script><!--data--><img src=x onerror=\"document.title='broken'\">' onload='1' [/x] $& \u202ea\u202c"
    + "W" * 150
)
"""Ends what it stands in: a script, a template, an attribute, markup of the terminal, the window."""

TRAP = Puzzle.parse("A . M1 G1 .\n. W . . .", name=HOSTILE)
CORRIDOR = Puzzle.parse("A . M1 . G1", name="corridor")
BOTH = EFFORTS["quick"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a database with the games of eight participants."""
    path = tmp_path_factory.mktemp("study") / "study.db"
    scripts = []
    for number in range(8):
        script = Script(f"{number:032x}", CORRIDOR, trial=0, visit=1, now=number).play()
        script.moves("RRR", 1 + number).add("solved")
        script.trial = 1
        script.play(TRAP)
        if number < 5:
            script.moves("LURuxRR", 2).add("solved")
        elif number < 7:
            script.moves("RRRL", 2).add("give-up")
        else:
            script.add("solution", shown="solution").moves("RR", actor="machine")
            script.add("solved", actor="machine")
        scripts.append(script)
    write_recording(path, scripts)
    add_study(path)
    for number, script in enumerate(scripts):
        group = "<b>odd[/x]" if number % 2 else "even"
        answers = [
            (0, "hard", "2"),
            (1, "hard", str(number)),
            (0, "why", "<i>"),
            (None, "age", "9"),
        ]
        add_participant(
            path, script, f"{HOSTILE}{number}", [CORRIDOR, TRAP], answers, condition=group
        )
    return path


@pytest.fixture(scope="module")
def report(study: Path) -> TraceReport:
    return make_report(study, effort=BOTH, seconds=1)


def by_name(report: TraceReport, name: str) -> PuzzleFigures:
    return next(each for each in report.figures if each.puzzle.name == name)


def test_solve_rates_and_times(report: TraceReport) -> None:
    corridor, trap = by_name(report, "corridor"), by_name(report, HOSTILE)
    assert (corridor.share.count, corridor.share.trials) == (8, 8)
    assert corridor.times == [3.0 * (1 + number) for number in range(8)]
    assert corridor.detour == 1
    assert (trap.share.count, trap.share.trials) == (5, 8), (
        "the machine's solution is not a person's"
    )
    assert trap.median_time == 14, "those who did not solve it took longer"
    assert [each.lost for each in trap.attempts] == [False] * 5 + [True] * 2 + [False]
    assert [each.outcome for each in trap.attempts][-3:] == ["gave-up", "gave-up", "machine"]
    assert (trap.best, trap.shortest) == (2, True)
    assert trap.planners["default"].length == 2
    row = {record["puzzle"]: record for record in report.as_dict()["puzzles"]}[HOSTILE]
    assert row["solved (95 %)"] == str(trap.share)
    assert (row["in a dead end"], row["gave up"], row["asked for help"]) == ("2", "2", "1")


def test_groups_are_compared(report: TraceReport) -> None:
    rows = {record["puzzle"]: record for record in report.as_dict()["conditions"]}
    assert rows[HOSTILE]["even: solved"].startswith("75 %")
    assert rows[HOSTILE]["<b>odd[/x]: solved"].startswith("50 %")
    assert "<b>odd" not in report.page
    assert "&lt;b&gt;odd" in report.page


def test_planners_of_a_benchmark(study: Path, tmp_path: Path) -> None:
    results = sample_folder(tmp_path / "results", [sample("fast", "level1", "any", 0.5, length=9)])
    found = make_report(study, results=[results.path])
    assert {name: str(each) for name, each in by_name(found, "corridor").planners.items()} == {
        "fast": "0.5 s, 9 moves"
    }
    assert not by_name(found, HOSTILE).planners


def test_rank_correlation() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 25, math.inf]).rho == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]).rho == pytest.approx(-1)
    # Ties at their mean rank: ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4.
    assert spearman([1, 2, 2, 4], [0, 5, 3, 9]).rho == pytest.approx(0.9486833)
    assert spearman([1, 1, 1], [1, 2, 3]).rho is None
    assert spearman([1], [2]).rho is None
    few = spearman([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 6, 5, 8, 7])
    assert few.rho == pytest.approx(0.9047619)
    assert few.interval is not None
    low, high = few.interval
    assert -1 < low < 0.9047619 < high < 1


def test_intervals_of_medians() -> None:
    assert median_interval([1, 2, 3, 4, 5]) is None
    assert median_interval([6, 5, 4, 3, 2, 1]) == (1, 6)
    # Tables of the sign test: ranks 2 and 9 of ten values cover 97.9 %, ranks 6 and 15 of twenty 95.9 %.
    assert median_interval(range(1, 11)) == (2, 9)
    assert median_interval(range(1, 21)) == (6, 15)


def test_the_score_is_compared_with_what_is_hard_for_people(report: TraceReport) -> None:
    corridor, trap = by_name(report, "corridor"), by_name(report, HOSTILE)
    assert report.ratings == {"hard": {corridor.digest: 2.0, trap.digest: 3.5}}
    found = correlations(report.figures, report.ratings)
    assert list(found)[:3] == ["share not solved", "median time", "moves to best moves"]
    assert list(found)[3:] == ["mean answer: hard"]
    trap_is_graded_harder = (trap.score or 0) > (corridor.score or 0)
    assert found["mean answer: hard"].rho == pytest.approx(1 if trap_is_graded_harder else -1)
    assert {each.pairs for each in found.values()} == {2}


def test_nothing_about_a_person_is_in_the_page(report: TraceReport) -> None:
    assert "onerror" in report.page, "the name of a puzzle is"
    for number in range(8):
        assert f"{HOSTILE}{number}" not in report.page
        assert f"{number:032x}" not in report.page


def test_games_outside_of_studies(tmp_path: Path) -> None:
    twice = Script("s", CORRIDOR).play().moves("RR").add("leave").wait(9)
    twice.play().moves("RRR").add("solved").play().moves("R")
    looked = Script("t", CORRIDOR).play().add("leave")
    path = write_recording(tmp_path / "traces.db", [twice, looked])
    found = make_report(path, seconds=0)
    (corridor,) = found.figures
    (attempt,) = corridor.attempts
    assert (attempt.solved, attempt.moves, attempt.active_s) == (True, 5, 5)
    assert any("outside a study" in note for note in found.notes)


def test_the_command(study: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    made = run("traces", "report", str(study), "-o", str(page), "--json", "--planner-seconds", "1")
    assert json.loads(made.out)["page"] == str(page)
    assert page.is_file()
    shown = run("traces", "report", str(study), "-o", str(page), columns=60)
    assert "Spearman" in shown.out
    assert run("study", "status", str(study)).exit_code == 0
    empty = write_recording(tmp_path / "empty.db", [])
    nobody = run("traces", "report", str(empty), "-o", str(page))
    assert nobody.exit_code == 2
    assert "nobody" in nobody.err


@pytest.fixture(scope="module")
def page(report: TraceReport, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Returns the page in a browser; it must request nothing else and report no errors."""
    browsing: Any = pytest.importorskip("tests.web.browser", reason="needs Playwright")
    if browsing.needs_browser.args[0]:
        pytest.skip(browsing.needs_browser.kwargs["reason"])
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(report.page, "utf-8")
    with browsing.report_in_browser(file) as opened:
        yield opened


def test_the_page_shows_figures_and_no_code(page: Page) -> None:
    from playwright.sync_api import expect

    expect(page).to_have_title("PushWorld: recorded games")
    expect(page.get_by_role("heading", level=1)).to_have_text("A <study>")
    expect(page.locator("#games tbody th").filter(has_text="onerror")).to_have_text(HOSTILE)
    assert page.locator("img, [onerror], [onload], body > script ~ script ~ script").count() == 0
    expect(page.locator("#figure .dot")).to_have_count(2)
    expect(page.locator("#figure .time")).to_have_count(8 + 5)
    expect(page.locator("#scatter .point")).to_have_count(2)


def test_a_game_is_replayed_move_by_move(page: Page) -> None:
    from playwright.sync_api import expect

    row = page.locator("#games tbody tr").filter(has_text="onerror")
    row.get_by_role("button").nth(0).click()
    rows = page.locator("#log tbody tr")
    expect(rows).to_have_count(7)
    expect(rows.nth(3).locator("td").nth(1)).to_have_text("undo")
    expect(page.locator("#verdict")).to_contain_text("Solved after 14 s")
    rows.nth(5).click()
    expect(page.locator("#log .now td").first).to_have_text("6")
    page.locator("#player-forward").click()
    expect(page.locator("#log .now td").last).to_have_text("0")
    page.locator("#player-planner").select_option(label="P6 (4)")
    expect(rows.nth(2).locator(".lost")).to_have_text("cannot be solved")
    page.locator("#player-close").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anyone(page: Page, scheme: Literal["light", "dark"]) -> None:
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe.Axe().run(page).response["violations"] == []
