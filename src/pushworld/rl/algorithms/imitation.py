"""Imitation of shortest plans on the states that the network itself reaches (DAgger).

An iteration takes one step in every environment, batch by batch. The actions are sampled from the
network's policy; a teacher says which actions start a shortest plan, and the network is updated
towards them with the same forward pass. Episodes start with a puzzle as given, or at any of its states
that has a plan. They end where no plan is left.

The policy's loss is the negative log of the probability that it takes any of the best actions. The
value learns the discounted reward of a shortest plan, 0 where there is none, so that the network knows
dead ends, and PPO can continue with it.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import optax

from pushworld.envs.jax import EnvParams, EnvState
from pushworld.envs.planes import FIRST_GOAL_OBJECT
from pushworld.rl.algorithms import learner
from pushworld.rl.algorithms.learner import Episodes, Learner, Metrics, Weights
from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.algorithms.returns import masked_mean
from pushworld.rl.algorithms.teacher import DEAD, Teacher, look_up, make_teacher, random_start
from pushworld.rl.settings import ImitationConfig, NetworkConfig


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class ImitationState:
    """The training state of imitation: all that training needs to continue.

    Attributes:
        weights: the moving average of the network's weights, which evaluations use.
        online: the weights that are trained.
        optimizer: the state of the optimiser.
        iterations: int32, the number of iterations so far.
        episodes: the running episodes.
        key: of all further random numbers.
    """

    weights: Weights
    online: Weights
    optimizer: Any
    iterations: jax.Array
    episodes: Episodes
    key: jax.Array


@lru_cache(maxsize=8)
def make_imitation(network: NetworkConfig, config: ImitationConfig) -> Learner:
    """Returns imitation with a network. Equal settings return the same learner."""
    model: Any = ActorCritic(network)
    rate: optax.ScalarOrSchedule = config.learning_rate
    if config.decay_steps is not None:
        updates = -(-config.decay_steps // config.batch)
        rate = optax.cosine_decay_schedule(config.learning_rate, updates, alpha=0.01)
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_gradient_norm),
        optax.adamw(rate, weight_decay=config.weight_decay),
    )
    environments, batch = config.environments, config.batch

    def act(
        weights: Weights, encoded: jax.Array, params: EnvParams, repeats: int | None = None
    ) -> tuple[jax.Array, jax.Array]:
        logits, values = model.apply(weights, learner.decode_observations(encoded, params), repeats)
        return logits, values

    def start(key: jax.Array, count: int, teacher: Teacher) -> EnvState:
        first = partial(random_start, teacher=teacher, share=config.random_starts)
        return jax.vmap(first)(jax.random.split(key, count))

    def init(key: jax.Array, teacher: Teacher) -> ImitationState:
        weights_key, episodes_key, steps_key, key = jax.random.split(key, 4)
        states = start(episodes_key, environments, teacher)
        steps = jax.random.randint(steps_key, (environments,), 0, teacher.params.max_steps)
        states = EnvState(states.variant, states.placement, states.positions, steps)
        weights = model.init(weights_key, learner.dummy_observations(teacher.params))
        return ImitationState(
            weights=weights,
            online=jax.tree.map(jnp.copy, weights),
            optimizer=optimizer.init(weights),
            iterations=jnp.int32(0),
            episodes=Episodes(states, jnp.zeros(environments)),
            key=key,
        )

    def iterate(state: ImitationState, teacher: Teacher) -> tuple[ImitationState, Metrics]:
        key, step_key = jax.random.split(state.key)
        groups = environments // batch
        grouped = jax.tree.map(
            lambda leaf: leaf.reshape(groups, batch, *leaf.shape[1:]), state.episodes
        )
        keys = jax.random.split(step_key, groups)

        def learn(repeats: int | None) -> Any:
            return jax.lax.scan(
                lambda learning, group: step(learning, *group, teacher, repeats),
                (state.weights, state.online, state.optimizer),
                (grouped, keys),
            )

        learned = learner.with_random_repeats(network.repeats_choices, state.iterations, learn)
        (weights, online, optimizer_state), (episodes, metrics, losses) = learned
        episodes = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), episodes)
        after = ImitationState(
            weights, online, optimizer_state, state.iterations + 1, episodes, key
        )
        sums = jax.tree.map(lambda each: each.sum(axis=0), metrics)
        return after, sums | jax.tree.map(jnp.mean, losses)

    def step(
        learning: tuple[Weights, Weights, Any],
        episodes: Episodes,
        key: jax.Array,
        teacher: Teacher,
        repeats: int | None,
    ) -> Any:
        """Takes one step in a batch of environments, and learns from the states before it."""
        average, weights, optimizer_state = learning
        params, states = teacher.params, episodes.states
        action_key, reset_key, shuffle_key = jax.random.split(key, 3)
        distances, best = jax.vmap(look_up, (0, None))(states, teacher)
        encoded = learner.encode_observations(states, params)
        if config.shuffle:
            encoded = shuffle_planes(shuffle_key, encoded, params.frame.goals)
        gradients, (logits, losses) = jax.grad(loss, has_aux=True)(
            weights, encoded, distances, best, params, repeats
        )
        losses["gradient_norm"] = optax.tree.norm(gradients)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state, weights)
        weights = optax.apply_updates(weights, updates)
        average = optax.incremental_update(weights, average, 1 - config.averaging)
        actions = jax.random.categorical(action_key, logits)
        after, rewards, done, info = learner.step_all(states, actions, params)
        ended = done | (distances == DEAD)
        returns = episodes.returns + rewards
        metrics = learner.episode_sums(ended, info["terminated"], returns, after.steps)
        metrics["steps"] = jnp.ones_like(done, jnp.int32).sum()
        following = Episodes(
            states=learner.select(ended, start(reset_key, batch, teacher), after),
            returns=jnp.where(ended, 0, returns),
        )
        return (average, weights, optimizer_state), (following, metrics, losses)

    def loss(
        weights: Weights,
        encoded: jax.Array,
        distances: jax.Array,
        best: jax.Array,
        params: EnvParams,
        repeats: int | None,
    ) -> tuple[jax.Array, tuple[jax.Array, Metrics]]:
        logits, values = act(weights, encoded, params, repeats)
        logs = jax.nn.log_softmax(logits)
        alive = distances < DEAD
        targets = value_targets(distances, params.reward.solved, config.discount)
        errors = (values - targets) ** 2
        right = jnp.take_along_axis(best, jnp.argmax(logits, axis=-1)[:, None], axis=-1)[:, 0]
        means = {
            "policy_loss": masked_mean(imitation_loss(logits, best), alive),
            "value_loss": errors.mean(),
            "entropy": masked_mean(-(jnp.exp(logs) * logs).sum(axis=-1), alive),
            "accuracy": masked_mean(right.astype(jnp.float32), alive),
        }
        total = means["policy_loss"] + config.value_cost * means["value_loss"]
        return total, (logits, means)

    return Learner(
        init=init,
        iterate=iterate,
        scores=learner.state_scores(network, lambda *given: act(*given)[0]),
        explore=jax.random.categorical,
        steps_per_iteration=config.environments,
        prepare=partial(make_teacher, max_states=config.max_states),
    )


def shuffle_planes(key: jax.Array, planes: jax.Array, goals: int) -> jax.Array:
    """Returns planes (batch, planes, height, width) with goals and other movables in random order.

    A goal and its object stay together. Every observation has an order of its own.
    """
    others = planes.shape[1] - FIRST_GOAL_OBJECT - 2 * goals

    def order(key: jax.Array) -> jax.Array:
        goals_key, others_key = jax.random.split(key)
        pairs = FIRST_GOAL_OBJECT + 2 * jax.random.permutation(goals_key, goals)
        last = FIRST_GOAL_OBJECT + 2 * goals + jax.random.permutation(others_key, others)
        mixed = jnp.stack([pairs, pairs + 1], axis=1).reshape(-1)
        return jnp.concatenate([jnp.arange(FIRST_GOAL_OBJECT), mixed, last])

    orders = jax.vmap(order)(jax.random.split(key, planes.shape[0]))
    return jnp.take_along_axis(planes, orders[:, :, None, None], axis=1)


def imitation_loss(logits: jax.Array, best: jax.Array) -> jax.Array:
    """Returns the negative log probabilities of taking any of the best actions; 0 where there is none."""
    there = best.any(axis=-1)
    masked = jnp.where(best | ~there[:, None], logits, -jnp.inf)
    return jax.nn.logsumexp(logits, axis=-1) - jax.nn.logsumexp(masked, axis=-1)


def value_targets(distances: jax.Array, solved: float, discount: float) -> jax.Array:
    """Returns the discounted rewards of solutions at these distances; 0 where there is none."""
    steps = jnp.maximum(distances - 1, 0)
    return jnp.where(distances < DEAD, solved * discount**steps, 0)
