"""Scores against figures that were computed by hand."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from pushworld.bench.report import report_tables, rows_of_report
from pushworld.bench.scores import agile_score, best_lengths, bootstrap_interval, satisficing_score
from pushworld.bench.store import Results
from pushworld.bench.tables import Table
from pushworld.statistics import Share
from tests.bench.samples import sample, sample_folder
from tests.cli.running import run

# The limit is 10 s. On c people have a plan of 4, and nobody else a plan of less than 5.
RUNS = [
    sample("fast", "level1", "a", 0.5, length=4),  # agile 1, satisficing 3/4
    sample("fast", "level1", "b", math.sqrt(10), length=3),  # agile 1/2, satisficing 1
    sample("fast", "level1", "c", 10.0, length=5),  # agile 0, satisficing 4/5
    sample("fast", "level1", "d", 10.0, status="time-limit"),
    sample("slow", "level1", "a", 1.0, length=3),  # agile 1, satisficing 1
    sample("slow", "level1", "b", 2.0, length=6),  # agile 1 - log 2, satisficing 1/2
    sample("slow", "level1", "c", 0.1, status="wrong-plan"),
]


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return sample_folder(tmp_path / "results", RUNS)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("puzzle,human_actions\nlevel1/c,4\nlevel1/a,9\n")
    return file


def figures(record: dict[str, str]) -> dict[str, float]:
    """Returns the figures of a row without their intervals."""
    return {
        name: float(cell.split()[0])
        for name, cell in record.items()
        if name not in ("planner", "solved") and cell != "–"
    }


def test_scores_by_hand(results: Results, people: Path) -> None:
    reported = run("report", str(results.path), "--human", str(people), "--json")
    records = json.loads(reported.out)["scores"]
    assert [record["solved"] for record in records] == ["3/4", "2/3", "2/2"]
    fast, slow, human = map(figures, records)
    assert fast == {
        "solved, %": 75,
        "agile": 1.5,
        "satisficing": pytest.approx(0.75 + 1 + 0.8, abs=0.06),
        "PAR-2, s": pytest.approx((0.5 + math.sqrt(10) + 10 + 20) / 4, abs=0.06),
    }
    assert slow == {
        "solved, %": 66.7,
        "agile": pytest.approx(2 - math.log10(2), abs=0.06),
        "satisficing": 1.5,
        "PAR-2, s": pytest.approx((1 + 2 + 20) / 3, abs=0.06),
    }
    assert human["satisficing"] == pytest.approx(1 + 3 / 9, abs=0.06)
    assert "agile" not in human
    assert "PAR-2, s" not in human


def test_the_best_known_plan_is_the_shortest_of_all(results: Results) -> None:
    best = best_lengths(rows_of_report([results]))
    assert {task.puzzle: length for task, length in best.items()} == {"a": 3, "b": 3, "c": 5}


def test_edges_of_scores() -> None:
    nothing = replace(sample("fast", "level1", "a", 0.0), plan="", length=0)
    assert satisficing_score(nothing, 0) == 1
    quick = sample("fast", "level1", "a", 0.5)
    assert agile_score(quick, 0.8) == agile_score(quick, 1) == 1
    late = sample("fast", "level1", "a", 10.01)  # a little late, but taken as solved
    assert agile_score(late, 10) == 0


def test_intervals() -> None:
    # Wilson's interval of 3 of 4: centre (3/4 + z²/8) / (1 + z²/4) = 0.6275, half width 0.3270.
    assert Share(3, 4).interval == pytest.approx((0.3006, 0.9544), abs=1e-4)
    assert bootstrap_interval([2.0] * 5) == (2, 2)
    # The mean of n draws of 0 or 1 has a binomial distribution; for n = 100 and p = 1/2 its
    # quantiles are 40 and 60.
    low, high = bootstrap_interval([0.0, 1.0] * 50)
    assert (low, high) == pytest.approx((0.4, 0.6), abs=0.011)
    assert bootstrap_interval([0.0, 1.0] * 50) == (low, high)


def test_tables_as_files(results: Results, people: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    outcome = run("report", str(results.path), "--human", str(people), "--tables", str(folder))
    names = {
        f"{table}{suffix}"
        for table in ("coverage", "scores", "comparison")
        for suffix in (".csv", ".tex", ".md")
    } | {"runs.csv"}
    assert {file.name for file in folder.iterdir()} == names
    assert str(folder / "scores.tex") in outcome.err
    rows = list(csv.reader(StringIO((folder / "scores.csv").read_text(encoding="utf-8"))))
    shown = report_tables(rows_of_report([results]))["scores"]
    assert rows[0] == list(shown.header)
    assert [row[0] for row in rows[1:]] == ["fast", "slow", "human"]
    (tmp_path / "file").touch()
    failed = run("report", str(results.path), "--tables", str(tmp_path / "file"))
    assert failed.exit_code == 2
    assert "cannot be written" in failed.err


def test_latex_escapes_what_it_must() -> None:
    table = Table(["planner", "a & b", "100 %"], [["x_1", "{3–4}", "–"], ["\\", "~", "#^$"]])
    assert table.latex().splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"planner & a \& b & 100 \% \\",
        r"\midrule",
        r"x\_1 & \{3--4\} & -- \\",
        r"\textbackslash{} & \textasciitilde{} & \#\textasciicircum{}\$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
