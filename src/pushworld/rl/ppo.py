"""Proximal policy optimisation, the whole loop on the device.

An iteration lets every environment take `unroll` steps with the current policy, then improves
policy and value on them for some epochs of minibatches. On several devices, each takes its share
of the environments and of every minibatch.

Where episodes end: after a termination a new episode begins at once, and the future is worth
nothing. A truncated episode stays for one more entry, whose value estimate is what the truncated
step is bootstrapped with; no action counts there, and it is masked in every mean that follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

from pushworld.envs.jax import EnvParams, EnvState
from pushworld.rl.config import ConfigError, NetworkConfig, PPOConfig
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
from pushworld.rl.networks import ActorCritic
from pushworld.rl.returns import generalised_advantages, normalised


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PPOState:
    """All that training needs to go on.

    Attributes:
        weights: of the network.
        optimizer: the state of the optimiser.
        episodes: the episodes under way.
        key: of all random choices that follow.
    """

    weights: Weights
    optimizer: Any
    episodes: Episodes
    key: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Rollout:
    """Steps of all environments; time is the first axis, environments are the second.

    Attributes:
        sketches: what the network saw before the step, as `sketch_all` returns it.
        actions: int32, those taken.
        log_probabilities: float32, of the actions when they were taken.
        values: float32, what the network expected of the states.
        rewards: float32.
        terminated: bool, whether the step achieved all goals.
        valid: bool, whether it was a step at all, and not the end of a truncated episode.
    """

    sketches: jax.Array
    actions: jax.Array
    log_probabilities: jax.Array
    values: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    valid: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Batch:
    """Steps to learn from, in any order, with their advantages and the returns to expect."""

    steps: Rollout
    advantages: jax.Array
    returns: jax.Array


@lru_cache(maxsize=8)
def make_ppo(network: NetworkConfig, config: PPOConfig, devices: Devices = ONE) -> Learner:
    """Returns PPO with a network; the same for the same settings, so that it compiles once."""
    model: Any = ActorCritic(network)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm), optax.adam(config.learning_rate)
    )
    environments = devices.share(config.environments, "ppo.environments")
    if environments * config.unroll % config.minibatches:
        raise ConfigError(
            f"ppo.minibatches must divide the {environments * config.unroll} steps of a device"
        )

    def act(
        weights: Weights, sketches: jax.Array, params: EnvParams
    ) -> tuple[jax.Array, jax.Array]:
        logits, values = model.apply(weights, coloured(sketches, params))
        return logits, values

    def begin(key: jax.Array, params: EnvParams) -> PPOState:
        weights_key, episodes_key, key = jax.random.split(key, 3)
        episodes = begin_episodes(devices.own(episodes_key), environments, params, devices)
        weights = model.init(weights_key, unseen(params))
        return PPOState(weights, optimizer.init(weights), episodes, key)

    def iterate(state: PPOState, params: EnvParams) -> tuple[PPOState, Metrics]:
        key, rollout_key, update_key = jax.random.split(state.key, 3)
        episodes, rollout, metrics = roll_out(
            devices.own(rollout_key), state.weights, state.episodes, params
        )
        _, last_values = act(state.weights, sketch_all(episodes.states, params), params)
        batch = make_batch(rollout, last_values)
        weights, optimizer_state, losses = update(
            devices.own(update_key), state.weights, state.optimizer, batch, params
        )
        after = PPOState(weights, optimizer_state, episodes, key)
        return after, devices.total(metrics) | losses

    def roll_out(
        key: jax.Array, weights: Weights, episodes: Episodes, params: EnvParams
    ) -> tuple[Episodes, Rollout, Metrics]:
        def step(episodes: Episodes, key: jax.Array) -> tuple[Episodes, tuple[Rollout, Metrics]]:
            action_key, reset_key = jax.random.split(key)
            states = episodes.states
            sketches = sketch_all(states, params)
            logits, values = act(weights, sketches, params)
            actions = jax.random.categorical(action_key, logits)
            valid = states.steps < params.max_steps
            after, rewards, done, info = step_all(states, actions, params)
            terminated = info["terminated"] & valid
            fresh = first_states(reset_key, environments, params)
            returns = episodes.returns + rewards
            metrics = episode_sums(done & valid, terminated, returns, after.steps)
            metrics["steps"] = valid.sum(dtype=jnp.int32)
            going_on = Episodes(
                states=choose(terminated | ~valid, fresh, after),
                returns=jnp.where(done | ~valid, 0, returns),
            )
            log_probabilities = log_probability(logits, actions)
            rollout = Rollout(
                sketches, actions, log_probabilities, values, rewards, terminated, valid
            )
            return going_on, (rollout, metrics)

        keys = jax.random.split(key, config.unroll)
        episodes, (rollout, metrics) = jax.lax.scan(step, episodes, keys)
        return episodes, rollout, jax.tree.map(lambda values: values.sum(axis=0), metrics)

    def make_batch(rollout: Rollout, last_values: jax.Array) -> Batch:
        advantages = generalised_advantages(
            rollout.rewards,
            rollout.values,
            rollout.terminated,
            rollout.valid,
            last_values,
            config.discount,
            config.gae_lambda,
        )
        scaled = normalised(advantages, rollout.valid, devices)
        batch = Batch(rollout, scaled, advantages + rollout.values)
        flat: Batch = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), batch)
        return flat

    def update(
        key: jax.Array, weights: Weights, optimizer_state: Any, batch: Batch, params: EnvParams
    ) -> tuple[Weights, Any, Metrics]:
        def on_minibatch(carry: tuple[Weights, Any], chosen: jax.Array) -> Any:
            weights, optimizer_state = carry
            minibatch = jax.tree.map(lambda leaf: leaf[chosen], batch)
            gradients, losses = jax.grad(loss, has_aux=True)(weights, minibatch, params)
            updates, optimizer_state = optimizer.update(gradients, optimizer_state)
            losses["gradient_norm"] = optax.tree.norm(gradients)
            return (optax.apply_updates(weights, updates), optimizer_state), losses

        size = environments * config.unroll
        orders = jax.vmap(lambda key: jax.random.permutation(key, size))(
            jax.random.split(key, config.epochs)
        )
        chosen = orders.reshape(config.epochs * config.minibatches, -1)
        (weights, optimizer_state), losses = jax.lax.scan(
            on_minibatch, (weights, optimizer_state), chosen
        )
        return weights, optimizer_state, jax.tree.map(jnp.mean, losses)

    def loss(weights: Weights, batch: Batch, params: EnvParams) -> tuple[jax.Array, Metrics]:
        steps = batch.steps
        logits, values = act(weights, steps.sketches, params)
        log_ratio = log_probability(logits, steps.actions) - steps.log_probabilities
        logs = jax.nn.log_softmax(logits)
        parts = {
            "policy_loss": -clipped_objective(log_ratio, batch.advantages, config.clip),
            "value_loss": (values - batch.returns) ** 2,
            "entropy": -(jnp.exp(logs) * logs).sum(axis=-1),
            "divergence": jnp.exp(log_ratio) - 1 - log_ratio,
        }
        means = {name: devices.mean(part, steps.valid) for name, part in parts.items()}
        total = (
            means["policy_loss"]
            + config.value_cost * means["value_loss"]
            - config.entropy_cost * means["entropy"]
        )
        return total, means

    def scores(weights: Weights, states: EnvState, params: EnvParams) -> jax.Array:
        return act(weights, sketch_all(states, params), params)[0]

    return Learner(
        begin=begin,
        iterate=iterate,
        scores=scores,
        explore=jax.random.categorical,
        steps_per_iteration=config.environments * config.unroll,
        devices=devices,
        layout=PPOState(weights=SAME, optimizer=SAME, episodes=SPLIT, key=SAME),  # type: ignore[arg-type]
    )


def log_probability(logits: jax.Array, actions: jax.Array) -> jax.Array:
    """Returns the logarithms of the probabilities of actions."""
    logs = jax.nn.log_softmax(logits)
    return jnp.take_along_axis(logs, actions[:, None], axis=-1)[:, 0]


def clipped_objective(log_ratio: jax.Array, advantages: jax.Array, clip: float) -> jax.Array:
    """Returns what PPO maximises: ratio times advantage, without reward for leaving the clip."""
    ratio = jnp.exp(log_ratio)
    return jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - clip, 1 + clip) * advantages)
