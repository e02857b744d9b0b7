"""Walks through packed puzzles on the device, and the same walks by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.contract import reward
from pushworld.envs.jax import (
    SYMMETRIES,
    EnvParams,
    EnvState,
    StepInfo,
    initial_state,
    slots_of,
    step_env,
)
from pushworld.puzzle import Position, Puzzle, State, transform
from tests.engine.walking import livelier_action


def turned_puzzle(variant: int, puzzles: Sequence[Puzzle], params: EnvParams) -> Puzzle:
    """Returns the puzzle that a variant shows."""
    number = int(params.puzzle_of[variant])
    return transform(puzzles[number], SYMMETRIES[variant - int(params.first_variant[number])])


def host_state(positions: NDArray[Any], puzzle: Puzzle, params: EnvParams) -> State:
    """Returns the state of a puzzle that an array of slots holds; the other slots never move."""
    slots = slots_of(puzzle, params.frame.goals)
    assert not np.delete(positions, slots, axis=0).any()
    return tuple((int(x), int(y)) for x, y in positions[slots])


def host_moment(
    state: EnvState, env: int, puzzles: Sequence[Puzzle], params: EnvParams
) -> tuple[Puzzle, State, Position]:
    """Returns the puzzle of an environment as it is turned, its state and its placement."""
    puzzle = turned_puzzle(int(state.variant[env]), puzzles, params)
    x, y = (int(along) for along in state.placement[env])
    return puzzle, host_state(np.asarray(state.positions[env]), puzzle, params), (x, y)


@jax.jit
def walk(
    variants: jax.Array, actions: jax.Array, params: EnvParams
) -> tuple[EnvState, jax.Array, StepInfo]:
    """Returns what happens step by step, all of shape (steps, walks, ...), without new episodes."""

    def body(state: EnvState, taken: jax.Array) -> tuple[EnvState, Any]:
        after, given, _, info = jax.vmap(step_env, (0, 0, None))(state, taken, params)
        return after, (after, given, info)

    begin = jax.vmap(initial_state, (0, None))(variants, params)
    _, seen = jax.lax.scan(body, begin, actions)
    return seen  # type: ignore[no-any-return]


def assert_agreement(
    puzzles: Sequence[Puzzle],
    params: EnvParams,
    variants: Sequence[int],
    random: Random,
    steps: int,
) -> None:
    """The device does what the reference does on walks that push where they can."""
    turned = [turned_puzzle(variant, puzzles, params) for variant in variants]
    paths: list[list[State]] = []
    actions = np.zeros((steps, len(turned)), np.int32)
    for number, puzzle in enumerate(turned):
        path = [puzzle.initial_state]
        for each in range(steps):
            outcomes = [puzzle.step(path[-1], action) for action in range(4)]
            actions[each, number] = livelier_action(path[-1], outcomes, random)
            path.append(outcomes[actions[each, number]])
        paths.append(path)
    states, rewards, info = jax.device_get(
        walk(jnp.asarray(variants, jnp.int32), jnp.asarray(actions), params)
    )
    for number, (puzzle, path) in enumerate(zip(turned, paths, strict=True)):
        for each in range(steps):
            before, after = path[each], path[each + 1]
            assert host_state(states.positions[each, number], puzzle, params) == after
            achieved = puzzle.achieved_goals(before), puzzle.achieved_goals(after)
            expected = reward(*achieved, len(puzzle.goal))
            assert rewards[each, number] == np.float32(expected)
            assert info["achieved"][each, number] == achieved[1]
            assert info["terminated"][each, number] == puzzle.is_solved(after)
            assert info["moved"][each, number] == (before != after)
