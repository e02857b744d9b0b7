"""A policy that remembers its episode, against a plain implementation and on a puzzle with a trap."""

from __future__ import annotations

from collections import defaultdict

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from pushworld.envs.jax import EnvParams, EnvState, pack
from pushworld.puzzle import Puzzle, format_plan
from pushworld.puzzle.reference import step
from pushworld.rl.algorithms.learner import Learner
from pushworld.rl.evaluation.solve_rates import Evaluation, evaluate

STEPS = 40
PUZZLES = [
    Puzzle.parse(text)
    for text in (
        "A . . .\n. M1 . W\n. . . G1",
        "W A .\nM1 W .\n. . G1",
        ". . M1 . G1\nA . M2 . .",
        ". A .\n. M1 .\n. G1 .",
        "W W W W\nW A W M1\nW W W G1",
        "A M1 . . . . G1",
    )
]


def scores(weights: jax.Array, states: EnvState, params: EnvParams) -> jax.Array:
    """Returns scores without any sense, but always the same for a state."""
    return jnp.sin(states.positions[:, :3].reshape(-1, 6).astype(jnp.float32) @ weights)


def most_likely(key: jax.Array, scores: jax.Array) -> jax.Array:
    return jnp.argmax(scores, axis=-1)


def constant(weights: None, states: EnvState, params: EnvParams) -> jax.Array:
    return jnp.tile(jnp.array([1.5, 1.0, 0.5, 0.0]), (states.steps.shape[0], 1))


def unused(*arguments: object) -> None:
    raise AssertionError


SENSELESS = Learner(unused, unused, scores, most_likely, 1)  # type: ignore[arg-type]


def weights_of(seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(scale=3, size=(6, 4)).astype(np.float32)


def play(seed: int, remember: bool) -> Evaluation:
    params = pack(PUZZLES, max_steps=STEPS, symmetries=False, random_placement=False)
    return evaluate(
        SENSELESS,
        weights_of(seed),
        jax.random.key(0),
        params,
        range(len(PUZZLES)),
        remember=remember,
    )


def play_by_hand(puzzle: Puzzle, seed: int, remember: bool) -> str:
    """Returns the actions of an episode, one after the other."""
    state = puzzle.initial_state
    plan: list[int] = []
    taken: dict[object, list[int]] = defaultdict(lambda: [0] * 4)
    while len(plan) < STEPS and state[1 : 1 + len(puzzle.goal)] != puzzle.goal:
        positions = np.zeros((3, 2), np.float32)
        positions[: len(state)] = state
        liked = np.sin(positions.reshape(6) @ weights_of(seed))
        if remember:
            liked -= np.array(taken[state], np.float32)
        action = int(np.argmax(liked))
        after = step(puzzle, state, action)
        taken[state][action] += 1 if after != state else 1_000_000
        plan.append(action)
        state = after
    return format_plan(plan)


@pytest.mark.parametrize("remember", [False, True])
def test_episodes_are_those_of_a_plain_implementation(
    remember: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where episodes take the places of others that ended."""
    monkeypatch.setattr("pushworld.rl.evaluation.playing.CPU_BATCH", 4)
    for seed in range(8):
        episodes = play(seed, remember)
        for number, puzzle in enumerate(PUZZLES):
            expected = play_by_hand(puzzle, seed, remember)
            assert episodes.plan(number) == expected
            assert episodes.solved[number] == puzzle.validate(expected)


def test_best_actions_that_walk_in_circles_solve_the_puzzle_with_a_memory() -> None:
    """The policy likes left, then right: it comes back from the wall, and pushes."""
    puzzle = Puzzle.parse(". A M1 G1")
    params = pack([puzzle], max_steps=9, symmetries=False)
    left_first = Learner(unused, unused, constant, most_likely, 1)  # type: ignore[arg-type]
    for exploring in (False, True):
        without, with_memory = (
            evaluate(left_first, None, jax.random.key(0), params, [0], exploring, remember)
            for remember in (False, True)
        )
        assert (without.plan(0), without.rate) == ("L" * 9, 0)
        assert (with_memory.plan(0), with_memory.rate) == ("LLRR", 1)


def test_a_circle_is_left_where_the_policy_is_least_sure() -> None:
    """It walks to and fro between the middle, where it is sure, and the right, where it is not."""
    puzzle = Puzzle.parse(". A .\nW W M1\nW W G1")
    params = pack([puzzle], max_steps=9, symmetries=False, random_placement=False)

    def likes(weights: None, states: EnvState, params: EnvParams) -> jax.Array:
        liked = jnp.array([[0.0, 9.0, 0.0, 0.0], [0.0, 9.0, 0.0, 0.0], [3.0, 0.0, 0.0, 2.5]])
        return liked[states.positions[:, 0, 0] - 1]

    learner = Learner(unused, unused, likes, most_likely, 1)  # type: ignore[arg-type]
    episode = evaluate(learner, None, jax.random.key(0), params, [0], remember=True)
    assert episode.plan(0) == "RLRD"


def test_sampled_actions_do_not_run_into_the_same_wall_twice() -> None:
    puzzle = Puzzle.parse(". A .\nW W W\nM1 . G1")
    params = pack([puzzle], max_steps=STEPS, symmetries=False, random_placement=False)

    def likes_up(weights: None, states: EnvState, params: EnvParams) -> jax.Array:
        return jnp.tile(jnp.array([0.0, 0.0, 50.0, 0.0]), (states.steps.shape[0], 1))

    learner = Learner(unused, unused, likes_up, jax.random.categorical, 1)  # type: ignore[arg-type]
    without, remembering = (
        evaluate(learner, None, jax.random.key(0), params, [0], True, remember).plan(0)
        for remember in (False, True)
    )
    assert without == "U" * STEPS
    assert remembering.count("U") == len(set(puzzle.replay(remembering)))
