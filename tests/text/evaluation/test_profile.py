"""The profile finds the weakness that was planted in a scripted model."""

from __future__ import annotations

from pathlib import Path

import pytest

from pushworld.text import KINDS, asked, tasks
from pushworld.text.evaluation import Endpoint, contestants_of, evaluate, find_evaluations
from pushworld.text.evaluation.baselines import MEMORY
from pushworld.text.evaluation.profile import Profile, by_set, profile_table
from pushworld.text.evaluation.report import tables_of, write_report
from pushworld.text.evaluation_set import NAME
from tests.text.evaluation.evaluating import settings
from tests.text.evaluation.server import ScriptedServer, serving

SOURCES, LIMIT = ("stream:1", "stream:3"), 7
PLANTED = {
    "good": "–",
    "blind": "see",
    "forgetful": f"simulate: loses track after {MEMORY} moves",
    "optimist": "judge: takes dead ends for solvable",
    "greedy": "plan",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the answers of the models to all questions."""
    folder = tmp_path_factory.mktemp("profile")
    known = [task for source in SOURCES for task in tasks(source, limit=LIMIT, seed="0")]
    with serving(ScriptedServer(known)) as address:
        for model in PLANTED:
            about = settings(model, sources=SOURCES, limit=LIMIT, asks=KINDS)
            evaluate(folder / model, about, Endpoint(address, model))
    return folder


@pytest.mark.parametrize("model", PLANTED)
def test_planted_weaknesses_are_found(model: str, folder: Path) -> None:
    (found,) = contestants_of(find_evaluations([folder / model]), prove=False)
    profile = Profile.of(found.outcomes.values())
    assert profile.weakness.startswith(PLANTED[model])
    assert list(profile.shares) == list(KINDS)
    if model == "optimist":
        assert (profile.dead.count, profile.alive.value) == (0, 1.0)


def test_a_report_shows_what_each_model_loses(folder: Path, tmp_path: Path) -> None:
    contestants = contestants_of(find_evaluations([folder]), prove=False)
    rows = {row[0]: row for row in profile_table(contestants).rows}
    assert {name: row[-1].split(":")[0] for name, row in rows.items()} == {
        name: told.split(":")[0] for name, told in PLANTED.items()
    }
    assert list(tables_of(contestants)) == [
        "Profile",
        "Plans",
        "Right answers by difficulty step",
        "Runs in pairs",
        "Costs",
    ]
    page, _, rows_file = write_report(contestants, tmp_path / "report")
    assert "takes dead ends for solvable" in page.read_text()
    assert len(rows_file.read_text().splitlines()) == 1 + sum(
        len(each.outcomes) for each in contestants
    )


def test_only_what_can_be_proved_is_asked(folder: Path) -> None:
    (found,) = find_evaluations([folder / "good"])
    judged = [task for task in found.tasks.values() if task.kind == "judge"]
    assert 0 < len(judged) < 2 * LIMIT
    assert all(asked(task, "judge") == task for task in judged)


def test_twins_tell_memory_from_planning(tmp_path: Path) -> None:
    known = list(tasks("twins", limit=8, seed="0"))
    with serving(ScriptedServer(known)) as address:
        for model in ("good", "rote"):
            about = settings(model, sources=("twins",), limit=8)
            evaluate(tmp_path / model, about, Endpoint(address, model))
    table = by_set(contestants_of(find_evaluations([tmp_path]), prove=False))
    assert table.header == ["contestant", f"{NAME} (4)", "twins (4)"]
    assert table.rows == [
        ["good", "100 % (51–100)", "100 % (51–100)"],
        ["rote", "100 % (51–100)", "0 % (0–49)"],
    ]
