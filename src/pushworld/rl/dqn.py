"""Deep Q-learning, the whole loop on the device.

An iteration lets every environment take one step, mostly the best one by the network's values,
stores these steps in a replay buffer, and updates the network on uniform samples from it, as
often as keeps the promised number of samples per insert.

Where episodes end: a termination is worth its reward and no more. A truncation is no property of
the state, so the step before it is bootstrapped like any other. There are no steps that only
begin an episode, hence none to mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState
from pushworld.rl.config import DQNConfig, NetworkConfig
from pushworld.rl.learner import (
    Episodes,
    Learner,
    Metrics,
    Weights,
    begin_episodes,
    choose,
    episode_sums,
    first_states,
    observe_all,
    step_all,
)
from pushworld.rl.networks import ActionValues
from pushworld.rl.replay import Replay, empty_replay, insert, sample


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class DQNState:
    """All that training needs to go on.

    Attributes:
        weights: of the network that learns and acts.
        target: of the network that values what comes next.
        optimizer: the state of the optimiser.
        updates: int32, how many there were.
        replay: the last transitions.
        episodes: the episodes under way.
        key: of all random choices that follow.
    """

    weights: Weights
    target: Weights
    optimizer: Any
    updates: jax.Array
    replay: Replay
    episodes: Episodes
    key: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class _Learning:
    """The part of the state that an update changes."""

    weights: Weights
    target: Weights
    optimizer: Any
    updates: jax.Array


@lru_cache(maxsize=8)
def make_dqn(network: NetworkConfig, config: DQNConfig) -> Learner:
    """Returns DQN with a network; the same for the same settings, so that it compiles once."""
    model: Any = ActionValues(network)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm), optax.adam(config.learning_rate)
    )
    updates_per_iteration = config.environments * config.samples_per_insert // config.batch

    def scores(weights: Weights, states: EnvState, params: EnvParams) -> jax.Array:
        values: jax.Array = model.apply(weights, observe_all(states, params))
        return values

    def explore(key: jax.Array, values: jax.Array) -> jax.Array:
        return epsilon_greedy(key, values, config.epsilon)

    def begin(key: jax.Array, params: EnvParams) -> DQNState:
        weights_key, episodes_key, warm_up_key, key = jax.random.split(key, 4)
        episodes = begin_episodes(episodes_key, config.environments, params)
        one = jax.tree.map(lambda leaf: leaf[:1], episodes.states)
        weights = model.init(weights_key, observe_all(one, params))

        def random_step(carry: tuple[Episodes, Replay], key: jax.Array) -> Any:
            episodes, replay = carry
            action_key, reset_key = jax.random.split(key)
            actions = jax.random.randint(action_key, (config.environments,), 0, NUM_ACTIONS)
            episodes, replay, _ = step(reset_key, episodes, replay, actions, params)
            return (episodes, replay), None

        replay = empty_replay(episodes.states, config.replay)
        keys = jax.random.split(warm_up_key, config.warm_up // config.environments)
        (episodes, replay), _ = jax.lax.scan(random_step, (episodes, replay), keys)
        return DQNState(
            weights=weights,
            target=jax.tree.map(jnp.copy, weights),
            optimizer=optimizer.init(weights),
            updates=jnp.int32(0),
            replay=replay,
            episodes=episodes,
            key=key,
        )

    def iterate(state: DQNState, params: EnvParams) -> tuple[DQNState, Metrics]:
        key, action_key, reset_key, update_key = jax.random.split(state.key, 4)
        actions = explore(action_key, scores(state.weights, state.episodes.states, params))
        episodes, replay, metrics = step(reset_key, state.episodes, state.replay, actions, params)
        learning = _Learning(state.weights, state.target, state.optimizer, state.updates)

        def once(learning: _Learning, key: jax.Array) -> tuple[_Learning, Metrics]:
            return update(learning, *sample(key, replay, config.batch), params)

        keys = jax.random.split(update_key, updates_per_iteration)
        learning, losses = jax.lax.scan(once, learning, keys)
        after = DQNState(
            weights=learning.weights,
            target=learning.target,
            optimizer=learning.optimizer,
            updates=learning.updates,
            replay=replay,
            episodes=episodes,
            key=key,
        )
        return after, metrics | jax.tree.map(jnp.mean, losses)

    def step(
        key: jax.Array,
        episodes: Episodes,
        replay: Replay,
        actions: jax.Array,
        params: EnvParams,
    ) -> tuple[Episodes, Replay, Metrics]:
        """Takes actions, stores them, and begins new episodes where one has ended."""
        after, rewards, done, info = step_all(episodes.states, actions, params)
        replay = insert(replay, episodes.states, actions)
        returns = episodes.returns + rewards
        metrics = episode_sums(done, info["terminated"], returns, after.steps)
        metrics["steps"] = jnp.int32(config.environments)
        fresh = first_states(key, config.environments, params)
        going_on = Episodes(choose(done, fresh, after), jnp.where(done, 0, returns))
        return going_on, replay, metrics

    def update(
        learning: _Learning, states: EnvState, actions: jax.Array, params: EnvParams
    ) -> tuple[_Learning, Metrics]:
        after, rewards, _, info = step_all(states, actions, params)
        observations = observe_all(states, params)
        observations_after = observe_all(after, params)
        values_after = model.apply(learning.target, observations_after)
        choosing = values_after
        if config.double:
            choosing = model.apply(learning.weights, observations_after)
        targets = one_step_targets(
            rewards, info["terminated"], values_after, choosing, config.discount
        )

        def loss(weights: Weights) -> tuple[jax.Array, jax.Array]:
            values = model.apply(weights, observations)
            taken = jnp.take_along_axis(values, actions[:, None], axis=-1)[:, 0]
            return optax.huber_loss(taken, targets).mean(), taken.mean()

        (error, value), gradients = jax.value_and_grad(loss, has_aux=True)(learning.weights)
        changes, optimizer_state = optimizer.update(gradients, learning.optimizer)
        weights = optax.apply_updates(learning.weights, changes)
        updates = learning.updates + 1
        follow = updates % config.target_period == 0
        target = jax.tree.map(
            lambda new, old: jnp.where(follow, new, old), weights, learning.target
        )
        metrics = {"value_loss": error, "action_value": value}
        return _Learning(weights, target, optimizer_state, updates), metrics

    return Learner(
        begin=begin,
        iterate=iterate,
        scores=scores,
        explore=explore,
        steps_per_iteration=config.environments,
    )


def one_step_targets(
    rewards: jax.Array,
    terminated: jax.Array,
    values_after: jax.Array,
    choosing: jax.Array,
    discount: float,
) -> jax.Array:
    """Returns what the values of actions should be.

    Args:
        rewards: of the steps.
        terminated: whether all goals were achieved, so that nothing follows.
        values_after: the target network's values of the actions that follow, (batch, actions).
        choosing: the values by which the following action is chosen.
        discount: how much less the future is worth.
    """
    best = jnp.argmax(choosing, axis=-1)
    future = jnp.take_along_axis(values_after, best[:, None], axis=-1)[:, 0]
    return rewards + discount * jnp.where(terminated, 0, future)


def epsilon_greedy(key: jax.Array, values: jax.Array, epsilon: float) -> jax.Array:
    """Returns the best action of each row, or with probability epsilon any action."""
    random_key, choice_key = jax.random.split(key)
    count, actions = values.shape
    random = jax.random.randint(choice_key, (count,), 0, actions)
    return jnp.where(
        jax.random.uniform(random_key, (count,)) < epsilon, random, jnp.argmax(values, axis=-1)
    )
