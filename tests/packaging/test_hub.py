"""Folders for data and model hubs: every row is a puzzle with its plan, and cards and metadata fit the files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import minari
import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle
from pushworld.rl.agents import SHIPPED
from pushworld.text import Task, score_plan
from tools import hub


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    assert len([*hub.write(folder, level0=10)]) == len(hub.ABOUT) + len([*SHIPPED.glob("*.zip")])
    return folder


@pytest.mark.parametrize("name", hub.ABOUT)
def test_a_set(folder: Path, name: str) -> None:
    target = folder / "datasets" / f"pushworld-{name}"
    rows = [json.loads(line) for line in (target / "puzzles.jsonl").read_text().splitlines()]
    for row in rows:
        task = Task(row["name"], Puzzle.parse(row["puzzle"]))
        assert score_plan(task, row["plan"], prove=False).solved
        assert len(row["plan"]) == row["length"]
        assert tuple(row) == tuple(hub.COLUMNS)
    assert len({row["name"] for row in rows}) == len(rows)
    about = json.loads((target / "croissant.json").read_text())
    (file,) = about["distribution"]
    assert file["sha256"] == hashlib.sha256((target / "puzzles.jsonl").read_bytes()).hexdigest()
    assert [each["name"] for each in about["recordSet"][0]["field"]] == list(hub.COLUMNS)
    card = (target / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\npretty_name:")
    split = "test_and_train" if name == "level0" else "test"
    assert f"data_files: [{{ split: {split}, path: puzzles.jsonl }}]\n" in card
    assert f"{len(rows):,} puzzles" in card


def test_an_agent(folder: Path) -> None:
    target = folder / "models" / "pushworld-level0-policy"
    assert (target / "agent.zip").read_bytes() == (SHIPPED / "level0-policy.zip").read_bytes()
    assert "library_name: pushworld\n" in (target / "README.md").read_text(encoding="utf-8")


def test_minari_reads_the_plans_as_episodes(tmp_path: Path) -> None:
    name = hub.write_minari(tmp_path, "Bundled")
    dataset = minari.load_dataset(name)
    assert dataset.total_episodes == len(bundled_puzzles())
    for episode in dataset.iterate_episodes():
        assert episode.terminations[-1]
        assert not episode.terminations[:-1].any()
        assert len(episode.observations) == len(episode.actions) + 1
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    assert env.spec is not None
    assert env.spec.id == "PushWorld/Bundled-v0"
