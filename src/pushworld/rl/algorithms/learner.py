"""What all algorithms share: the interface of a learner, running episodes, and observations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import (
    SYMMETRIES,
    EnvParams,
    EnvState,
    StepInfo,
    observe,
    pixel_indices,
    reset_env,
    step_env,
)
from pushworld.envs.jax.observation import turned_scene
from pushworld.render.colours import FLOAT_PALETTE
from pushworld.rl.algorithms.devices import spread
from pushworld.rl.settings import NetworkConfig

Result = TypeVar("Result")

Weights = Any
"""The variables of a Flax network: a tree of float32 arrays."""

Metrics = dict[str, jax.Array]
"""Sums over the steps of an iteration, by name."""


@dataclass(frozen=True)
class Learner:
    """An algorithm with its network, as pure functions.

    Attributes:
        init: returns the training state before the first step, from a key and packed puzzles. It is
            a tree of arrays with all that training needs to continue; `weights` are the network's.
        iterate: returns the training state after one iteration, and metrics.
        scores: returns a score for each action (batch, actions), higher is better, from weights,
            states and packed puzzles: logits of PPO, action values of DQN.
        explore: returns the actions that training would take, from a key and scores.
        steps_per_iteration: environment steps of an iteration, at most.
        prepare: returns what `init` and `iterate` take as their puzzles, from packed puzzles.
    """

    init: Callable[[jax.Array, Any], Any]
    iterate: Callable[[Any, Any], tuple[Any, Metrics]]
    scores: Callable[[Weights, EnvState, EnvParams], jax.Array]
    explore: Callable[[jax.Array, jax.Array], jax.Array]
    steps_per_iteration: int
    prepare: Callable[[EnvParams], Any] = lambda params: params


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Episodes:
    """Running episodes, one in each environment.

    Attributes:
        states: their states.
        returns: float32, the sums of rewards so far.
    """

    states: EnvState
    returns: jax.Array


def start_episodes(key: jax.Array, count: int, params: EnvParams) -> Episodes:
    """Returns the first episodes, each of which starts at a random step.

    Otherwise all environments would reach the time limit at the same step again and again.
    """
    states_key, steps_key = jax.random.split(key)
    states = reset_all(states_key, count, params)
    steps = jax.random.randint(steps_key, (count,), 0, params.max_steps)
    states = EnvState(states.variant, states.placement, states.positions, steps)
    return Episodes(states, jnp.zeros(count))


def reset_all(key: jax.Array, count: int, params: EnvParams) -> EnvState:
    """Returns the initial states of `count` episodes with random puzzles."""
    return jax.vmap(reset_env, (0, None))(jax.random.split(key, count), params)


def step_all(
    states: EnvState, actions: jax.Array, params: EnvParams
) -> tuple[EnvState, jax.Array, jax.Array, StepInfo]:
    """Returns what `step_env` returns, for many states."""
    return jax.vmap(step_env, (0, 0, None))(states, actions, params)


def observe_all(states: EnvState, params: EnvParams) -> jax.Array:
    """Returns the observations of many states."""
    return jax.vmap(observe, (0, None))(states, params)


def encode_observations(states: EnvState, params: EnvParams) -> jax.Array:
    """Returns the observations of many states in few bytes: pixels as indices of the palette.

    Storing them is faster than drawing them again; `decode_observations` returns the observations.
    """
    encode = pixel_indices if params.observation == "pixels" else observe
    return jax.vmap(encode, (0, None))(states, params)


def decode_observations(encoded: jax.Array, params: EnvParams) -> jax.Array:
    """Returns the observations that `encode_observations` encoded, as `observe_all` returns them."""
    return jnp.asarray(FLOAT_PALETTE)[encoded] if params.observation == "pixels" else encoded


def dummy_observations(params: EnvParams) -> jax.Array:
    """Returns zeros of the shape of one observation, to initialise networks with."""
    states = jax.eval_shape(lambda: reset_all(jax.random.key(0), 1, params))
    shape = jax.eval_shape(observe_all, states, params)
    return jnp.zeros(shape.shape, shape.dtype)


def select(mask: jax.Array, chosen: Any, other: Any) -> Any:
    """Returns a tree with entries of the first tree where the mask is set, else of the second."""

    def pick(first: jax.Array, second: jax.Array) -> jax.Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (first.ndim - mask.ndim)), first, second)

    return jax.tree.map(pick, chosen, other)


def episode_sums(
    done: jax.Array, solved: jax.Array, returns: jax.Array, lengths: jax.Array
) -> Metrics:
    """Returns the numbers of ended and solved episodes, and the sums of returns and lengths."""
    return {
        "episodes": done.sum(dtype=jnp.int32),
        "solved": solved.sum(dtype=jnp.int32),
        "return": jnp.where(done, returns, 0).sum(),
        "length": jnp.where(done, lengths, 0).sum(dtype=jnp.int32),
    }


def with_random_repeats(
    numbers: Sequence[int], iteration: jax.Array, work: Callable[[int | None], Result]
) -> Result:
    """Returns the result of the work of an iteration, with one of these numbers of repeats if there are any.

    It is one for a rollout and its updates, whose policies PPO compares. Each number has a program of its
    own: a loop whose length only the device knows is slow there.
    """
    if not numbers:
        return work(None)
    key = jax.random.fold_in(jax.random.key(0), iteration)
    chosen = jax.random.randint(key, (), 0, len(numbers))
    result: Result = jax.lax.switch(chosen, [partial(work, number) for number in numbers])
    return result


def initial_training_state(learner: Learner, key: jax.Array, params: Any) -> Any:
    """Returns the training state before the first step."""
    return jax.jit(learner.init)(key, params)


@lru_cache(maxsize=8)
def compile_iterations(
    learner: Learner, count: int, mesh: Mesh | None = None
) -> Callable[[Any, Any], tuple[Any, Metrics]]:
    """Returns a jitted function of `count` iterations that returns training state and summed metrics.

    The training state stays on the devices of the mesh as `spread` places it.
    """

    def run(state: Any, params: Any) -> tuple[Any, Metrics]:
        def once(state: Any, _: None) -> tuple[Any, Metrics]:
            state, metrics = learner.iterate(state, params)
            return (state if mesh is None or mesh.size == 1 else spread(state, mesh)), metrics

        state, metrics = jax.lax.scan(once, state, None, count)
        return state, jax.tree.map(lambda values: values.sum(axis=0), metrics)

    return jax.jit(run, donate_argnums=0)


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
        scores: returns the scores of the actions for observations such as `cells`. It is asked once,
            about all views, so that its program is compiled once.
        cells: observations whose last two axes are the rows and columns of a grid. Only a square has
            views that exchange both.
        scene: whether they are planes of a scene, which have directions.
    """
    height, width = cells.shape[-2:]
    views, actions = [], []
    for symmetry in SYMMETRIES:
        xx, xy, yx, yy = symmetry.value
        if xx == 0 and height != width:
            continue
        turned = cells.swapaxes(-1, -2) if xx == 0 else cells
        turned = turned[..., :: yx + yy, :: xx + xy]
        views.append(turned_scene(turned, symmetry) if scene else turned)
        actions.append([symmetry.apply_to_action(action) for action in range(NUM_ACTIONS)])
    found = scores(jnp.concatenate(views)).reshape(len(views), len(cells), NUM_ACTIONS)
    return jnp.take_along_axis(found, np.array(actions)[:, None], axis=-1).mean(axis=0)
