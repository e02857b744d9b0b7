"""The laboratory notices faults, keeps what it found, and goes on where it stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from pushworld.puzzle import Puzzle
from tests.laboratory.steps import (
    Walks,
    compare_page,
    compare_reference,
    compare_vector,
    engine_walks,
)
from tests.laboratory.table import BEGIN, END, write_table
from tests.laboratory.trials import Options, Outcome, read_rows, run


def planted(output: Path, count: int = 5) -> Options:
    return Options("tests.faults.planted", count, 1, 2, None, 5.0, output)


def test_wrong_answers_crashes_and_hangs_are_found(tmp_path: Path) -> None:
    rows = run(planted(tmp_path / "rows.jsonl"))
    found = {row["first"]: row["findings"] for row in rows}
    assert found[0] == found[4] == []
    assert "a wrong answer" in found[1][0]
    assert "ended with code -11" in found[2][0]
    assert "no end after" in found[3][0]


def test_a_stopped_run_goes_on_after_its_last_whole_row(tmp_path: Path) -> None:
    options = planted(tmp_path / "rows.jsonl", count=2)
    assert [row["first"] for row in sorted(run(options), key=lambda row: row["first"])] == [0, 1]
    with options.output.open("a") as file:
        file.write('{"name": "torn')
    assert run(options) == read_rows(options)
    assert len(read_rows(options)) == 2
    assert read_rows(replace(options, seed=2)) == []


def test_the_table_has_the_sums(tmp_path: Path) -> None:
    machine = {"processor": "P", "cores": "2", "system": "S", "python": "3", "date": "2026-01-02"}
    row = {"name": "files", "seed": 1, "trials": 10, "counts": {"refused": 7}, "found": 1}
    row |= {"findings": ["x"], "peaks": {"MB": 3}, "machine": machine}
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n")
    document = tmp_path / "document.md"
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_table([tmp_path / "rows.jsonl"], document)
    text = document.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| 20 | 14 refused | 3 MB | 1 | 2 | P, 2 cores, S, Python 3, 2026-01-02 |" in text


@pytest.fixture(scope="module")
def walks() -> Walks:
    puzzles = [Puzzle.parse("A M1 . G1\n. . . .", name="0"), Puzzle.parse("A . M2\nAW . G2", "1")]
    return engine_walks(puzzles, 4, Random(1))


def test_one_wrong_position_or_reward_is_found(walks: Walks) -> None:
    fine = Outcome()
    compare_vector(walks, fine)
    compare_reference(walks.first(1), fine)
    assert fine.findings == []

    moved = [trace.copy() for trace in walks.states]
    moved[1][5, 0, 0, 0] += 1
    rewards = np.array(walks.rewards)
    rewards[3, 2] += 1
    for wrong, what in (
        (replace(walks, states=moved), "positions"),
        (replace(walks, rewards=rewards), "reward"),
    ):
        outcome = Outcome()
        compare_vector(wrong, outcome)
        assert len(outcome.findings) == 1
        assert f"vector environment and engine differ ({what})" in outcome.findings[0]
    outcome = Outcome()
    compare_reference(replace(walks, states=moved).first(1), outcome)
    assert len(outcome.findings) == 1


def test_one_wrong_position_of_the_page_is_found(walks: Walks) -> None:
    from tests.laboratory.page import open_page

    page = open_page()
    if page is None:
        pytest.skip("needs Node.js")
    outcome = Outcome()
    compare_page(walks.first(1), page, outcome)
    assert outcome.findings == []
    moved = [trace.copy() for trace in walks.states]
    moved[0][5, 0, 0, 0] += 1
    compare_page(replace(walks, states=moved).first(1), page, outcome)
    assert len(outcome.findings) == 1
