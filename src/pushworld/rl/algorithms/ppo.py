"""Proximal policy optimisation (PPO), the whole loop on the device.

An iteration collects a rollout of `unroll` steps in every environment with the current policy, then
updates policy and value on it for some epochs of minibatches.

Ends of episodes: after a termination the next episode starts at once, and the value is 0. A
truncated episode gets one more entry in the rollout with its last state, whose value bootstraps
the truncated step. No action is taken there, and all means mask this entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import optax

from pushworld.envs.jax import EnvParams
from pushworld.rl.algorithms import learner
from pushworld.rl.algorithms.learner import Episodes, Learner, Metrics, Weights
from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.algorithms.returns import generalised_advantages, masked_mean, normalise
from pushworld.rl.settings import NetworkConfig, PPOConfig


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PPOState:
    """The training state of PPO: all that training needs to continue.

    Attributes:
        weights: of the network.
        optimizer: the state of the optimiser.
        iterations: int32, the number of iterations so far.
        episodes: the running episodes.
        key: of all further random numbers.
    """

    weights: Weights
    optimizer: Any
    iterations: jax.Array
    episodes: Episodes
    key: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Rollout:
    """Steps of all environments; time is the first axis, environments are the second.

    Attributes:
        observations: before the step, as `encode_observations` returns them.
        actions: int32, the actions taken.
        log_probabilities: float32, of the actions under the policy that took them.
        values: float32, the network's values of the states.
        rewards: float32.
        terminated: bool, whether the step achieved all goals.
        valid: bool, whether an action was taken; False for the last state of a truncated episode.
    """

    observations: jax.Array
    actions: jax.Array
    log_probabilities: jax.Array
    values: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    valid: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Batch:
    """Steps to learn from, in any order, with their advantages and the targets of the value."""

    steps: Rollout
    advantages: jax.Array
    returns: jax.Array


@lru_cache(maxsize=8)
def make_ppo(network: NetworkConfig, config: PPOConfig) -> Learner:
    """Returns PPO with a network. Equal settings return the same learner, so that it compiles once."""
    model: Any = ActorCritic(network)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm), optax.adam(config.learning_rate)
    )

    def act(
        weights: Weights, encoded: jax.Array, params: EnvParams, repeats: int | None = None
    ) -> tuple[jax.Array, jax.Array]:
        logits, values = model.apply(weights, learner.decode_observations(encoded, params), repeats)
        return logits, values

    def init(key: jax.Array, params: EnvParams) -> PPOState:
        weights_key, episodes_key, key = jax.random.split(key, 3)
        episodes = learner.start_episodes(episodes_key, config.environments, params)
        weights = model.init(weights_key, learner.dummy_observations(params))
        return PPOState(weights, optimizer.init(weights), jnp.int32(0), episodes, key)

    def iterate(state: PPOState, params: EnvParams) -> tuple[PPOState, Metrics]:
        numbers, iteration = network.repeats_choices, state.iterations
        return learner.with_random_repeats(
            numbers, iteration, lambda repeats: iterate_with(state, params, repeats)
        )

    def iterate_with(
        state: PPOState, params: EnvParams, repeats: int | None
    ) -> tuple[PPOState, Metrics]:
        key, rollout_key, update_key = jax.random.split(state.key, 3)
        episodes, rollout, metrics = roll_out(
            rollout_key,
            lambda encoded: act(state.weights, encoded, params, repeats),
            state.episodes,
            params,
            config.unroll,
        )
        encoded = learner.encode_observations(episodes.states, params)
        _, last_values = act(state.weights, encoded, params, repeats)
        batch = make_batch(rollout, last_values)
        weights, optimizer_state, losses = update(
            update_key, state.weights, state.optimizer, batch, params, repeats
        )
        after = PPOState(weights, optimizer_state, state.iterations + 1, episodes, key)
        return after, metrics | losses

    def make_batch(rollout: Rollout, last_values: jax.Array) -> Batch:
        """Returns the steps to learn from."""
        advantages = generalised_advantages(
            rollout.rewards,
            rollout.values,
            rollout.terminated,
            rollout.valid,
            last_values,
            config.discount,
            config.gae_lambda,
        )
        scaled = normalise(advantages, rollout.valid)
        batch = Batch(rollout, scaled, advantages + rollout.values)
        flat: Batch = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), batch)
        return flat

    def update(
        key: jax.Array,
        weights: Weights,
        optimizer_state: Any,
        batch: Batch,
        params: EnvParams,
        repeats: int | None,
    ) -> tuple[Weights, Any, Metrics]:
        def on_minibatch(carry: tuple[Weights, Any], chosen: jax.Array) -> Any:
            weights, optimizer_state = carry
            minibatch = jax.tree.map(lambda leaf: leaf[chosen], batch)
            gradients, losses = jax.grad(loss, has_aux=True)(weights, minibatch, params, repeats)
            updates, optimizer_state = optimizer.update(gradients, optimizer_state)
            losses["gradient_norm"] = optax.tree.norm(gradients)
            return (optax.apply_updates(weights, updates), optimizer_state), losses

        size = config.environments * config.unroll
        orders = jax.vmap(lambda key: jax.random.permutation(key, size))(
            jax.random.split(key, config.epochs)
        )
        chosen = orders.reshape(config.epochs * config.minibatches, -1)
        (weights, optimizer_state), losses = jax.lax.scan(
            on_minibatch, (weights, optimizer_state), chosen
        )
        return weights, optimizer_state, jax.tree.map(jnp.mean, losses)

    def loss(
        weights: Weights, batch: Batch, params: EnvParams, repeats: int | None
    ) -> tuple[jax.Array, Metrics]:
        steps = batch.steps
        logits, values = act(weights, steps.observations, params, repeats)
        log_ratio = log_probability(logits, steps.actions) - steps.log_probabilities
        logs = jax.nn.log_softmax(logits)
        parts = {
            "policy_loss": -clipped_objective(log_ratio, batch.advantages, config.clip),
            "value_loss": (values - batch.returns) ** 2,
            "entropy": -(jnp.exp(logs) * logs).sum(axis=-1),
            "divergence": jnp.exp(log_ratio) - 1 - log_ratio,
        }
        means = {name: masked_mean(part, steps.valid) for name, part in parts.items()}
        total = (
            means["policy_loss"]
            + config.value_cost * means["value_loss"]
            - config.entropy_cost * means["entropy"]
        )
        return total, means

    return Learner(
        init=init,
        iterate=iterate,
        scores=learner.state_scores(network, lambda *given: act(*given)[0]),
        explore=jax.random.categorical,
        steps_per_iteration=config.environments * config.unroll,
    )


def clipped_objective(log_ratio: jax.Array, advantages: jax.Array, clip: float) -> jax.Array:
    """Returns the clipped surrogate objective of PPO, which is maximised."""
    ratio = jnp.exp(log_ratio)
    return jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - clip, 1 + clip) * advantages)


def roll_out(
    key: jax.Array,
    policy: Callable[[jax.Array], tuple[jax.Array, jax.Array]],
    episodes: Episodes,
    params: EnvParams,
    length: int,
) -> tuple[Episodes, Rollout, Metrics]:
    """Returns the episodes after some steps in every environment, the steps, and sums of metrics.

    Args:
        key: of actions and new episodes.
        policy: returns logits and values of encoded observations.
        episodes: the running episodes.
        params: the packed puzzles.
        length: the number of steps.
    """

    def step(episodes: Episodes, key: jax.Array) -> tuple[Episodes, tuple[Rollout, Metrics]]:
        action_key, reset_key = jax.random.split(key)
        states = episodes.states
        observations = learner.encode_observations(states, params)
        logits, values = policy(observations)
        actions = jax.random.categorical(action_key, logits)
        valid = states.steps < params.max_steps
        after, rewards, done, info = learner.step_all(states, actions, params)
        terminated = info["terminated"] & valid
        reset_states = learner.reset_all(reset_key, len(done), params)
        returns = episodes.returns + rewards
        metrics = learner.episode_sums(done & valid, terminated, returns, after.steps)
        metrics["steps"] = valid.sum(dtype=jnp.int32)
        next_episodes = Episodes(
            states=learner.select(terminated | ~valid, reset_states, after),
            returns=jnp.where(done | ~valid, 0, returns),
        )
        log_probabilities = log_probability(logits, actions)
        rollout = Rollout(
            observations, actions, log_probabilities, values, rewards, terminated, valid
        )
        return next_episodes, (rollout, metrics)

    keys = jax.random.split(key, length)
    episodes, (rollout, metrics) = jax.lax.scan(step, episodes, keys)
    return episodes, rollout, jax.tree.map(lambda values: values.sum(axis=0), metrics)


def log_probability(logits: jax.Array, actions: jax.Array) -> jax.Array:
    """Returns the log probabilities of actions."""
    logs = jax.nn.log_softmax(logits)
    return jnp.take_along_axis(logs, actions[:, None], axis=-1)[:, 0]
