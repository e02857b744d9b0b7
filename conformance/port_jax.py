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
    puzzles: list[Puzzle | None] = []
    for question in questions:
        try:
            puzzles.append(Puzzle.parse(question["puzzle"]))
        except PuzzleError:
            puzzles.append(None)
    params = pack([each for each in puzzles if each], symmetries=False, random_placement=False)
    longest = 1 + max(len(question["actions"]) for question in questions)
    found, number = [], 0
    for question, puzzle in zip(questions, puzzles, strict=True):
        if puzzle is None:
            found.append({"refused": True})
            continue
        actions = np.zeros(longest, np.int32)
        actions[: len(question["actions"])] = parse_plan(question["actions"])
        positions, achieved = jax.device_get(_play(params.first_variant[number], actions, params))
        count = 1 + len(question["actions"])
        found.append(_answer(puzzle, positions[:count], achieved[:count], params.frame.goals))
        number += 1
    return found


def _answer(puzzle: Puzzle, positions: Any, achieved: Any, goal_slots: int) -> dict[str, Any]:
    # The slots of goals that the puzzle does not have lie between its objects.
    goals = len(puzzle.goal)
    slots = [
        *range(1 + goals),
        *range(1 + goal_slots, 1 + goal_slots + len(puzzle.movables) - goals),
    ]
    names = [thing.name.upper() for thing in puzzle.objects]
    states = [dict(zip(names, each[slots].tolist(), strict=True)) for each in positions]
    targets = {
        name: list(thing.goal or ()) for name, thing in zip(names, puzzle.objects, strict=True)
    }
    reached = [sorted(name for name in names if state[name] == targets[name]) for state in states]
    agrees = [len(each) for each in reached] == achieved.tolist()
    return {"states": states, "achieved": reached, "solved": agrees and 0 < goals == achieved[-1]}


if __name__ == "__main__":
    for line in answers([json.loads(line) for line in sys.stdin]):
        print(json.dumps(line))
