"""Trained agents by name: those that come with the package, and those that users install.

An agent is a file with its model card next to it: ``NAME.zip`` is what `pushworld train` wrote, and
``NAME.md`` the card. The first
line of a card is a heading with the name, a colon and a description.
"""

import re
import shutil
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_data_dir

from pushworld.files import make_folder, replaced, write_text
from pushworld.puzzle import PushWorldError

SHIPPED = Path(__file__).parent
NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True)
class AgentEntry:
    """An agent that has a name.

    Attributes:
        path: its file.
        card: its model card, as Markdown.
    """

    name: str
    path: Path
    card: str

    @property
    def description(self) -> str:
        """The description in the heading of the card."""
        heading = self.card.partition("\n")[0]
        return heading.partition(":")[2].strip() or "no description"


def installed_folder() -> Path:
    """Returns the folder of agents that users install."""
    return Path(user_data_dir("pushworld", appauthor=False)) / "agents"


def agents() -> list[AgentEntry]:
    """Returns all agents, those of the package first."""
    return [*_agents_in(SHIPPED), *_agents_in(installed_folder())]


def find_agent(name: str) -> AgentEntry:
    """Returns the agent of that name, or raises PushWorldError."""
    known = {entry.name: entry for entry in agents()}
    if name in known:
        return known[name]
    similar = get_close_matches(name, known)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"known are {', '.join(known)}"
    raise PushWorldError(f"there is no agent {name!r}: {hint}")


def agent_file(name: str) -> Path:
    """Returns the file of an agent: a file, the file of a name, or the folder of a run."""
    path = Path(name)
    known = any(entry.name == name for entry in agents())
    return path if path.is_file() or (path.exists() and not known) else find_agent(name).path


def install_agent(path: Path, name: str, card: str) -> AgentEntry:
    """Copies an agent to the folder of installed ones, and returns it.

    Raises:
        PushWorldError: if the file holds no agent, or if the name is taken or malformed.
    """
    if not NAME.fullmatch(name):
        raise PushWorldError(f"the name {name!r} must consist of a-z, 0-9 and hyphens")
    if any(entry.name == name for entry in agents()):
        raise PushWorldError(f"there is an agent {name!r} already: choose another name")
    if path.suffix != ".zip":
        raise PushWorldError(f"{path} is no agent: give the agent.zip of pushworld train")
    from pushworld.rl.evaluation.agents import load_agent

    load_agent(path)
    folder = installed_folder()
    write_text(make_folder(folder) / f"{name}.md", card)
    with replaced(folder / f"{name}{path.suffix}") as new:
        shutil.copyfile(path, new)
    return find_agent(name)


def _agents_in(folder: Path) -> list[AgentEntry]:
    return [AgentEntry(file.stem, file, _card(file)) for file in sorted(folder.glob("*.zip"))]


def _card(file: Path) -> str:
    card = file.with_suffix(".md")
    return card.read_text(encoding="utf-8") if card.exists() else f"# {file.stem}\n"
