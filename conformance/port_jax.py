"""The JAX environment of the package as a port. It answers all questions with one program.

python check.py python port_jax.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from port import told

from pushworld.envs.jax import EnvParams, achieved_goals, initial_state, pack, step_env
from pushworld.puzzle import Puzzle, PuzzleError, parse_plan


@jax.jit
def _play(variant: jax.Array, actions: jax.Array, params: EnvParams) -> Any:
    """Returns positions and the number of achieved goals, before the first and after every action."""

    def once(state: Any, action: jax.Array) -> Any:
        return step_env(state, action, params)[0], (state.positions, achieved_goals(state, params))

    return jax.lax.scan(once, initial_state(variant, params), actions)[1]


def answers(questions: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    """Returns what the environment makes of the questions."""
    puzzles: dict[int, Puzzle] = {}
    for number, question in enumerate(questions):
        try:
            puzzles[number] = Puzzle.parse(question["puzzle"])
        except PuzzleError:
            continue
    params = pack([*puzzles.values()], symmetries=False, random_placement=False)
    found: list[dict[str, Any]] = [{"refused": True} for _ in questions]
    for variant, (number, puzzle) in zip(params.first_variant, puzzles.items(), strict=True):
        actions = parse_plan(questions[number]["actions"])
        padded = np.zeros(1 + max(len(each["actions"]) for each in questions), np.int32)
        padded[: len(actions)] = actions
        positions, achieved = jax.device_get(_play(variant, padded, params))
        # The slots of goals that the puzzle does not have lie between its objects.
        slots = np.arange(len(puzzle.objects))
        slots[1 + len(puzzle.goal) :] += params.frame.goals - len(puzzle.goal)
        names = [each.name.upper() for each in puzzle.objects]
        states = [dict(zip(names, each.tolist(), strict=True)) for each in positions[:, slots]]
        goals = {name: list(goal) for name, goal in zip(names[1:], puzzle.goal, strict=False)}
        found[number] = told(states[: 1 + len(actions)], goals)
        if [*map(len, found[number]["achieved"])] != achieved[: 1 + len(actions)].tolist():
            found[number]["achieved"] = achieved.tolist()
    return found


if __name__ == "__main__":
    for line in answers([json.loads(line) for line in sys.stdin]):
        print(json.dumps(line))
