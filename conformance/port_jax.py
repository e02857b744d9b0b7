"""The JAX environment of the package as a port. One program plays all puzzles.

python check.py python port_jax.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import jax
import numpy as np
from port import told

from pushworld.envs.jax import achieved_goals, initial_state, pack, step_env
from pushworld.puzzle import Puzzle, PuzzleError, parse_plan

step, count_achieved = jax.jit(step_env), jax.jit(achieved_goals)


def answers(questions: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    """Returns what the environment makes of the questions."""
    puzzles: dict[int, Puzzle] = {}
    for number, question in enumerate(questions):
        with suppress(PuzzleError):
            puzzles[number] = Puzzle.parse(question["puzzle"])
    params = pack([*puzzles.values()], symmetries=False, random_placement=False)
    found: list[dict[str, Any]] = [{"refused": True} for _ in questions]
    for variant, (number, puzzle) in zip(params.first_variant, puzzles.items(), strict=True):
        played = [initial_state(variant, params)]
        for action in parse_plan(questions[number]["actions"]):
            played.append(step(played[-1], action, params)[0])
        # The slots of goals that the puzzle does not have lie between its objects.
        slots = np.arange(len(puzzle.objects))
        slots[1 + len(puzzle.goal) :] += params.frame.goals - len(puzzle.goal)
        names = [each.name.upper() for each in puzzle.objects]
        positions = [np.asarray(state.positions)[slots].tolist() for state in played]
        goals = {name: list(goal) for name, goal in zip(names[1:], puzzle.goal, strict=False)}
        found[number] = told([dict(zip(names, each, strict=True)) for each in positions], goals)
        counts = [int(count_achieved(state, params)) for state in played]
        if counts != [*map(len, found[number]["achieved"])]:
            found[number]["achieved"] = counts
    return found


if __name__ == "__main__":
    for line in answers([json.loads(line) for line in sys.stdin]):
        print(json.dumps(line))
