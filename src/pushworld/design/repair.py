"""Repairing a plan for a puzzle that has lost some of its objects.

Most actions of the plan still do what they did. Where one does not, because a lost object pushed or stopped another,
a search looks for a way back to some later state of the old plan, and the plan goes on from there. A search for a
whole plan would have to find all the others again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pushworld.design.budget import check_deadline, engine_within_deadline
from pushworld.engine import Engine, StateArray
from pushworld.puzzle import Puzzle, format_plan, parse_plan

Key = bytes


def repaired_plan(puzzle: Puzzle, smaller: Puzzle, plan: str, max_states: int) -> str | None:
    """Returns a plan for a puzzle without some objects, made from a plan for the whole one, or None.

    Args:
        puzzle: the whole puzzle, which the plan solves.
        smaller: the puzzle without some of its objects.
        max_states: how many states each search for a way back may see.

    Raises:
        OutOfTimeError: if the deadline comes first.
    """
    old = _projected_states(puzzle, smaller, plan)
    last = {key: time for time, key in enumerate(old)}
    actions = parse_plan(plan)
    engine = engine_within_deadline(smaller)
    state = engine.initial_states(1)[0]
    repaired: list[int] = []
    time = last[state.tobytes()]
    while time < len(actions):
        following = state.copy()[None]
        engine.step_batch(following, np.array([actions[time]]))
        found = last.get(following.tobytes(), -1)
        if found > time:
            way = [int(actions[time])]
            state = following[0]
        else:
            back = _way_back(engine, state, last, time, max_states)
            if back is None:
                return None
            way, state = back
        repaired += way
        time = last[state.tobytes()]
    text = format_plan(repaired)
    return text if smaller.validate(text) else None


def _projected_states(puzzle: Puzzle, smaller: Puzzle, plan: str) -> list[Key]:
    """Returns the states of the plan as bytes, with the objects of the smaller puzzle only."""
    index = {thing.name: number for number, thing in enumerate(puzzle.objects)}
    kept = [index[thing.name] for thing in smaller.objects]
    states = np.array(list(puzzle.replay(plan)), np.int16)[:, kept]
    return [state.tobytes() for state in states]


def _way_back(
    engine: Engine, start: StateArray, last: dict[Key, int], time: int, max_states: int
) -> tuple[list[int], StateArray] | None:
    """Returns actions to a nearest state that the old plan reaches after `time`, and that state."""
    seen = {start.tobytes()}
    layers = [(start[None], np.zeros(1, np.int64))]
    while len(layers[-1][0]) and len(seen) <= max_states:
        check_deadline()
        layer = layers[-1][0]
        reached = np.repeat(layer, 4, axis=0)
        engine.step_batch(reached, np.tile(np.arange(4), len(layer)))
        new: list[int] = []
        for edge, state in enumerate(reached):
            key = state.tobytes()
            if key not in seen:
                seen.add(key)
                new.append(edge)
                if last.get(key, -1) > time:
                    return [*_actions_to(layers, edge // 4), edge % 4], state
        layers.append((reached[new], np.array(new)))
    return None


def _actions_to(layers: list[tuple[StateArray, NDArray[np.int64]]], index: int) -> list[int]:
    """Returns the actions that lead to a state of the last layer; each layer knows its edges."""
    actions: list[int] = []
    for _, edges in reversed(layers[1:]):
        edge = int(edges[index])
        actions.append(edge % 4)
        index = edge // 4
    return actions[::-1]
