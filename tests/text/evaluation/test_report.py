"""Reports: scores come from the answers alone, and nothing in them does harm."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.bench.archives import unpacked
from pushworld.puzzle import PushWorldError
from pushworld.puzzle.pwp import puzzle_digest
from pushworld.statistics import Share
from pushworld.text import CANARY
from pushworld.text.evaluation import (
    contestants_of,
    find_evaluations,
    read_evaluation,
    run_baseline,
    write_report,
)
from pushworld.text.evaluation.journal import JOURNAL, TASKS
from pushworld.text.evaluation.outcomes import outcome_of, visible
from pushworld.text.evaluation.profile import by_difficulty
from pushworld.text.evaluation.report import shortened, tables_of
from pushworld.text.evaluation.summary import leaderboard, notes, summaries
from pushworld.web.trace_database import open_database
from tests.text.evaluation.evaluating import LIMIT, SET, ask, few_tasks, scripted, settings
from tests.text.evaluation.replies import Replies, completion
from tests.text.evaluation.server import serving

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with evaluations of three models and three baselines."""
    folder = tmp_path_factory.mktemp("report")
    with scripted() as (_, address):
        for model in ("good", "lazy", "aimless"):
            ask(folder / model, address, model)
    for name in ("random", "greedy", "default"):
        baseline = settings(name, kind="baseline", endpoint="")
        run_baseline(folder / name, baseline, time_limit=30)
    return folder


def test_a_report_reads_like_a_leaderboard(folder: Path) -> None:
    contestants = contestants_of(find_evaluations([folder]))
    labels = [each.label for each in contestants]
    assert set(labels[:3]) == {"good", "lazy", "aimless"}, "models come first"
    assert (labels[0], labels[3]) == ("good", "default"), "the best first"
    rows = {row[0]: row for row in leaderboard(contestants).rows}
    assert rows["good"][1:4] == ["100 % (61–100)", "100 %", "1.00"]
    assert rows["lazy"][1:6] == ["0 % (0–39)", "0 %", "–", "–", "0 % (0–39)"]
    assert rows["lazy"][6] == "100 % (61–100)", "every answer was illegal"
    assert rows["default"][6] == "–", "programs do not answer in words"
    assert len(by_difficulty(contestants).rows) == 6


def test_scores_are_those_of_the_answers(folder: Path) -> None:
    """The reference dynamics replay what the models and the baselines said."""
    for contestant in contestants_of(find_evaluations([folder]), prove=False):
        for outcome in contestant.outcomes.values():
            puzzle = outcome.task.puzzle
            states = list(puzzle.replay(outcome.steps))
            assert outcome.score.moves == len(outcome.steps)
            assert outcome.score.solved == puzzle.is_solved(states[-1])
            assert outcome.score.goals_achieved == puzzle.achieved_goals(states[-1])
            if contestant.label in ("random", "greedy"):
                assert not any(map(puzzle.is_solved, states[:-1])), "a walk ends when it is there"


def test_without_proofs_nothing_is_said_about_dead_ends(folder: Path) -> None:
    table = leaderboard(contestants_of(find_evaluations([folder / "aimless"]), prove=False))
    assert table.records()[0]["unsolvable"] == "–"


def test_what_a_submission_claims_is_checked(folder: Path, tmp_path: Path) -> None:
    copytree(folder / "lazy", tmp_path / "a")
    assert contestants_of(find_evaluations([tmp_path / "a"]))[0].verified
    path = tmp_path / "a" / TASKS
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[1]["best_known"] = 500
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (claimed,) = contestants_of(find_evaluations([tmp_path / "a"]))
    assert claimed.verified is False
    assert any(
        line.startswith("Not verified: tasks or prompts of lazy differ")
        for line in notes([claimed])
    )


def test_the_first_entries_hold() -> None:
    """They are about the frozen set as it is now, with its prompts."""
    with unpacked([ROOT / "benchmarks" / "results" / "language-models.zip"]) as folders:
        entries = contestants_of(find_evaluations(folders), prove=False)
    assert all(each.verified for each in entries)
    assert entries[0].label == "default"


def test_a_submission_cannot_keep_others_busy(folder: Path, tmp_path: Path) -> None:
    copytree(folder / "lazy", tmp_path / "a")
    path = tmp_path / "a" / JOURNAL
    text = path.read_text().replace(f'"sources": ["{SET}"]', '"sources": ["generated:8"]', 1)
    path.write_text(text.replace('"limit": 6', '"limit": 1000000000', 1))
    (claimed,) = contestants_of(find_evaluations([tmp_path / "a"]))
    assert claimed.verified is False


def test_tasks_left_out_count_as_not_solved(folder: Path, tmp_path: Path) -> None:
    copytree(folder / "good", tmp_path / "a")
    path = tmp_path / "a" / JOURNAL
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-2]))
    contestants = contestants_of(find_evaluations([tmp_path / "a"]))
    (overall,) = [each for each in summaries(contestants) if each["difficulty"] == "all"]
    assert (overall["solved"], overall["solved_of"], overall["answered"]) == (4, LIMIT, 4)
    assert any(
        line.startswith("Not finished: good has no complete answer to 2")
        for line in notes(contestants)
    )


def test_files_for_other_programs(folder: Path, tmp_path: Path) -> None:
    contestants = contestants_of(find_evaluations([folder / "good", folder / "aimless"]))
    page, summary, rows = write_report(contestants, tmp_path / "report")
    for published in (page, folder / "good" / TASKS, folder / "good" / JOURNAL):
        assert CANARY in published.read_text()
    figures = json.loads(summary.read_text())["figures"]
    assert next(each["solved"] for each in figures if each["difficulty"] == "all") == LIMIT
    with rows.open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 2 * LIMIT
    for row in table[:LIMIT]:
        assert (row["contestant"], row["solved"], row["status"]) == ("good", "True", "solved")


def test_names_of_strangers_stay_data(tmp_path: Path) -> None:
    hostile = '=HYPERLINK("x")\x1b[31m\u202e<b>'
    with scripted() as (_, address):
        ask(tmp_path / "a", address, name=hostile)
    contestants = contestants_of(find_evaluations([tmp_path]))
    assert contestants[0].label == '=HYPERLINK("x")⟨U+001B⟩[31m⟨U+202E⟩<b>'
    page, _, rows = write_report(contestants, tmp_path / "report")
    text = page.read_text()
    assert "<b>" not in text.replace("\\u003c", "")
    assert "\x1b" not in text
    assert "\u202e" not in text
    with rows.open(newline="") as file:
        assert {row["contestant"][:2] for row in csv.DictReader(file)} == {"'="}


def test_moves_taken_back_are_steps_back(tmp_path: Path) -> None:
    replies = [completion("<plan>LR</plan>"), completion("<undo>1</undo>"), completion("hm")]
    with serving(Replies([], replies=replies)) as address:
        ask(tmp_path / "a", address, limit=1, mode="interactive", undo=True)
    (evaluation,) = find_evaluations([tmp_path])
    outcome = outcome_of(evaluation, next(iter(evaluation.tasks)))
    assert outcome.steps == "LRr"
    assert [(each.first, each.last) for each in outcome.exchanges[:3]] == [(0, 2), (2, 3), (3, 3)]
    assert outcome.score.moves == 2


@given(st.integers(0, 400), st.integers(1, 400))
def test_intervals_are_those_of_wilson(count: int, trials: int) -> None:
    """Their ends are where the normal test statistic of the share equals the quantile."""
    count = min(count, trials)
    share = Share(count, trials)
    low, high = share.interval
    assert 0 <= low <= count / trials <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            distance = abs(count / trials - end) / sqrt(end * (1 - end) / trials)
            assert distance == pytest.approx(1.959963984540054, abs=1e-6)


def test_known_interval() -> None:
    assert str(Share(0, 0)) == "–"
    assert Share(8, 10).interval == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_what_is_shown_has_no_control_characters() -> None:
    shown = visible("".join(map(chr, range(0x3000))))
    assert all(letter in "\t\n" or letter >= "\xa0" or letter.isprintable() for letter in shown)
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200f\u2028")
    assert visible("Füße → ✓\n") == "Füße → ✓\n"


def test_long_texts_are_shortened() -> None:
    text = "a" * 1000 + "z" * 1000
    assert shortened(text, 2000) == text
    short = shortened(text, 300)
    assert short.startswith("a" * 200 + "\n[… 1,700 characters")
    assert short.endswith("z" * 100)


def people_csv(path: Path, rows: list[tuple[str, str]]) -> Path:
    lines = ["puzzle,plan", *(f"{name},{plan}" for name, plan in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_people_are_a_baseline(tmp_path: Path) -> None:
    first, second = few_tasks()[:2]
    assert first.plan is not None
    rows = [(first.name, first.plan + "LR"), (first.name, first.plan), (second.name, "LLLL")]
    file = people_csv(tmp_path / "people.csv", rows)
    found = run_baseline(
        tmp_path / "people", settings("people", kind="baseline", endpoint=""), people=file
    )
    outcomes = [outcome_of(found, digest, prove=False) for digest in found.tasks]
    assert [each.status for each in outcomes] == ["solved", *["no answer"] * (LIMIT - 1)]
    assert outcomes[0].score.moves == first.best_known, "the shortest counts"


def test_games_of_people_are_a_row_of_the_table(tmp_path: Path) -> None:
    """One participant solves the first puzzle and leaves the second, another one leaves the first."""
    file = tmp_path / "study.db"
    with open_database(file) as database:
        for session, solved in (("s", (True, False)), ("t", (False,))):
            for task, is_solved in zip(few_tasks(), solved, strict=False):
                text = task.puzzle.to_pwp()
                digest = puzzle_digest(text)
                moves = enumerate(task.plan or "", 1) if is_solved else ()
                events = [("start", None, 0), *(("move", each, step) for step, each in moves)]
                events += [("solved", None, len(task.plan or ""))] * is_solved
                database.execute(
                    "INSERT OR IGNORE INTO puzzles (digest, puzzle, pwp) VALUES (?, 'x', ?)",
                    (digest, text),
                )
                database.executemany(
                    "INSERT INTO events (session, sequence, puzzle, digest, time_ms, kind, action, "
                    "step, received_ms) VALUES (?, (SELECT count(*) FROM events), 'x', ?, 0, ?, ?, ?, 0)",
                    [(session, digest, *event) for event in events],
                )
    database.close()
    found = run_baseline(
        tmp_path / "people", settings("people", kind="baseline", endpoint=""), people=file
    )
    assert read_evaluation(tmp_path / "people").turns == found.turns
    rows = tables_of(contestants_of([found], prove=False))["Plans"].rows
    assert [row[:2] for row in rows] == [["people", f"1 of 3: {Share(1, 3)}"]]


def test_a_model_that_claims_games_of_people_is_scored_by_its_answers(tmp_path: Path) -> None:
    (task, *_) = few_tasks()
    found = run_baseline(tmp_path / "blind", settings("blind"))
    found.turns[task.key][0] = replace(found.turns[task.key][0], games=(99, 99))
    (row,) = tables_of(contestants_of([found], prove=False))["Plans"].rows
    assert row[1] == str(Share(0, LIMIT))


def test_unknown_baselines(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"kind": "baseline", "endpoint": ""}
    with pytest.raises(PushWorldError, match="oracle"):
        run_baseline(tmp_path / "a", settings("oracle", **changes))
    with pytest.raises(PushWorldError, match="--people"):
        run_baseline(tmp_path / "a", settings("people", **changes))
