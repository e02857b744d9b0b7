"""Trained agents by name: those that come with the package, and those that users install.

An agent is a file with its model card next to it: ``NAME.npz`` holds a network for the planner
``learned``, ``NAME.zip`` an agent that `pushworld train` wrote, and ``NAME.md`` the card. The first
line of a card is a heading with the name, a colon and a description.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal

from platformdirs import user_data_dir

from pushworld.files import make_folder, replaced, write_text
from pushworld.learned.network import Network
from pushworld.puzzle import PushWorldError

SHIPPED = Path(__file__).parent
DEFAULT_AGENT = "imitation"
"""The agent whose network the planner ``learned`` uses."""

Kind = Literal["network", "policy"]
KINDS: dict[str, Kind] = {".npz": "network", ".zip": "policy"}
"""What a file holds, by its suffix: a network that guides a search, or a policy for environments."""

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True)
class AgentEntry:
    """An agent that has a name.

    Attributes:
        kind: ``network`` for the planner ``learned``, ``policy`` for `pushworld evaluate`.
        path: its file.
        card: its model card, as Markdown.
    """

    name: str
    kind: Kind
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


def policy_file(name: str) -> Path:
    """Returns the file of an agent that can play, by name or path; raises PushWorldError."""
    path = agent_file(name)
    if path.suffix == ".npz":
        raise PushWorldError(
            f"the agent {name!r} is a network for a search, not a policy: try "
            f"'pushworld benchmark --planners learned:{name}'"
        )
    return path


def load_network(name: str) -> Network:
    """Returns the network of an agent for the planner ``learned``, by name or from a file."""
    path = agent_file(name)
    if path.suffix != ".npz":
        raise PushWorldError(
            f"the agent {name!r} has no network for a search: 'pushworld agents' lists those that have"
        )
    return _network(path)


def install_agent(path: Path, name: str, card: str) -> AgentEntry:
    """Copies an agent to the folder of installed ones, and returns it.

    Raises:
        PushWorldError: if the file holds no agent, or if the name is taken or malformed.
    """
    if not NAME.fullmatch(name):
        raise PushWorldError(f"the name {name!r} must consist of a-z, 0-9 and hyphens")
    if any(entry.name == name for entry in agents()):
        raise PushWorldError(f"there is an agent {name!r} already: choose another name")
    if path.suffix == ".npz":
        Network.load(path)
    elif path.suffix == ".zip":
        from pushworld.rl.evaluation.agents import load_agent

        load_agent(path)
    else:
        raise PushWorldError(f"{path} is no agent: give an agent.zip or a weights.npz")
    folder = installed_folder()
    write_text(make_folder(folder) / f"{name}.md", card)
    with replaced(folder / f"{name}{path.suffix}") as new:
        shutil.copyfile(path, new)
    return find_agent(name)


def _agents_in(folder: Path) -> list[AgentEntry]:
    files = sorted(each for each in folder.glob("*") if each.suffix in KINDS)
    return [AgentEntry(file.stem, KINDS[file.suffix], file, _card(file)) for file in files]


def _card(file: Path) -> str:
    card = file.with_suffix(".md")
    return card.read_text(encoding="utf-8") if card.exists() else f"# {file.stem}\n"


@cache
def _network(path: Path) -> Network:
    return Network.load(path)
