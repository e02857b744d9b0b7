"""The mean over symmetric views says the same about a puzzle and its symmetric forms."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs.jax import SYMMETRIES
from pushworld.envs.planes import FIRST_GOAL_OBJECT, Frame
from pushworld.puzzle import Puzzle, Symmetry, transform
from pushworld.rl.algorithms.imitation import shuffle_planes
from pushworld.rl.algorithms.learner import average_over_views
from tests.envs.definitions import draw_planes

PUZZLE = Puzzle.parse("A A . . W\n. M1 M1 . W\n. G1 G1 . .\n. . . M2 .\n. W . . .")


def observed(symmetry: Symmetry, frame: Frame) -> jax.Array:
    puzzle = transform(PUZZLE, symmetry)
    return jnp.asarray(draw_planes(puzzle, puzzle.initial_state, frame), jnp.float32)[None]


@pytest.mark.parametrize("height", [7, 9])
def test_scores_turn_with_the_puzzle(height: int) -> None:
    frame = Frame(7, height, 1, 3)
    weights = jax.random.normal(jax.random.key(0), (6 * 7 * height, 4))

    def scores(cells: jax.Array) -> jax.Array:
        return cells.reshape(len(cells), -1) @ weights

    given = average_over_views(scores, observed(SYMMETRIES[0], frame))
    for symmetry in SYMMETRIES:
        xx, _, _, _ = symmetry.value
        if height != 7 and xx == 0:
            continue  # it would not fit
        actions = [symmetry.apply_to_action(action) for action in range(4)]
        turned = average_over_views(scores, observed(symmetry, frame))
        np.testing.assert_allclose(turned[:, np.array(actions)], given, rtol=1e-4, atol=1e-4)


def test_the_network_is_asked_once_about_all_views() -> None:
    asked = []

    def scores(cells: jax.Array) -> jax.Array:
        asked.append(len(cells))
        return jnp.zeros((len(cells), 4))

    average_over_views(scores, jnp.zeros((3, 6, 7, 7)))
    assert asked == [3 * len(SYMMETRIES)]


def test_shuffled_planes_keep_goals_with_their_objects() -> None:
    planes = jnp.tile(jnp.arange(3 + 2 * 2 + 3)[None, :, None, None], (200, 1, 1, 1))
    shuffled = np.asarray(shuffle_planes(jax.random.key(0), planes, goals=2))[..., 0, 0]
    first, last = FIRST_GOAL_OBJECT, FIRST_GOAL_OBJECT + 4
    assert (shuffled[:, :first] == np.arange(first)).all()
    assert {tuple(row) for row in shuffled[:, first:last]} == {(3, 4, 5, 6), (5, 6, 3, 4)}
    assert len({tuple(row) for row in shuffled[:, last:]}) == 6
    assert (np.sort(shuffled[:, last:], axis=1) == np.arange(last, last + 3)).all()
