"""Agents by name: their cards, the commands about them, and what uses them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pushworld import solve
from pushworld.cli.application import app
from pushworld.datasets import load_set
from pushworld.learned import Network, agents
from pushworld.learned.weights import random_weights, weight_shapes
from pushworld.planners import get_planner
from pushworld.puzzle import PushWorldError

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "agents.md"
FIELDS = ("Use", "Training", "Not in its training", "Results", "Licence")
run = CliRunner().invoke


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes installed agents those of the test."""
    monkeypatch.setattr(agents, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize(
    "entry",
    [entry for entry in agents.agents() if entry.path.parent == agents.SHIPPED],
    ids=lambda entry: entry.name,
)
def test_every_shipped_agent_has_a_card_that_the_documents_show(entry: agents.AgentEntry) -> None:
    assert entry.card.startswith(f"# {entry.name}: ")
    for field in FIELDS:
        assert f"- **{field}:**" in entry.card
    page = PAGE.read_text(encoding="utf-8")
    assert entry.card.partition("\n")[2].strip() in page
    assert entry.path.stat().st_size < (500_000 if entry.kind == "network" else 1_200_000)


def test_agents_are_listed_and_shown() -> None:
    rows = json.loads(run(app, ["agents", "--json"]).output)
    assert agents.DEFAULT_AGENT in [row["name"] for row in rows]
    for row in rows:
        assert run(app, ["agents", "show", row["name"]]).output.startswith(f"# {row['name']}: ")
        assert row["name"] in run(app, ["agents"]).output


def test_an_installed_network_solves_by_its_name(own_folder: Path) -> None:
    file = own_folder / "weights.npz"
    Network(random_weights(2), 1).save(file)
    card = own_folder / "card.md"
    card.write_text("# mine: a random network\n")
    arguments = ["agents", "install", str(file), "--name", "mine", "--card", str(card)]
    assert run(app, arguments).exit_code == 0
    assert agents.find_agent("mine").description == "a random network"
    found = run(app, ["solve", "first-push", "--planner", "learned", "--agent", "mine", "--json"])
    assert found.exit_code == 0
    assert json.loads(found.output)["planner"] == "learned:mine"
    assert get_planner("learned:mine").name == "learned:mine"
    puzzle = load_set("bundled")[0]
    assert solve(puzzle, f"learned:{file}").status == "solved"
    with pytest.raises(PushWorldError, match="already"):
        agents.install_agent(file, "mine", "")


def test_a_folder_does_not_hide_an_agent_of_its_name(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_folder)
    Path(agents.DEFAULT_AGENT).mkdir()
    assert agents.agent_file(agents.DEFAULT_AGENT).parent == agents.SHIPPED


def test_mistakes_are_explained(own_folder: Path) -> None:
    puzzle = load_set("bundled")[0]
    with pytest.raises(PushWorldError, match="did you mean imitation"):
        solve(puzzle, "learned:imitatio")
    with pytest.raises(PushWorldError, match="has no agents"):
        solve(puzzle, "bfs:imitation")
    with pytest.raises(PushWorldError, match="did you mean imitation"):
        get_planner("learned:imitatio")
    empty = {name: np.zeros(shape, np.float32) for name, shape in weight_shapes(0).items()}
    Network(empty, 1).save(own_folder / "nothing.npz")
    with pytest.raises(PushWorldError, match="holds no network"):
        Network.load(own_folder / "nothing.npz")
    text = own_folder / "notes.txt"
    text.write_text("")
    for file, name, reason in (
        (text, "notes", "is no agent"),
        (text, "Bad Name", "must consist of"),
        (own_folder / "none.npz", "none", "none.npz"),
    ):
        with pytest.raises((PushWorldError, OSError), match=reason):
            agents.install_agent(file, name, "")
    (own_folder / "agent.zip").write_bytes(b"")
    with pytest.raises(PushWorldError, match="no network for a search"):
        solve(puzzle, f"learned:{own_folder / 'agent.zip'}")
