"""Tables, files and the figure about runs whose numbers are known."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from rich.console import Console

from pushworld.bench.report import print_tables, runs_table, write_report
from pushworld.bench.scores import comparison
from pushworld.bench.store import Results
from pushworld.bench.tables import Table, coverage, notes, runs_by_planner
from pushworld.puzzle import PushWorldError
from tests.bench.samples import SAMPLE_SETTINGS, sample, sample_folder

RUNS = [
    sample("slow", "level1", "a", 2.0, length=6),
    sample("fast", "level1", "a", 0.5),
    sample("fast", "level10", "b", 2.0),
    sample("fast", "level2", "c", 5.0, status="crashed"),
    sample("slow", "level10", "b", 8.0),
]


@pytest.fixture
def results(tmp_path: Path) -> Results:
    made = sample_folder(tmp_path / "results", RUNS)
    return replace(made, planners={"fast": "1", "slow": "1"})


def test_coverage_counts_by_level_and_time(results: Results) -> None:
    assert coverage(runs_by_planner([results])).markdown().splitlines() == [
        "| planner | within | level1 (1) | level2 (1) | level10 (1) | all (3) |",
        "| --- | --: | --: | --: | --: | --: |",
        "| fast | 1 s | 1 | 0 | 0 | 1 |",
        "| fast | 10 s | 1 | 0 | 1 | 2 |",
        "| slow | 1 s | 0 | – | 0 | 0 |",
        "| slow | 10 s | 1 | – | 1 | 2 |",
    ]


def test_comparison_is_with_the_first_planner(results: Results) -> None:
    fast, slow = comparison(runs_by_planner([results])).records()
    assert fast == {
        "planner": "fast",
        "cores used": "0.2",
        "solved by fast too": "2",
        "time ratio": "1.00",
        "length ratio": "1.00",
        "states a second": "1,000,000",
        "peak memory": "0.05 GB",
        "not solved": "1 crashed",
    }
    assert (slow["time ratio"], slow["not solved"]) == ("4.00", "–")
    assert slow["length ratio"] == "1.41 (1.00–2.00)"


def test_notes_tell_what_is_missing_and_where_it_was_measured(results: Results) -> None:
    shown = "\n".join(notes(runs_by_planner([results])))
    assert "slow was run on 2 of the 3 puzzles" in shown
    assert "10 s, 8 GB and 1 thread a run, 2 at a time" in shown
    assert "Abacus, 2 cores" in shown
    assert "2026-01-01" in shown


def test_a_planner_that_calls_a_solved_puzzle_unsolvable_is_noted(tmp_path: Path) -> None:
    runs = [sample("fast", "level1", "a", 1), sample("slow", "level1", "a", 1, "unsolvable")]
    shown = list(notes(runs_by_planner([sample_folder(tmp_path / "results", runs)])))
    assert "Wrong: slow calls a unsolvable, and fast solves it." in shown


def test_the_same_planner_of_two_folders_has_two_labels(tmp_path: Path) -> None:
    before = sample_folder(tmp_path / "before", [sample("fast", "level1", "a", 2)])
    after = sample_folder(
        tmp_path / "after",
        [sample("fast", "level1", "a", 1)],
        replace(SAMPLE_SETTINGS, time_limit=60),
    )
    planners = runs_by_planner([before, after])
    assert [planner.label for planner in planners] == ["fast (before)", "fast (after)"]
    assert [row[1] for row in coverage(planners).rows] == ["1 s", "10 s", "1 s", "10 s", "60 s"]
    assert comparison(planners).records()[1]["time ratio"] == "0.50"


def test_folders_of_one_name_have_two_labels_and_the_same_folder_counts_once(
    tmp_path: Path,
) -> None:
    folders = [
        sample_folder(tmp_path / week / "results", [sample("fast", "level1", "a", seconds)])
        for week, seconds in (("monday", 2), ("friday", 1))
    ]
    planners = runs_by_planner([*folders, folders[0]])
    assert [planner.label for planner in planners] == [f"fast ({each.path})" for each in folders]
    assert comparison(planners).records()[1]["time ratio"] == "0.50"
    assert [planner.label for planner in runs_by_planner([folders[0]] * 2)] == ["fast"]


def test_runs_that_took_no_time_have_ratios(tmp_path: Path) -> None:
    runs = [sample("fast", "level1", "a", 0.0), sample("slow", "level1", "a", 1e-3)]
    made = sample_folder(tmp_path / "results", runs)
    assert comparison(runs_by_planner([made])).records()[1]["time ratio"] == "1000.00"


def test_names_in_brackets_are_shown(tmp_path: Path) -> None:
    made = sample_folder(tmp_path / "results", [sample("fast[v2]", "set[a]", "a", 1)])
    console = Console(file=StringIO(), width=200)
    print_tables([made], console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("fast[v2]") == 5
    assert "set[a] (1)" in shown


def test_bars_in_names_do_not_break_a_markdown_table(tmp_path: Path) -> None:
    made = sample_folder(tmp_path / "results", [sample("fast", "a|b", "a", 1)])
    assert r"a\|b (1)" in coverage(runs_by_planner([made])).markdown()


def test_figures_are_not_broken_where_headers_have_to_be() -> None:
    header = ("planner", *["a long heading"] * 6, "states a second", "not solved")
    figures = ("some-planner", *["1,234"] * 6, "1,280,992", "3 time-limit, 1 memory-limit")
    console = Console(file=StringIO(), width=80)
    console.print(Table(header, [figures]).rich())
    assert isinstance(console.file, StringIO)
    assert "1,280,992" in console.file.getvalue()


def test_without_runs_there_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(PushWorldError, match="no runs to report on"):
        write_report([sample_folder(tmp_path / "results", [])], tmp_path)


def test_figures_are_pictures_with_a_label_for_each_planner(
    results: Results, tmp_path: Path
) -> None:
    written = write_report([results], tmp_path / "report")
    vector, pixels = written.figures
    with Image.open(pixels) as picture:
        assert picture.format == "PNG"
        assert len(set(picture.convert("L").resize((90, 55)).tobytes())) > 10
    texts = {text.strip() for text in ElementTree.parse(vector).getroot().itertext()}
    assert {"fast  2", "slow  2", "all 3 puzzles", "planning time (seconds)"} <= texts
    before = vector.read_bytes()
    write_report([results], tmp_path / "report")
    assert vector.read_bytes() == before


def test_the_table_of_runs_holds_every_run(results: Results) -> None:
    lines = list(csv.DictReader(StringIO(runs_table([results]).csv())))
    for line, run in zip(lines, RUNS, strict=True):
        known = {name: "" if value is None else str(value) for name, value in vars(run).items()}
        assert known.items() <= line.items()
        assert (float(line["time_limit"]), line["folder"]) == (10, str(results.path))
