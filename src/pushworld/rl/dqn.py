"""Deep Q-learning, the whole loop on the device.

An iteration lets every environment take one step, mostly the best one by the network's values,
stores these steps in a replay buffer, and updates the network on uniform samples from it, as
often as keeps the promised number of samples per insert. Updates are small and come one after the
other, so a fast device waits between them. Therefore all that an iteration's updates do not need
of each other is done for all of them at once: samples, pictures, and the values to learn. On
several devices, each takes its share of the environments, of the replay and of every batch.

Where episodes end: a termination is worth its reward and no more. A truncation is no property of
the state, so the step before it is bootstrapped like any other, unless the run says otherwise.
There are no steps that only begin an episode, hence none to mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState
from pushworld.rl.config import DQNConfig, NetworkConfig
from pushworld.rl.devices import ONE, SAME, SPLIT, Devices
from pushworld.rl.learner import (
    Episodes,
    Learner,
    Metrics,
    Weights,
    begin_episodes,
    choose,
    coloured,
    episode_sums,
    first_states,
    sketch_all,
    step_all,
    unseen,
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
class Lessons:
    """Transitions to learn from.

    Attributes:
        sketches: what the network saw before the action, as `sketch_all` returns it.
        actions: int32, those taken.
        targets: float32, what their values should be.
    """

    sketches: jax.Array
    actions: jax.Array
    targets: jax.Array


@lru_cache(maxsize=8)
def make_dqn(network: NetworkConfig, config: DQNConfig, devices: Devices = ONE) -> Learner:
    """Returns DQN with a network; the same for the same settings, so that it compiles once."""
    model: Any = ActionValues(network)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm), optax.adam(config.learning_rate)
    )
    environments = devices.share(config.environments, "dqn.environments")
    capacity = devices.share(config.replay, "dqn.replay")
    batch = devices.share(config.batch, "dqn.batch")
    updates = config.environments * config.samples_per_insert // config.batch

    def values_of(weights: Weights, sketches: jax.Array, params: EnvParams) -> jax.Array:
        values: jax.Array = model.apply(weights, coloured(sketches, params))
        return values

    def scores(weights: Weights, states: EnvState, params: EnvParams) -> jax.Array:
        return values_of(weights, sketch_all(states, params), params)

    def explore(key: jax.Array, values: jax.Array) -> jax.Array:
        return epsilon_greedy(key, values, config.epsilon)

    def begin(key: jax.Array, params: EnvParams) -> DQNState:
        weights_key, episodes_key, warm_up_key, key = jax.random.split(key, 4)
        episodes = begin_episodes(devices.own(episodes_key), environments, params, devices)
        weights = model.init(weights_key, unseen(params))

        def random_step(carry: tuple[Episodes, Replay], key: jax.Array) -> Any:
            episodes, replay = carry
            action_key, reset_key = jax.random.split(key)
            actions = jax.random.randint(action_key, (environments,), 0, NUM_ACTIONS)
            episodes, replay, _ = step(reset_key, episodes, replay, actions, params)
            return (episodes, replay), None

        replay = empty_replay(episodes.states, capacity, devices)
        keys = jax.random.split(devices.own(warm_up_key), config.warm_up // config.environments)
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
        key, action_key, reset_key, sample_key = jax.random.split(state.key, 4)
        values = scores(state.weights, state.episodes.states, params)
        actions = explore(devices.own(action_key), values)
        episodes, replay, metrics = step(
            devices.own(reset_key), state.episodes, state.replay, actions, params
        )
        samples = sample(devices.own(sample_key), replay, updates * batch)
        lessons = prepare(state, *samples, params)
        in_batches = jax.tree.map(
            lambda leaf: leaf.reshape(updates, batch, *leaf.shape[1:]), lessons
        )
        (weights, optimizer_state), losses = jax.lax.scan(
            lambda learning, lessons: update(*learning, lessons, params),
            (state.weights, state.optimizer),
            in_batches,
        )
        done = state.updates + updates
        follow = done // config.target_period > state.updates // config.target_period
        after = DQNState(
            weights=weights,
            target=jax.tree.map(partial(jnp.where, follow), weights, state.target),
            optimizer=optimizer_state,
            updates=done,
            replay=replay,
            episodes=episodes,
            key=key,
        )
        return after, devices.total(metrics) | jax.tree.map(jnp.mean, losses)

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
        metrics["steps"] = jnp.ones_like(done, jnp.int32).sum()
        fresh = first_states(key, environments, params)
        going_on = Episodes(choose(done, fresh, after), jnp.where(done, 0, returns))
        return going_on, replay, metrics

    def prepare(
        state: DQNState, states: EnvState, actions: jax.Array, params: EnvParams
    ) -> Lessons:
        """Returns what to learn from transitions, by the networks as they are."""
        after, rewards, done, info = step_all(states, actions, params)
        ends = info["terminated"] if config.bootstrap_truncated else done
        sketches_after = sketch_all(after, params)
        values_after = choosing = values_of(state.target, sketches_after, params)
        if config.double:
            choosing = values_of(state.weights, sketches_after, params)
        rewards = jnp.clip(rewards, -config.max_abs_reward, config.max_abs_reward)
        targets = one_step_targets(rewards, ends, values_after, choosing, config.discount)
        return Lessons(sketch_all(states, params), actions, targets)

    def update(
        weights: Weights, optimizer_state: Any, lessons: Lessons, params: EnvParams
    ) -> tuple[tuple[Weights, Any], Metrics]:
        def loss(weights: Weights) -> tuple[jax.Array, Metrics]:
            values = values_of(weights, lessons.sketches, params)
            taken = jnp.take_along_axis(values, lessons.actions[:, None], axis=-1)[:, 0]
            error = devices.mean(optax.huber_loss(taken, lessons.targets))
            return error, {"value_loss": error, "action_value": devices.mean(taken)}

        gradients, metrics = jax.grad(loss, has_aux=True)(weights)
        metrics["gradient_norm"] = optax.tree.norm(gradients)
        changes, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(weights, changes), optimizer_state), metrics

    return Learner(
        begin=begin,
        iterate=iterate,
        scores=scores,
        explore=explore,
        steps_per_iteration=config.environments,
        devices=devices,
        layout=DQNState(
            weights=SAME,
            target=SAME,
            optimizer=SAME,
            updates=SAME,  # type: ignore[arg-type]
            replay=Replay(SPLIT, SPLIT, SAME, SAME),  # type: ignore[arg-type]
            episodes=SPLIT,  # type: ignore[arg-type]
            key=SAME,  # type: ignore[arg-type]
        ),
    )


def one_step_targets(
    rewards: jax.Array,
    ends: jax.Array,
    values_after: jax.Array,
    choosing: jax.Array,
    discount: float,
) -> jax.Array:
    """Returns what the values of actions should be.

    Args:
        rewards: of the steps.
        ends: whether nothing follows, because all goals are achieved.
        values_after: the target network's values of the actions that follow, (batch, actions).
        choosing: the values by which the following action is chosen.
        discount: how much less the future is worth.
    """
    best = jnp.argmax(choosing, axis=-1)
    future = jnp.take_along_axis(values_after, best[:, None], axis=-1)[:, 0]
    return rewards + discount * jnp.where(ends, 0, future)


def epsilon_greedy(key: jax.Array, values: jax.Array, epsilon: float) -> jax.Array:
    """Returns the best action of each row, or with probability epsilon any action."""
    random_key, choice_key = jax.random.split(key)
    count, actions = values.shape
    random = jax.random.randint(choice_key, (count,), 0, actions)
    return jnp.where(
        jax.random.uniform(random_key, (count,)) < epsilon, random, jnp.argmax(values, axis=-1)
    )
