"""Sets of puzzles together with the plans that are known for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from pushworld.datasets import Store, load_set
from pushworld.datasets.bundled import bundled_puzzles, classic_puzzles
from pushworld.puzzle import Puzzle

PLANS = "*.jsonl"
"""Files of a folder whose rows have a ``name`` and a ``plan``, as `pushworld design` writes them."""


class Solved(NamedTuple):
    """A puzzle, and a plan for it if one is known."""

    puzzle: Puzzle
    plan: str | None = None


def load_solved_set(name: str, store: Store | None = None) -> list[Solved]:
    """Returns the puzzles of a set or a folder, with the plans of the folder or of the package."""
    plans = {each.name: each.plan for each in (*bundled_puzzles(), *classic_puzzles())}
    if Path(name).is_dir():
        plans = plans_of_folder(Path(name))
    return [_solved(puzzle, plans.get(puzzle.name)) for puzzle in load_set(name, store)]


def plans_of_folder(folder: Path) -> dict[str, str]:
    """Returns the plans that the journals of a folder hold, by the names of their puzzles."""
    plans = {}
    for path in sorted(folder.glob(PLANS)):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # the last line of a program that was killed
            if isinstance(row, dict) and isinstance(row.get("plan"), str):
                plans[str(row.get("name"))] = row["plan"]
    return plans


def _solved(puzzle: Puzzle, plan: str | None) -> Solved:
    """Returns the puzzle with the plan, or without it if it is a plan of another puzzle."""
    return Solved(puzzle, plan if plan is not None and puzzle.validate(plan) else None)
