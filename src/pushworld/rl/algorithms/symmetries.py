"""What a network says on average about the eight symmetric views of an observation.

The networks learn from all symmetries of a puzzle, but give slightly different answers on each. Their
mean makes fewer mistakes than any of them.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import SYMMETRIES, EnvParams, EnvState
from pushworld.envs.jax.scene import turned_scene
from pushworld.rl.algorithms.learner import Weights, encode_observations
from pushworld.rl.settings import NetworkConfig


def state_scores(
    network: NetworkConfig, scores: Callable[[Weights, jax.Array, EnvParams], jax.Array]
) -> Callable[[Weights, EnvState, EnvParams], jax.Array]:
    """Returns the function `Learner.scores`, from one that takes encoded observations.

    The network says whether it takes the mean over symmetric views.
    """

    def of_states(weights: Weights, states: EnvState, params: EnvParams) -> jax.Array:
        def of_cells(cells: jax.Array) -> jax.Array:
            return scores(weights, cells, params)

        cells = encode_observations(states, params)
        return (
            average_over_views(of_cells, cells, network.scene)
            if network.symmetric
            else of_cells(cells)
        )

    return of_states


def average_over_views(
    scores: Callable[[jax.Array], jax.Array], cells: jax.Array, scene: bool = False
) -> jax.Array:
    """Returns the mean of the scores of actions (batch, actions) over all symmetric views.

    Args:
        scores: returns the scores of the actions for observations such as `cells`.
        cells: observations whose last two axes are the rows and columns of a grid. Only a square has
            views that exchange both.
        scene: whether they are planes of a scene, which have directions.
    """
    height, width = cells.shape[-2:]
    views = []
    for symmetry in SYMMETRIES:
        xx, xy, yx, yy = symmetry.value
        if xx == 0 and height != width:
            continue
        turned = cells.swapaxes(-1, -2) if xx == 0 else cells
        turned = turned[..., :: yx + yy, :: xx + xy]
        turned = turned_scene(turned, symmetry) if scene else turned
        actions = np.array([symmetry.apply_to_action(action) for action in range(NUM_ACTIONS)])
        views.append(scores(turned)[:, actions])
    return sum(views[1:], views[0]) / len(views)
