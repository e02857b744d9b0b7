"""Agents by name: their cards, the commands about them, and what uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pushworld.cli.application import app
from pushworld.puzzle import PushWorldError
from pushworld.rl import agents
from pushworld.rl.agents import SHIPPED

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "agents.md"
FIELDS = ("Use", "Training", "Not in its training", "Results", "Licence")
run = CliRunner().invoke


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes installed agents those of the test."""
    monkeypatch.setattr(agents, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize(
    "entry",
    [entry for entry in agents.agents() if entry.path.parent == SHIPPED],
    ids=lambda entry: entry.name,
)
def test_every_shipped_agent_has_a_card_that_the_documents_show(entry: agents.AgentEntry) -> None:
    assert entry.card.startswith(f"# {entry.name}: ")
    for field in FIELDS:
        assert f"- **{field}:**" in entry.card
    page = PAGE.read_text(encoding="utf-8")
    assert entry.card.partition("\n")[2].strip() in page
    assert entry.path.stat().st_size < 2_500_000


def test_agents_are_listed_and_shown() -> None:
    rows = json.loads(run(app, ["agents", "--json"]).output)
    assert "level0-policy" in [row["name"] for row in rows]
    for row in rows:
        assert run(app, ["agents", "show", row["name"]]).output.startswith(f"# {row['name']}: ")
        assert row["name"] in run(app, ["agents"]).output


def test_an_installed_agent_is_found_by_its_name(own_folder: Path) -> None:
    file, card = SHIPPED / "level0-policy.zip", own_folder / "card.md"
    card.write_text("# mine: a copy\n")
    arguments = ["agents", "install", str(file), "--name", "mine", "--card", str(card)]
    assert run(app, arguments).exit_code == 0
    assert agents.find_agent("mine").description == "a copy"
    assert agents.agent_file("mine").read_bytes() == file.read_bytes()
    with pytest.raises(PushWorldError, match="already"):
        agents.install_agent(file, "mine", "")


def test_a_folder_does_not_hide_an_agent_of_its_name(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_folder)
    Path("level0-policy").mkdir()
    assert agents.agent_file("level0-policy").parent == SHIPPED


def test_mistakes_are_explained(own_folder: Path) -> None:
    with pytest.raises(PushWorldError, match="did you mean level0-policy"):
        agents.agent_file("level0-polic")
    text = own_folder / "notes.txt"
    text.write_text("")
    for file, name, reason in (
        (text, "notes", "is no agent"),
        (text, "Bad Name", "must consist of"),
        (own_folder / "none.zip", "none", "none.zip"),
    ):
        with pytest.raises(PushWorldError, match=reason):
            agents.install_agent(file, name, "")
