"""Walks through packed puzzles on the device, and the same walks by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from pushworld.envs.jax import (
    SYMMETRIES,
    EnvParams,
    EnvState,
    StepInfo,
    action_mask,
    initial_state,
    slots_of,
    step_env,
)
from pushworld.puzzle import Position, Puzzle, State, transform
from tests.engine.walking import livelier_action
from tests.envs.definitions import distance_to_goals, reward_of_step


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
) -> tuple[EnvState, jax.Array, StepInfo, jax.Array]:
    """Returns what happens step by step, all of shape (steps, walks, ...), without new episodes.

    These are the states, the rewards, the infos, and the action masks before each step.
    """

    def body(state: EnvState, taken: jax.Array) -> tuple[EnvState, Any]:
        mask = jax.vmap(action_mask, (0, None))(state, params)
        after, given, _, info = jax.vmap(step_env, (0, 0, None))(state, taken, params)
        return after, (after, given, info, mask)

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
    moving = np.zeros((steps, len(turned), 4), bool)
    for number, puzzle in enumerate(turned):
        path = [puzzle.initial_state]
        for each in range(steps):
            outcomes = [puzzle.step(path[-1], action) for action in range(4)]
            moving[each, number] = [outcome != path[-1] for outcome in outcomes]
            actions[each, number] = livelier_action(path[-1], outcomes, random)
            path.append(outcomes[actions[each, number]])
        paths.append(path)
    states, rewards, info, masks = jax.device_get(
        walk(jnp.asarray(variants, jnp.int32), jnp.asarray(actions), params)
    )
    np.testing.assert_array_equal(masks, moving)
    for number, (puzzle, path) in enumerate(zip(turned, paths, strict=True)):
        for each in range(steps):
            before, after = path[each], path[each + 1]
            assert host_state(states.positions[each, number], puzzle, params) == after
            achieved = puzzle.achieved_goals(before), puzzle.achieved_goals(after)
            distances = (0, 0)
            if params.reward.shaping:
                distances = distance_to_goals(puzzle, before), distance_to_goals(puzzle, after)
            expected = reward_of_step(params.reward, *achieved, len(puzzle.goal), distances)
            assert rewards[each, number] == pytest.approx(expected, abs=2e-6)
            assert info["achieved"][each, number] == achieved[1]
            assert info["terminated"][each, number] == puzzle.is_solved(after)
            assert info["moved"][each, number] == (before != after)
