"""People as a row of a report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pushworld.bench.html_page import page_of
from pushworld.bench.report import rows_of_report
from pushworld.bench.scores import comparison
from pushworld.bench.store import Results
from pushworld.bench.tables import coverage, notes
from pushworld.datasets import read_human_solutions
from tests.bench.samples import sample, sample_folder
from tests.cli.running import run

RUNS = [
    sample("fast", "level1", "a", 0.5, length=6),
    sample("fast", "level2", "b", 2.0),
    sample("fast", "level2", "c", 10.0, status="time-limit"),
]


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return sample_folder(tmp_path / "results", RUNS)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Returns a folder with the plans of people, one of which solves nothing."""
    for name, plan in {"level1/a": "RRR", "level2/b": "LRRRR", "level2/c": "U"}.items():
        path = tmp_path / "people" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"plan: {plan}\n")
    return tmp_path / "people"


def test_people_are_compared_by_the_length_of_their_plans(results: Results, people: Path) -> None:
    rows = rows_of_report([results], read_human_solutions(people))
    assert coverage(rows).rows[-1] == ["human", "–", "1", "1", "2"]
    human = comparison(rows).records()[-1]
    assert human["solved by fast too"] == "2"
    assert human["time ratio"] == human["peak memory"] == human["cores used"] == "–"
    assert human["length ratio"] == "0.91 (0.50–1.67)"
    assert list(notes(rows))[-1].startswith("human:")
    assert len(rows_of_report([results])) == 1


def test_lengths_are_enough(results: Results, tmp_path: Path) -> None:
    table = tmp_path / "HUMAN.csv"
    table.write_text("puzzle,human_actions\nlevel1/a,3\nlevel2/c,9\n")
    rows = rows_of_report([results], read_human_solutions(table))
    assert coverage(rows).rows[-1] == ["human", "–", "1", "1", "2"]
    assert comparison(rows).records()[-1]["length ratio"] == "0.50"


def test_the_page_shows_and_plays_peoples_plans(
    results: Results, people: Path, tmp_path: Path
) -> None:
    browsing: Any = pytest.importorskip("tests.web.browser", reason="needs Playwright")
    if browsing.needs_browser.args[0]:
        pytest.skip(browsing.needs_browser.kwargs["reason"])
    from playwright.sync_api import expect

    rows = rows_of_report([results], read_human_solutions(people))
    file = tmp_path / "report.html"
    file.write_text(page_of([results], rows), encoding="utf-8")
    with browsing.report_in_browser(file) as page:
        expect(page.locator(".score .name")).to_have_text(["fast", "human"])
        expect(page.locator("#figure .label")).to_have_text(["fast  2"])
        expect(page.locator("#times tbody tr").nth(0).locator("td button").nth(1)).to_have_text(
            "3 moves"
        )
        page.get_by_role("button", name="human").click()
        expect(page.locator("#times tbody th").first).to_have_text("a")
        page.get_by_role("button", name="5 moves").click()
        expect(page.locator("#player-state")).to_have_text(re.compile(r"0 of 5 moves"))


def test_the_command_takes_plans_from_anywhere(
    results: Results, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHWORLD_DATA", str(tmp_path / "data"))
    reported = run("report", str(results.path), "--human", str(people), "--json")
    rows = json.loads(reported.out)["coverage"]
    assert [row["planner"] for row in rows] == ["fast", "fast", "human"]
    for arguments in ([], ["--human", "none"]):
        plain = run("report", str(results.path), *arguments, "--json")
        assert len(json.loads(plain.out)["coverage"]) == 2
    missing = run("report", str(results.path), "--human", str(tmp_path / "nothing"))
    assert missing.exit_code == 2
    assert "cannot be read" in missing.err
