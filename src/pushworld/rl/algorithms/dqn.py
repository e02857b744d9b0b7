"""Deep Q-learning (DQN), the whole loop on the device.

An iteration takes one epsilon-greedy step in every environment, stores these transitions in a
replay buffer, and updates the network on samples from it, `samples_per_insert` for each new
transition. Updates are small and sequential, so a fast device would wait between them. Samples,
observations and targets of all updates of an iteration are therefore computed together before the
first one.

The dynamics are deterministic, so the successor of a sampled transition is computed again: a transition takes a
few bytes in the replay buffer, and millions of them fit on a device.

Ends of episodes: the target of a terminating step is its reward. Truncation is no property of the
state, so a truncated step is bootstrapped like any other.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.typing import ArrayLike
from numpy.typing import NDArray

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import EnvParams, EnvState
from pushworld.rl.algorithms import learner
from pushworld.rl.algorithms.learner import Episodes, Learner, Metrics, Weights
from pushworld.rl.algorithms.networks import ActionValues
from pushworld.rl.algorithms.returns import one_step_targets, widen_gaps
from pushworld.rl.settings import DQNConfig, NetworkConfig

MAX_REWARD = 1.0
"""Rewards are clipped to this magnitude: a step costs 0.01, which is hard to learn beside a reward of 10."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Replay:
    """The last transitions, in a ring buffer.

    Attributes:
        states: the states before the actions, (capacity, ...).
        actions: int8 (capacity,).
        cursor: int32, where the next insertion goes.
        size: int32, the number of transitions in the buffer.
    """

    states: EnvState
    actions: jax.Array
    cursor: jax.Array
    size: jax.Array

    @property
    def capacity(self) -> int:
        return self.actions.shape[0]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class DQNState:
    """The training state of DQN: all that training needs to continue.

    Attributes:
        weights: the moving average of the online network's, with which agents are evaluated.
        online: of the online network.
        target: of the target network.
        optimizer: the state of the optimiser.
        updates: int32, the number of updates so far.
        replay: the replay buffer.
        episodes: the running episodes.
        key: of all further random numbers.
    """

    weights: Weights
    online: Weights
    target: Weights
    optimizer: Any
    updates: jax.Array
    replay: Replay
    episodes: Episodes
    key: jax.Array


Samples = tuple[jax.Array, jax.Array, jax.Array]
"""Sampled transitions: encoded observations before the action, actions, and targets of their values."""


@lru_cache(maxsize=8)
def make_dqn(network: NetworkConfig, config: DQNConfig) -> Learner:
    """Returns DQN with a network. Equal settings return the same learner, so that it compiles once."""
    model: Any = ActionValues(network)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm), optax.adam(config.learning_rate)
    )
    environments, batch = config.environments, config.batch
    updates = environments * config.samples_per_insert // batch
    epsilons = jnp.asarray(training_epsilons(config, environments))

    def action_values(weights: Weights, encoded: jax.Array, params: EnvParams) -> jax.Array:
        values: jax.Array = model.apply(weights, learner.decode_observations(encoded, params))
        return values

    def explore(key: jax.Array, values: jax.Array) -> jax.Array:
        return epsilon_greedy(key, values, config.epsilon)

    def init(key: jax.Array, params: EnvParams) -> DQNState:
        weights_key, episodes_key, warm_up_key, key = jax.random.split(key, 4)
        episodes = learner.start_episodes(episodes_key, environments, params)
        weights = model.init(weights_key, learner.dummy_observations(params))

        def random_step(carry: tuple[Episodes, Replay], key: jax.Array) -> Any:
            episodes, replay = carry
            action_key, reset_key = jax.random.split(key)
            actions = jax.random.randint(action_key, (environments,), 0, NUM_ACTIONS)
            episodes, replay, _ = step(reset_key, episodes, replay, actions, params)
            return (episodes, replay), None

        replay = empty_replay(episodes.states, config.replay)
        keys = jax.random.split(warm_up_key, config.warm_up // environments)
        (episodes, replay), _ = jax.lax.scan(random_step, (episodes, replay), keys)
        return DQNState(
            weights=weights,
            online=jax.tree.map(jnp.copy, weights),
            target=jax.tree.map(jnp.copy, weights),
            optimizer=optimizer.init(weights),
            updates=jnp.int32(0),
            replay=replay,
            episodes=episodes,
            key=key,
        )

    def iterate(state: DQNState, params: EnvParams) -> tuple[DQNState, Metrics]:
        key, action_key, reset_key, sample_key = jax.random.split(state.key, 4)
        seen = learner.encode_observations(state.episodes.states, params)
        values = action_values(state.online, seen, params)
        actions = epsilon_greedy(action_key, values, epsilons)
        episodes, replay, metrics = step(reset_key, state.episodes, state.replay, actions, params)
        indices = uniform_indices(sample_key, replay, updates * batch)
        samples = add_targets(state, *transitions(replay, indices), params)
        batches = jax.tree.map(lambda leaf: leaf.reshape(updates, batch, *leaf.shape[1:]), samples)
        (online, optimizer_state), losses = jax.lax.scan(
            lambda learning, samples: update(*learning, samples, params),
            (state.online, state.optimizer),
            batches,
        )
        done = state.updates + updates
        copy = done // config.target_period > state.updates // config.target_period
        after = DQNState(
            weights=optax.incremental_update(online, state.weights, 1 - config.averaging**updates),
            online=online,
            target=jax.tree.map(partial(jnp.where, copy), online, state.target),
            optimizer=optimizer_state,
            updates=done,
            replay=replay,
            episodes=episodes,
            key=key,
        )
        return after, metrics | jax.tree.map(jnp.mean, losses)

    def step(
        key: jax.Array, episodes: Episodes, replay: Replay, actions: jax.Array, params: EnvParams
    ) -> tuple[Episodes, Replay, Metrics]:
        """Takes actions, stores the transitions, and starts new episodes where one has ended."""
        after, rewards, done, info = learner.step_all(episodes.states, actions, params)
        replay = insert(replay, episodes.states, actions)
        returns = episodes.returns + rewards
        metrics = learner.episode_sums(done, info["terminated"], returns, after.steps)
        metrics["steps"] = jnp.ones_like(done, jnp.int32).sum()
        reset_states = learner.reset_all(key, environments, params)
        next_episodes = Episodes(
            learner.select(done, reset_states, after), jnp.where(done, 0, returns)
        )
        return next_episodes, replay, metrics

    def add_targets(
        state: DQNState, states: EnvState, actions: jax.Array, params: EnvParams
    ) -> Samples:
        """Returns transitions with targets by the current networks."""
        after, rewards, _, info = learner.step_all(states, actions, params)
        next_observations = learner.encode_observations(after, params)
        next_values = action_values(state.target, next_observations, params)
        selection = action_values(state.online, next_observations, params)
        rewards = jnp.clip(rewards, -MAX_REWARD, MAX_REWARD)
        targets = one_step_targets(
            rewards, info["terminated"], next_values, selection, config.discount
        )
        observations = learner.encode_observations(states, params)
        if config.action_gap > 0:
            values = action_values(state.target, observations, params)
            targets = widen_gaps(targets, values, actions, config.action_gap)
        return observations, actions, targets

    def update(
        weights: Weights, optimizer_state: Any, samples: Samples, params: EnvParams
    ) -> tuple[tuple[Weights, Any], Metrics]:
        """Returns weights and optimiser after an update, and metrics."""
        observations, actions, targets = samples

        def loss(weights: Weights) -> tuple[jax.Array, Metrics]:
            values = action_values(weights, observations, params)
            taken = jnp.take_along_axis(values, actions[:, None], axis=-1)[:, 0]
            error = optax.huber_loss(taken, targets).mean()
            return error, {"value_loss": error, "action_value": taken.mean()}

        gradients, metrics = jax.grad(loss, has_aux=True)(weights)
        metrics["gradient_norm"] = optax.tree.norm(gradients)
        changes, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(weights, changes), optimizer_state), metrics

    return Learner(
        init=init,
        iterate=iterate,
        scores=learner.state_scores(network, action_values),
        explore=explore,
        steps_per_iteration=config.environments,
    )


def training_epsilons(config: DQNConfig, environments: int) -> NDArray[np.float32]:
    """Returns how often each environment takes a random action in training."""
    if config.largest_epsilon is None:
        return np.full(environments, config.epsilon, np.float32)
    return np.geomspace(config.epsilon, config.largest_epsilon, environments, dtype=np.float32)


def epsilon_greedy(key: jax.Array, values: jax.Array, epsilon: ArrayLike) -> jax.Array:
    """Returns the best action of each row, or with probability epsilon a random one.

    Epsilon is one number, or one for each row.
    """
    random_key, choice_key = jax.random.split(key)
    count, actions = values.shape
    random = jax.random.randint(choice_key, (count,), 0, actions)
    return jnp.where(
        jax.random.uniform(random_key, (count,)) < epsilon, random, jnp.argmax(values, axis=-1)
    )


def empty_replay(states: EnvState, capacity: int) -> Replay:
    """Returns a buffer without transitions, for states like the given ones (count, ...)."""
    ring = jax.tree.map(lambda leaf: jnp.zeros((capacity, *leaf.shape[1:]), leaf.dtype), states)
    return Replay(
        states=ring, actions=jnp.zeros(capacity, jnp.int8), cursor=jnp.int32(0), size=jnp.int32(0)
    )


def insert(replay: Replay, states: EnvState, actions: jax.Array) -> Replay:
    """Returns the buffer with more transitions, which overwrite the oldest if it is full.

    Their number must divide the capacity, and be the same in every call.
    """

    def write(ring: jax.Array, new: jax.Array) -> jax.Array:
        return jax.lax.dynamic_update_slice_in_dim(ring, new.astype(ring.dtype), replay.cursor, 0)

    count = actions.shape[0]
    return Replay(
        states=jax.tree.map(write, replay.states, states),
        actions=write(replay.actions, actions),
        cursor=(replay.cursor + count) % replay.capacity,
        size=jnp.minimum(replay.size + count, replay.capacity),
    )


def uniform_indices(key: jax.Array, replay: Replay, count: int) -> jax.Array:
    """Returns places in the buffer, drawn uniformly and independently from those with a transition."""
    return jax.random.randint(key, (count,), 0, replay.size)


def transitions(replay: Replay, indices: jax.Array) -> tuple[EnvState, jax.Array]:
    """Returns the states and actions at some places of the buffer."""
    states = jax.tree.map(lambda ring: ring[indices], replay.states)
    return states, replay.actions[indices].astype(jnp.int32)
