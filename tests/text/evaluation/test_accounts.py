"""The accounts: prices, samples, answers that are none, and runs compared in pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pushworld.puzzle import PushWorldError
from pushworld.text.evaluation import Endpoint, contestants_of, evaluate, find_evaluations
from pushworld.text.evaluation.accounts import Prices, costs, pairs, samples
from pushworld.text.evaluation.report import tables_of, write_report
from tests.cli.running import run
from tests.text.evaluation.evaluating import LIMIT, ask, few_tasks, scripted, settings
from tests.text.evaluation.replies import Replies, completion
from tests.text.evaluation.server import serving

TABLE = 'date = 2026-01-31\n[models."m"]\ninput = 2\noutput = 10\n'


def test_dollars_are_tokens_by_the_users_prices(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 300_000}
    server = Replies([], replies=[completion(f"<plan>{few_tasks()[0].plan}</plan>", usage=usage)])
    with serving(server) as address:
        evaluate(tmp_path / "m", settings("m", limit=1), Endpoint(address, "m"))
        evaluate(tmp_path / "free", settings("free", limit=1), Endpoint(address, "free"))
    (tmp_path / "prices.toml").write_text(TABLE)
    told = run(
        "llm", "report", str(tmp_path), "--prices", str(tmp_path / "prices.toml"), columns=200
    )
    assert told.exit_code == 0
    assert "Dollars by prices.toml of 2026-01-31" in told.out
    contestants = contestants_of(find_evaluations([tmp_path / "m", tmp_path / "free"]))
    table = costs(contestants, Prices.load(tmp_path / "prices.toml"))
    rows = {row["contestant"]: row for row in table.records()}
    assert (rows["m"]["dollars"], rows["m"]["tokens a task"]) == ("5.00", "1,300,000")
    assert rows["free"]["dollars"] == "–"


@pytest.mark.parametrize(
    "text", ["", "date = 1", '[models."m"]\ninput = "x"', "models = 3\ndate = 1"]
)
def test_tables_of_prices_that_are_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(text)
    with pytest.raises(PushWorldError, match="no table of prices"):
        Prices.load(tmp_path / "prices.toml")


def test_cut_off_and_refused_answers_are_counted_apart(tmp_path: Path) -> None:
    def ended(finish: str, **message: str) -> tuple[int, bytes, dict[str, str]]:
        choice = {"message": {"content": "I would", **message}, "finish_reason": finish}
        return 200, json.dumps({"choices": [choice]}).encode(), {}

    replies = [ended("length"), ended("content_filter"), ended("stop", refusal="no"), ended("stop")]
    with serving(Replies([], replies=replies)) as address:
        evaluate(tmp_path / "m", settings("m", limit=4), Endpoint(address, "m", concurrency=1))
    (found,) = contestants_of(find_evaluations([tmp_path / "m"]))
    counted = sorted(each.status for each in found.outcomes.values())
    assert counted == ["cut off", "illegal", "refused", "refused"]
    (row,) = costs([found], None).records()
    assert row["refused"].startswith("50 %")


def test_samples_have_a_mean_and_a_best(tmp_path: Path) -> None:
    """The model gets the second of three samples right."""
    right = completion(f"<plan>{few_tasks()[0].plan}</plan>")
    with serving(Replies([], replies=[completion("hm"), right, completion("hm")])) as address:
        about = settings("m", limit=1, samples=3)
        evaluate(tmp_path / "m", about, Endpoint(address, "m", concurrency=1))
        again = evaluate(tmp_path / "m", about, Endpoint(address, "m", concurrency=1))
    assert again.unanswered == 0
    contestants = contestants_of(find_evaluations([tmp_path / "m"]))
    (row,) = samples(contestants).rows
    assert row[1:] == ["3", "33 % (0–100)", "100 % (21–100)"]
    assert tables_of(contestants)["Plans"].rows[0][1] == "0 % (0–79)", "of the first sample"


def test_two_runs_are_compared_task_by_task(tmp_path: Path) -> None:
    with scripted() as (_, address):
        for model in ("good", "bad", "lazy"):
            ask(tmp_path / model, address, model)
    contestants = contestants_of(find_evaluations([tmp_path]), prove=False)
    rows = {row[0]: row[1:] for row in pairs(contestants).rows}
    assert rows["good and lazy"][:3] == [str(LIMIT), str(LIMIT), "0"]
    assert rows["good and lazy"][3].startswith("+100 % (+")
    solved = sum(each.score.solved for each in contestants[1].outcomes.values())
    assert rows["bad and lazy"][1:3] == [str(solved), "0"]
    page = write_report(contestants, tmp_path / "report")[0]
    assert "good and lazy" in page.read_text()
