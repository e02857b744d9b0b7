"""The set ``classic``: puzzles drawn by hand or chosen from what the designer made.

They ship with the package. Each belongs to a level from 1 to 4 and comes with facts that the tests
verify.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class ClassicPuzzle:
    """A puzzle of the set.

    Attributes:
        name: what the command line calls it.
        title: what to print above it.
        description: one line about what it asks for.
        level: from 1, easy, to 4, by the difficulty model.
        tags: the skills it demands, by analysis.
        tools: the objects without which there is no plan.
        obstacles: the objects without which plans are shorter.
        plan: the best plan known.
        optimal: whether it is proved that no plan is shorter.
    """

    name: str
    title: str
    description: str
    level: int
    tags: tuple[str, ...]
    tools: tuple[str, ...]
    obstacles: tuple[str, ...]
    plan: str
    optimal: bool

    @cached_property
    def puzzle(self) -> Puzzle:
        text = (_FOLDER / f"{self.name}.pwp").read_text(encoding="utf-8")
        return Puzzle.parse(text, name=self.name)


@cache
def classic_puzzles() -> tuple[ClassicPuzzle, ...]:
    """Returns all puzzles of the set, by level."""
    index = tomllib.loads((_FOLDER / "index.toml").read_text(encoding="utf-8"))
    return tuple(
        ClassicPuzzle(
            name=item["name"],
            title=item["title"],
            description=item["description"],
            level=item["level"],
            tags=tuple(item["tags"]),
            tools=tuple(item["tools"]),
            obstacles=tuple(item["obstacles"]),
            plan=item["plan"],
            optimal=item["optimal"],
        )
        for item in index["puzzle"]
    )


_FOLDER = files(__package__) / "puzzles" / "classic"
